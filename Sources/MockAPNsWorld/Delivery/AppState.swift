/// The state of an app when a notification reaches the device.
///
/// To add one, add a case; `Reaction` and `AppDelivery` define its meaning.
public enum AppState: String, CaseIterable, Sendable {
    /// The app is on the screen.
    case foreground
    /// The app is suspended, or running but not on the screen.
    case background
    /// The app is not running: it was not opened since the device started, or the system terminated it.
    case terminated
    /// The user has force-quit the app; the system does not wake it until it is opened again.
    case forceQuit

    /// The name in API responses and documents.
    public var name: String { rawValue }

    /// Whether the app can get a background notification now.
    var isRunning: Bool { self == .foreground || self == .background }
}
