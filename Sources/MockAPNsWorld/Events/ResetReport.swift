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
        case apps
        case channels
        case savedPushes = "saved-pushes"
    }

    /// The new epoch.
    public internal(set) var epoch: UInt64 = 0
    /// The number of the last event before the reset.
    public let seq: UInt64
    /// The number of deleted things of a part, including those of the startup.
    ///
    /// Of the keys, only those count that were not registered at startup. The clock and settings have no number.
    public internal(set) var cleared: [Part: Int] = [:]
}
