internal import DequeModule
internal import MockAPNsRules

/// A client that is connected as a device, or as several devices.
///
/// A device goes online with its first client, and offline when its last one disconnects.
public final class DeviceLink: Sendable {
    /// A notification that reached a device, or something that happened to a Live Activity on it.
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
        /// The device that it reached.
        public let device: DeviceID
        /// The label of the device at that moment.
        public let label: String?
        /// What arrived.
        public let content: Content

        /// The push; `nil` for what happened to a Live Activity.
        public var push: PushRecord? { if case .push(let push) = content { push } else { nil } }
    }

    /// The most devices of one link.
    public static let largest = 100_000

    /// The number of devices when the client connected.
    public let count: Int

    private let state: LinkState
    private let onClose: @Sendable () -> Void

    init(_ state: LinkState, count: Int, onClose: @escaping @Sendable () -> Void) {
        (self.state, self.count, self.onClose) = (state, count, onClose)
    }

    deinit { onClose() }

    /// Waits for arrivals, and returns at most `limit` of them: oldest first, beginning with stored notifications.
    ///
    /// Empty at the end, when all devices were deleted or the link was closed, and if the task was cancelled. If the client
    /// does not read, the latest 1,000 are kept, and one for each further device, up to 64 MiB. Only one task may wait.
    public func next(_ limit: Int) async -> [Arrival] { await state.next(limit) }

    /// Returns what has arrived, at most `limit`, oldest first; `nil` if nothing will arrive any more.
    public func take(_ limit: Int) -> [Arrival]? {
        let (some, isOver) = state.take(limit)
        return some.isEmpty && isOver ? nil : some
    }

    /// Calls a function once, when there is something to take: at once, or later, replacing an earlier one.
    ///
    /// It must be quick and not use the world, which is locked meanwhile.
    public func whenReady(_ call: @escaping @Sendable () -> Void) { state.whenReady(call) }

    /// Disconnects the client, once; devices without another client go offline.
    public func close() { onClose() }
}

/// What has arrived for a client and is not read yet, and its devices.
final class LinkState: Sendable {
    /// The number of arrivals kept for a client that does not read; more if it is connected as more devices.
    static let capacity = 1_000
    /// In bytes of records; a client of many devices reaches it before its number of arrivals.
    private static let mostBytes = 64 << 20

    private struct Mailbox {
        var arrivals = Deque<DeviceLink.Arrival>()
        var bytes = 0
        var lastNumber: UInt64 = 0
        var isOver = false
        /// What to call when something arrives.
        var call: (@Sendable () -> Void)?
        /// The slots of the devices that were connected, some of which may be deleted.
        var places: [UInt32] = []
        /// The number of devices that were not deleted.
        var left: Int

        init(left: Int) { self.left = left }

        mutating func removeFirst() { bytes -= arrivals.removeFirst().content.size }

        mutating func take(_ limit: Int) -> [DeviceLink.Arrival] {
            var some: [DeviceLink.Arrival] = []
            some.reserveCapacity(min(limit, arrivals.count))
            // Moved, because to copy a record takes longer.
            while some.count < limit, let arrival = arrivals.popFirst() {
                bytes -= arrival.content.size
                some.append(arrival)
            }
            // A burst must not occupy memory for as long as the client is connected.
            if arrivals.isEmpty { arrivals = Deque() }
            return some
        }
    }

    private let mailbox: Locked<Mailbox>
    private let capacity: Int

    init(devices count: Int) {
        mailbox = Locked(Mailbox(left: count))
        capacity = max(Self.capacity, count)
    }

    /// Adds what arrived; called while holding the world's lock, so numbers are in order.
    func send(_ content: DeviceLink.Arrival.Content, to device: DeviceID, _ label: String?) {
        let call = mailbox.withLock { mailbox in
            guard !mailbox.isOver else { return nil as (@Sendable () -> Void)? }
            mailbox.lastNumber += 1
            mailbox.arrivals.append(
                DeviceLink.Arrival(number: mailbox.lastNumber, device: device, label: label, content: content))
            mailbox.bytes += content.size
            while mailbox.arrivals.count > capacity || mailbox.bytes > Self.mostBytes, mailbox.arrivals.count > 1 {
                mailbox.removeFirst()
            }
            return mailbox.call.take()
        }
        // The cancellation of a waiting task takes the mailbox's lock only.
        call?()
    }

    func take(_ limit: Int) -> (some: [DeviceLink.Arrival], isOver: Bool) {
        mailbox.withLock { ($0.take(limit), $0.isOver) }
    }

    func whenReady(_ call: @escaping @Sendable () -> Void) {
        let isReady = mailbox.withLock { mailbox in
            let isReady = !mailbox.arrivals.isEmpty || mailbox.isOver
            mailbox.call = isReady ? nil : call
            return isReady
        }
        if isReady { call() }
    }

    func next(_ limit: Int) async -> [DeviceLink.Arrival] {
        while true {
            let (some, isOver) = take(limit)
            if !some.isEmpty || isOver || Task.isCancelled { return some }
            await wait()
        }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                whenReady { waiter.resume() }
                if Task.isCancelled { wake() }
            }
        } onCancel: {
            wake()
        }
    }

    private func wake() { mailbox.withLock { $0.call.take() }?() }

    /// Nothing arrives any more; what has arrived can still be read.
    func finish() {
        mailbox.withLock { mailbox in
            mailbox.isOver = true
            return mailbox.call.take()
        }?()
    }

    // MARK: Devices, while holding the world's lock

    func connected(_ place: UInt32) { mailbox.withLock { $0.places.append(place) } }

    /// Returns and forgets some of the slots of its devices; none when all were returned.
    func takePlaces(_ limit: Int) -> [UInt32] {
        mailbox.withLock { mailbox in
            defer { mailbox.places.removeLast(min(limit, mailbox.places.count)) }
            return Array(mailbox.places.suffix(limit))
        }
    }

    /// One of its devices was deleted; returns whether it was the last one.
    func lostDevice() -> Bool {
        mailbox.withLock { mailbox in
            mailbox.left -= 1
            return mailbox.left == 0
        }
    }
}

extension DeviceLink.Arrival.Content {
    /// What it takes in memory, in bytes, roughly.
    fileprivate var size: Int {
        switch self {
        case .push(let push): Int(push.head.length)
        case .activity: MemoryLayout<ActivityStep>.size
        }
    }
}
