/// How far somebody has read the events of a world.
public struct EventCursor: Equatable, Sendable {
    /// Every event of the journal up to this number has been read.
    public internal(set) var seq: UInt64
    /// Events besides those of the journal, by their position.
    var position: UInt64
    /// Who reads knows that events up to this number may be lost.
    var knownLost: UInt64
}
