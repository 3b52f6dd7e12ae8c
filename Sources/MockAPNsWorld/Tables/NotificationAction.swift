package import MockAPNsFormats

/// An action button of a notification: a `UNNotificationAction` or `UNTextInputNotificationAction`.
public struct NotificationAction: Equatable, Sendable {
    /// The identifier that the app gets when the button is tapped; `nil` if unknown.
    public var identifier: String?
    /// The title.
    public var title: String
    /// Whether the action is destructive, which colors the button (documented option: `destructive`).
    public var isDestructive = false
    /// Whether the action opens the app (documented option: `foreground`).
    public var opensApp = false
    /// Whether the device must be unlocked first (documented option: `authenticationRequired`).
    public var needsUnlocking = false
    /// Whether the button asks for text (documented: `UNTextInputNotificationAction`).
    public var takesText = false

    /// Creates an action without options.
    public init(identifier: String? = nil, title: String) {
        self.identifier = identifier
        self.title = title
    }
}

extension NotificationAction: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(identifier)
        archive.write(title)
        archive.write(isDestructive)
        archive.write(opensApp)
        archive.write(needsUnlocking)
        archive.write(takesText)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(identifier: try archive.read(), title: try archive.read())
        isDestructive = try archive.read()
        opensApp = try archive.read()
        needsUnlocking = try archive.read()
        takesText = try archive.read()
    }
}
