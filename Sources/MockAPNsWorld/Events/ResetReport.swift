/// The result of a reset.
public struct ResetReport: Sendable {
    /// A part of a world that `World.reset` can reset.
    public enum Part: String, CaseIterable, Sendable {
        case pushes
        case devices
        case feedback
        case clock
        case faults
        case keys
        case settings
        case strings
        case categories
    }

    /// The new epoch.
    public internal(set) var epoch: UInt64 = 0
    /// The number of the last event before the reset.
    public let seq: UInt64
    /// The number of deleted pushes.
    public internal(set) var pushes = 0
    /// The number of deleted devices, including those of the startup.
    public internal(set) var devices = 0
    /// The number of deleted entries of the feedback list.
    public internal(set) var feedback = 0
    /// The number of deleted faults, including those of the startup.
    public internal(set) var faults = 0
    /// The number of deleted keys that were not registered at startup.
    public internal(set) var keys = 0
    /// The number of deleted strings tables.
    public internal(set) var strings = 0
    /// The number of deleted categories.
    public internal(set) var categories = 0
}
