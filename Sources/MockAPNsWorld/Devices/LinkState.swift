internal import Synchronization

/// The world's state of a client that is connected as a device.
final class LinkState: Sendable {
    /// The number of arrivals kept for a client that does not read.
    static let capacity = 1_000

    let continuation: AsyncStream<DeviceLink.Arrival>.Continuation
    private let sent = Atomic<UInt64>(0)

    init(continuation: AsyncStream<DeviceLink.Arrival>.Continuation) { self.continuation = continuation }

    /// Sends a notification to the client; called while holding the world's lock, so numbers are in order.
    func send(_ push: PushRecord) {
        let number = sent.wrappingAdd(1, ordering: .relaxed).newValue
        continuation.yield(DeviceLink.Arrival(number: number, push: push))
    }
}
