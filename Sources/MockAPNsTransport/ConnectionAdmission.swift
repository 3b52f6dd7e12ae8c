internal import NIOConcurrencyHelpers
public import NIOCore
internal import Synchronization

/// Numbers the connections of all servers that share it, and says whether there is room for another.
public final class ConnectionAdmission: Sendable {
    /// A shortage is told of once in this time, however many connections it costs.
    private static let pause = TimeAmount.minutes(1)

    private let last = Atomic<UInt64>(0)
    private let open = Atomic<Int>(0)
    private let most: Int
    private let toldAt = NIOLockedValueBox<NIODeadline?>(nil)
    private let onShortage: (@Sendable (String) -> Void)?

    /// No connection so far.
    ///
    /// - Parameters:
    ///   - most: the largest number of connections at a time.
    ///   - onShortage: told, in one line for people, that connections have to wait or are closed; it must not block.
    public init(most: Int = .max, onShortage: (@Sendable (String) -> Void)? = nil) {
        self.most = most
        self.onShortage = onShortage
    }

    /// The number of another connection, from 1 and in the order of their arrival.
    public func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Takes a place for a connection; a place that was taken has to be given back.
    ///
    /// - Returns: why there is none; `nil` when it was taken.
    func takePlace() -> CloseReason? {
        guard open.wrappingAdd(1, ordering: .relaxed).newValue > most else { return nil }
        givePlaceBack()
        let reason = CloseReason(.tooManyConnections, "the limit of \(most) connections is reached")
        tell("\(reason.detail): more are closed until others end")
        return reason
    }

    /// A connection that had a place has ended.
    func givePlaceBack() { open.wrappingSubtract(1, ordering: .relaxed) }

    /// Makes the handler that a listener needs to bear that the system has nothing left for a connection.
    ///
    /// The line for people calls it `listener`.
    public func makePause(for listener: String) -> any ChannelHandler {
        AcceptPause { words in
            self.tell(
                "\(listener) cannot accept connections: \(words); they wait. ulimit -n raises the limit"
            )
        }
    }

    private func tell(_ line: String) {
        guard let onShortage else { return }
        let now = NIODeadline.now()
        let isNews = toldAt.withLockedValue { toldAt in
            if let toldAt, now - toldAt < Self.pause { return false }
            toldAt = now
            return true
        }
        if isNews { onShortage(line) }
    }
}
