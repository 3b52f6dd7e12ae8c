package import MockAPNsFormats
public import MockAPNsRules

/// The identity of a Live Activity: its number in the world, from 1, which is never reused within an epoch of devices.
public struct ActivityID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number.
    public let number: UInt32

    /// Creates an ID from its number.
    public init(number: UInt32) { self.number = number }

    /// Parses the number as text; `nil` for anything else.
    public init?(_ text: String) {
        guard let number = UInt32(text), number > 0, String(number) == text else { return nil }
        self.number = number
    }

    /// The number as text.
    public var description: String { String(number) }

    /// Whether one activity was started before another.
    public static func < (one: ActivityID, other: ActivityID) -> Bool { one.number < other.number }
}

/// The state of a Live Activity, as ActivityKit names it; the raw values are names in the API.
public enum ActivityState: String, CaseIterable, Sendable {
    /// It is shown, and its content is current.
    case active
    /// It is shown, and its `stale-date` has passed.
    case stale
    /// It has ended, and may still be on the lock screen.
    case ended
    /// It is no longer shown.
    case dismissed

    /// Whether pushes change it.
    public var isRunning: Bool { self == .active || self == .stale }
}

/// What a push did to a Live Activity, on its way to a record.
struct ActivityOutcome: Equatable, Sendable {
    /// The number of the activity; 0 if there is none.
    var activity: UInt32 = 0
    /// Why the device ignored the push; `nil` if it did not.
    var refusal: ActivityRefusal?

    var id: ActivityID? { activity == 0 ? nil : ActivityID(number: activity) }
}

extension ActivityID: MemberwiseArchived {
    package static let format = ArchiveFormat(ActivityID.init(number:), \.number)
}

extension ActivityState: Archived {}

extension ActivityOutcome: MemberwiseArchived {
    static let format = ArchiveFormat(ActivityOutcome.init(activity:refusal:), \.activity, \.refusal)
}

extension ActivityRefusal: Archived {
    package func write(to archive: inout ArchiveWriter) { archive.write(code) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        guard let refusal = ActivityRefusal(code: try archive.read()) else { throw .badValue }
        self = refusal
    }
}
