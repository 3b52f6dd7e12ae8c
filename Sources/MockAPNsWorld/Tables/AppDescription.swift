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

/// Described apps, by bundle identifier.
extension AppDescription: TableKind {
    static let change = "set-app"
    static let noun = "apps"
    /// The maximum number of apps.
    public static let most = 100
    /// The maximum length of a name, in Unicode scalars.
    public static let longestName = 64
    static var values: WritableKeyPath<WorldTables, [String: AppDescription]> { \.apps }

    /// Whether an app can have this name: not too long, and not only white space.
    public static func allows(name: String) -> Bool {
        name.utf8.count <= 4 * longestName && name.unicodeScalars.count <= longestName
            && name.unicodeScalars.contains { !$0.properties.isWhitespace }
    }

    static func check(_ description: AppDescription, as app: String) throws(TableRefusal) {
        if let name = description.name, !allows(name: name) {
            throw TableRefusal(.badValue, "The app has an invalid name; expected 1 to \(longestName) characters.")
        }
        if let flaw = description.icon.flatMap({ AppIcon.flaw(in: $0) }) {
            throw TableRefusal(.badValue, "The icon is \(flaw).")
        }
    }

    static func event(of app: String) -> WorldEvent.Kind? { .appChanged(app) }
}
