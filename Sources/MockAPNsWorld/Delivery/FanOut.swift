package import MockAPNsFormats
public import MockAPNsRules

/// What became of a broadcast: how many of the channel's subscribers are in which state.
public struct FanOut: Sendable {
    /// What became of a broadcast on one device.
    public struct Receipt: Sendable {
        /// The number of the device's ID.
        public let device: UInt64
        /// The last step on the way to the device.
        public internal(set) var event: DeliveryEvent
        /// The Live Activity of the device that follows the channel; of several, the one that was started last.
        public internal(set) var activity: ActivityID?
        /// Why that activity ignored the message; `nil` if it did not.
        public internal(set) var refusal: ActivityRefusal?
    }

    /// The number of devices that are listed.
    public static let listed = 1_000

    /// The channel.
    public let channel: ChannelID
    /// The position among the channel's broadcasts, from 1.
    let position: UInt64
    /// The number of subscribers when it was published.
    public let subscribers: Int
    /// The devices that it reached.
    public internal(set) var delivered = 0
    /// The devices for which the channel stores it.
    public internal(set) var stored = 0
    /// The devices that do not get it.
    public internal(set) var discarded = 0
    /// The first 1,000 subscribers, in order of subscription.
    public internal(set) var receipts: [Receipt] = []

    init(channel: ChannelID, position: UInt64, subscribers: Int) {
        self.channel = channel
        self.position = position
        self.subscribers = subscribers
    }

    /// The subscribers that it has not been sent to yet; many are served in slices.
    public var pending: Int { subscribers - delivered - stored - discarded }

    mutating func note(_ event: DeliveryEvent, device: UInt64, _ outcome: ActivityOutcome? = nil) {
        switch event {
        case .delivered: delivered += 1
        case .storedDeviceOffline, .storedPowerConsiderations: stored += 1
        default: discarded += 1
        }
        guard receipts.count < Self.listed else { return }
        receipts.append(Receipt(device: device, event: event, activity: outcome?.id, refusal: outcome?.refusal))
    }

    /// Notes that the stored message has reached a device, or was discarded for it.
    mutating func noteStored(_ event: DeliveryEvent, device: UInt64, _ outcome: ActivityOutcome? = nil) {
        stored -= 1
        if event == .deliveredFromStorage { delivered += 1 } else { discarded += 1 }
        guard let place = receipts.firstIndex(where: { $0.device == device }) else { return }
        receipts[place].event = event
        (receipts[place].activity, receipts[place].refusal) = (outcome?.id, outcome?.refusal)
    }

    /// Notes that the channel no longer stores the message, and returns for how many devices it did.
    mutating func discardStored(_ event: DeliveryEvent) -> Int {
        defer {
            discarded += stored
            stored = 0
        }
        for place in receipts.indices where receipts[place].event.isStored { receipts[place].event = event }
        return stored
    }
}

extension DeliveryEvent {
    /// Whether the message has reached the device.
    var isArrival: Bool { self == .delivered || self == .deliveredFromStorage }

    /// Whether the message waits for the device.
    var isStored: Bool { self == .storedDeviceOffline || self == .storedPowerConsiderations }
}

extension FanOut: MemberwiseArchived {
    package static let format = ArchiveFormat(
        { channel, position, subscribers, delivered, stored, discarded, receipts in
            var fanOut = FanOut(channel: channel, position: position, subscribers: subscribers)
            (fanOut.delivered, fanOut.stored, fanOut.discarded) = (delivered, stored, discarded)
            fanOut.receipts = receipts
            return fanOut
        }, \.channel, \.position, \.subscribers, \.delivered, \.stored, \.discarded, \.receipts)
}

extension FanOut.Receipt: MemberwiseArchived {
    package static let format = ArchiveFormat(
        FanOut.Receipt.init(device:event:activity:refusal:), \.device, \.event, \.activity, \.refusal)
}
