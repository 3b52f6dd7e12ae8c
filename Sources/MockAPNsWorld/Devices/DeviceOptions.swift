/// The options of devices.
public struct DeviceOptions: Equatable, Sendable {
    /// When the service learns that an app was uninstalled.
    public enum UninstallDetection: String, CaseIterable, Sendable {
        /// Immediately: the next push gets 410.
        case immediate
        /// With the next push, which still gets 200, as in the real service.
        case delayed
    }

    /// When the service learns that an app was uninstalled.
    public var uninstallDetection = UninstallDetection.immediate
    /// How long a device may be offline before its tokens become inactive, in microseconds.
    public var inactiveAfter: Int64 = 30 * 86_400 * 1_000_000
    /// The maximum number of devices created by pushes to unknown tokens; above it, the oldest are deleted.
    public var selfRegisteredLimit = 100_000
    /// The maximum number of registrations, valid and invalid.
    public var registrationLimit = 5_000_000

    /// Creates the default options.
    public init() {}
}
