/// What an app on a device is doing when a notification reaches the device.
///
/// To add one: add a case; `Reaction` and `AppDelivery` say what it means.
public enum AppState: String, CaseIterable, Sendable {
    /// On the screen.
    case foreground
    /// Suspended or running behind other apps.
    case background
    /// Not running: never opened since the device started, or ended by the system.
    case terminated
    /// Ended by the user; the system does not wake it until it is opened again.
    case forceQuit

    /// The word used in responses of the API and in documents.
    public var name: String { rawValue }

    /// Whether the app runs, so that the system can hand it a background notification.
    var isRunning: Bool { self == .foreground || self == .background }
}
