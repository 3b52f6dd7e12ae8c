/// What a reset put away.
public struct ResetReport: Sendable {
    /// The parts of a world that can be reset.
    ///
    /// To add one: add a case and reset it in `World.reset`.
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

    /// The epoch that has begun.
    public let epoch: UInt64
    /// The number of the last event before the reset.
    public let seq: UInt64
    /// How many pushes, devices and feedback entries were put away.
    public let pushes: Int
    /// How many devices were put away, those of the start included.
    public let devices: Int
    /// How many entries of the feedback list were put away.
    public let feedback: Int
    /// How many faults were put away, those of the start included.
    public let faults: Int
    /// How many keys were put away that had not been there at the start.
    public internal(set) var keys = 0
    /// How many strings tables were put away.
    public internal(set) var strings = 0
    /// How many categories were put away.
    public internal(set) var categories = 0
}
