/// How the world treats devices.
public struct DeviceOptions: Sendable {
    /// When the service learns that an app was uninstalled.
    public enum UninstallDetection: String, CaseIterable, Sendable {
        /// At once: the next push is answered 410.
        case immediate
        /// At the first push after it, which is still answered 200, as the real service does it.
        case delayed
    }

    /// When the service learns that an app was uninstalled.
    public var uninstallDetection = UninstallDetection.immediate
    /// How long a device may be offline before the service gives it up, in microseconds.
    public var inactiveAfter: Int64 = 30 * 86_400 * 1_000_000
    /// The most devices that pushes to unknown tokens may make; older ones of the kind are forgotten.
    public var selfRegisteredLimit = 100_000
    /// The most registrations, living and dead.
    public var registrationLimit = 5_000_000

    /// The defaults.
    public init() {}
}
