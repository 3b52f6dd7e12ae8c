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

extension NotificationAction: MemberwiseArchived {
    package static let format = ArchiveFormat(
        changing: NotificationAction(title: ""), \.identifier, \.title, \.isDestructive, \.opensApp, \.needsUnlocking,
        \.takesText)
}
