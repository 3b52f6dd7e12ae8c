/// A client that is a device: the device goes online with the first of these, and offline with the end of the last.
///
/// Between the two it can be taken offline and put online like any other device, as a phone whose user walks through
/// a tunnel.
public final class DeviceLink: Sendable {
    /// A notification that reached the device.
    public struct Arrival: Sendable {
        /// Counts the arrivals of this link from 1, including those dropped because they were not taken.
        public let number: UInt64
        /// The notification, as the journal shows it.
        public let push: PushRecord
    }

    /// The device as it was when the link began.
    public let device: Device
    /// The notifications, in the order of their delivery; a stored one comes first.
    ///
    /// Ends when the device is forgotten or the link is closed. Of arrivals that are not taken, the latest 1,000
    /// are kept.
    public let arrivals: AsyncStream<Arrival>

    private let onClose: @Sendable () -> Void

    init(device: Device, arrivals: AsyncStream<Arrival>, onClose: @escaping @Sendable () -> Void) {
        self.device = device
        self.arrivals = arrivals
        self.onClose = onClose
    }

    deinit { onClose() }

    /// Ends the link; the device goes offline when it was the last one.
    ///
    /// A second call does nothing.
    public func close() { onClose() }
}
