package import MockAPNsFormats
public import MockAPNsRules

/// A label in the event stream, for people: `test "shipsOrder" started`.
public struct Mark: Equatable, Sendable {
    /// The number of the mark in its world, from 1.
    public let number: UInt64
    /// The number of the newest event when the mark was set.
    public let seq: UInt64
    /// The time on the world's clock.
    public let at: Timestamp
    /// The text as received, which is untrusted.
    public let text: String
}

extension Mark: MemberwiseArchived {
    package static let format = ArchiveFormat(Mark.init(number:seq:at:text:), \.number, \.seq, \.at, \.text)
}
