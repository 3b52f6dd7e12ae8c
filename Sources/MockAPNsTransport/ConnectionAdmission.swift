internal import NIOConcurrencyHelpers
public import NIOCore
internal import Synchronization

/// Numbers the connections of all servers that share it, and limits how many are open.
public final class ConnectionAdmission: Sendable {
    /// The minimum time between two reports of a shortage.
    private static let pause = TimeAmount.minutes(1)

    private let last = Atomic<UInt64>(0)
    private let open = Atomic<Int>(0)
    private let most: Int
    private let toldAt = NIOLockedValueBox<NIODeadline?>(nil)
    private let onShortage: (@Sendable (String) -> Void)?

    /// Creates an admission without connections.
    ///
    /// - Parameters:
    ///   - most: The maximum number of open connections.
    ///   - onShortage: Called with a line of text if connections must wait or are closed; it must not block.
    public init(most: Int = .max, onShortage: (@Sendable (String) -> Void)? = nil) {
        self.most = most
        self.onShortage = onShortage
    }

    /// Returns the number of a new connection, from 1 in the order of arrival.
    public func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }

    /// The number of the newest connection; 0 before the first one.
    package var lastNumber: UInt64 { last.load(ordering: .relaxed) }

    /// Lets the numbers go on after one that was given before the server was started again.
    package func goOn(after number: UInt64) { last.max(number, ordering: .relaxed) }

    /// Reserves a place for a connection; each reserved place must be given back.
    ///
    /// - Returns: Why there is no place; `nil` if one was reserved.
    func takePlace() -> CloseReason? {
        guard open.wrappingAdd(1, ordering: .relaxed).newValue > most else { return nil }
        givePlaceBack()
        let reason = CloseReason(.tooManyConnections, "the limit of \(most) connections is reached")
        tell("\(reason.detail): more are closed until others end")
        return reason
    }

    /// Releases the place of a connection that has ended.
    func givePlaceBack() { open.wrappingSubtract(1, ordering: .relaxed) }

    /// Creates the handler with which a listener survives a shortage of file descriptors or memory.
    ///
    /// The report calls the listener `listener`.
    public func makePause(for listener: String) -> any ChannelHandler {
        AcceptPause { words in
            self.tell("\(listener) cannot accept connections: \(words); they wait. ulimit -n raises the limit")
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
