internal import Synchronization

/// A client that is connected as a device.
///
/// The device goes online with the first client, and offline when the last one disconnects.
public final class DeviceLink: Sendable {
    /// A notification that reached the device, or something that happened to a Live Activity on it.
    public struct Arrival: Sendable {
        /// What arrived.
        public enum Content: Sendable {
            /// A push, as in the journal.
            case push(PushRecord)
            /// Something that happened to a Live Activity.
            case activity(ActivityStep)
        }

        /// The number of the arrival on this link, from 1; arrivals that were dropped count too.
        public let number: UInt64
        /// What arrived.
        public let content: Content

        /// The push; `nil` for what happened to a Live Activity.
        public var push: PushRecord? { if case .push(let push) = content { push } else { nil } }
    }

    /// The device when the client connected.
    public let device: Device
    /// The notifications in order of delivery, beginning with a stored one, and after each what it did to a Live Activity.
    ///
    /// The stream ends when the device is deleted or the link is closed. If the client does not read, the
    /// latest 1,000 are kept.
    public let arrivals: AsyncStream<Arrival>

    private let onClose: @Sendable () -> Void

    init(device: Device, arrivals: AsyncStream<Arrival>, onClose: @escaping @Sendable () -> Void) {
        self.device = device
        self.arrivals = arrivals
        self.onClose = onClose
    }

    deinit { onClose() }

    /// Disconnects the client, once; the device goes offline if it was the last one.
    public func close() { onClose() }
}

final class LinkState: Sendable {
    /// The number of arrivals kept for a client that does not read.
    static let capacity = 1_000

    let continuation: AsyncStream<DeviceLink.Arrival>.Continuation
    private let sent = Atomic<UInt64>(0)

    init(continuation: AsyncStream<DeviceLink.Arrival>.Continuation) { self.continuation = continuation }

    /// Sends what arrived to the client; called while holding the world's lock, so numbers are in order.
    func send(_ content: DeviceLink.Arrival.Content) {
        let number = sent.wrappingAdd(1, ordering: .relaxed).newValue
        continuation.yield(DeviceLink.Arrival(number: number, content: content))
    }
}
