internal import Synchronization

/// Numbers connections from 1, in the order of their arrival, for all servers that share it.
public final class ConnectionNumbering: Sendable {
    private let last = Atomic<UInt64>(0)

    /// No connection so far.
    public init() {}

    /// The number of another connection.
    public func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
