/// An action button of a notification, as an app declares it.
///
/// It corresponds to `UNNotificationAction` or `UNTextInputNotificationAction`.
public struct NotificationAction: Equatable, Sendable {
    /// The identifier that the app gets when the button is tapped; `nil` if unknown.
    public let identifier: String?
    /// The title.
    public let title: String
    /// Whether the action is destructive, which changes the button's color (documented: the option
    /// `destructive`).
    public let isDestructive: Bool
    /// Whether the action opens the app (documented: the option `foreground`).
    public let opensApp: Bool
    /// Whether the device must be unlocked first (documented: the option `authenticationRequired`).
    public let needsUnlocking: Bool
    /// Whether the button asks for text (documented: `UNTextInputNotificationAction`).
    public let takesText: Bool

    /// Creates an action.
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
