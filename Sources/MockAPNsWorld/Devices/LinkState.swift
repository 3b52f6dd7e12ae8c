internal import Synchronization

/// One client that is a device, as the world sees it.
final class LinkState: Sendable {
    /// Arrivals kept for a client that does not take them.
    static let capacity = 1_000

    let continuation: AsyncStream<DeviceLink.Arrival>.Continuation
    private let sent = Atomic<UInt64>(0)

    init(continuation: AsyncStream<DeviceLink.Arrival>.Continuation) { self.continuation = continuation }

    /// Hands a notification over; called under the world's lock, so numbers are in order.
    func send(_ push: PushRecord) {
        let number = sent.wrappingAdd(1, ordering: .relaxed).newValue
        continuation.yield(DeviceLink.Arrival(number: number, push: push))
    }
}
