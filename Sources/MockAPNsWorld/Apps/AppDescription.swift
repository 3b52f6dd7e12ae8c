package import MockAPNsFormats

/// The name and the icon of an app, which previews show.
public struct AppDescription: Equatable, Sendable {
    /// The name below the icon; `nil` if it was not described.
    public var name: String?
    /// The icon as a PNG file; `nil` if it was not described.
    public var icon: [UInt8]?

    /// Creates a description.
    public init(name: String? = nil, icon: [UInt8]? = nil) {
        self.name = name
        self.icon = icon
    }
}

extension AppDescription: MemberwiseArchived {
    package static let format = ArchiveFormat(AppDescription.init(name:icon:), \.name, \.icon)
}
