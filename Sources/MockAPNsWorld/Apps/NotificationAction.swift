/// A button of a notification, as an app declares it: `UNNotificationAction`, or `UNTextInputNotificationAction`.
public struct NotificationAction: Equatable, Sendable {
    /// What the app is told when the button is tapped; `nil` if unknown.
    public let identifier: String?
    /// The title.
    public let title: String
    /// Whether it destroys something, which the button shows (documented: the option `destructive`).
    public let isDestructive: Bool
    /// Whether the app comes to the foreground (documented: the option `foreground`).
    public let opensApp: Bool
    /// Whether the device has to be unlocked before (documented: the option `authenticationRequired`).
    public let needsUnlocking: Bool
    /// Whether the button asks for a text (documented: `UNTextInputNotificationAction`).
    public let takesText: Bool

    /// Describes a button.
    public init(
        identifier: String? = nil,
        title: String,
        isDestructive: Bool = false,
        opensApp: Bool = false,
        needsUnlocking: Bool = false,
        takesText: Bool = false
    ) {
        self.identifier = identifier
        self.title = title
        self.isDestructive = isDestructive
        self.opensApp = opensApp
        self.needsUnlocking = needsUnlocking
        self.takesText = takesText
    }
}
