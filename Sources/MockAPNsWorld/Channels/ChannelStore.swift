internal import DequeModule
internal import MockAPNsFormats
internal import MockAPNsRules

/// The channels of a world and the subscriptions to them; it does not handle messages.
struct ChannelStore: ~Copyable {
    let options: ChannelOptions
    var channels = SlotTable<ChannelRecord>()
    var subscriptions = SlotTable<SubscriptionRecord>()
    /// The broadcasts that were not sent to all subscribers yet, oldest first.
    var fanOuts: Deque<PendingFanOut> = []
    /// The deleted channels that still have subscribers, in order of deletion.
    var deleted: Deque<UInt32> = []

    private var index: [ChannelID: UInt32] = [:]
    /// The channels of each app, in order of creation.
    private(set) var apps: [ChannelApp: [UInt32]] = [:]
    private(set) var generator: SplitMix64

    init(options: ChannelOptions, seed: UInt64) {
        self.options = options
        generator = SplitMix64(seed: seed ^ 0x6368_616e_6e65_6c73)
    }

    func find(_ id: ChannelID, in app: ChannelApp) -> UInt32? {
        index[id].flatMap { channels[$0].app == app ? $0 : nil }
    }

    func find(_ id: ChannelID) -> UInt32? { index[id] }

    func places(of app: ChannelApp) -> [UInt32] { apps[app] ?? [] }

    /// The channels of all matching apps, by bundle identifier, environment and order of creation.
    func places(where matches: (ChannelApp) -> Bool) -> [UInt32] {
        apps.filter { matches($0.key) }.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// The channels of all apps, in order of their slots.
    var places: [UInt32] {
        (0..<UInt32(channels.end)).filter { place in
            let channel = channels.pointer(to: place)
            return channel.pointee.isUsed && !channel.pointee.isDeleted
        }
    }

    /// Sets what was read: the generator of IDs, and the channels of an app.
    mutating func restore(_ generator: SplitMix64, _ apps: [ChannelApp: [UInt32]]) {
        self.generator = generator
        self.apps = apps
        for place in apps.values.joined() { index[channels[place].id] = place }
    }

    func hasRoom(in app: ChannelApp) -> Bool {
        (apps[app]?.count ?? 0) < options.limit && index.count < ChannelOptions.totalLimit
    }

    mutating func insert(_ app: ChannelApp, _ storage: ChannelStorage, at now: Timestamp) -> UInt32 {
        // Two numbers of the generator in a row never repeat, so an ID never returns.
        let high = generator.next()
        let id = ChannelID(UniqueID(high: high, low: generator.next()))
        let place = channels.insert(ChannelRecord(id: id, app: app, storage: storage, createdAt: now))
        index[id] = place
        apps[app, default: []].append(place)
        return place
    }

    /// Makes a channel unfindable; its slot is free when its last subscription was removed.
    mutating func delete(_ place: UInt32) {
        let (id, app) = (channels[place].id, channels[place].app)
        index[id] = nil
        if let at = apps[app]?.firstIndex(of: place) { apps[app]?.remove(at: at) }
        if apps[app]?.isEmpty == true { apps[app] = nil }
        channels.pointer(to: place).pointee.isDeleted = true
        deleted.append(place)
    }

    /// Returns the next subscription to a deleted channel; frees the slots of channels that have no more.
    mutating func popDeleted() -> UInt32? {
        while let place = deleted.first {
            if let last = channels.pointer(to: place).pointee.subscribers.last { return last }
            channels.remove(place)
            deleted.removeFirst()
        }
        return nil
    }

    /// Adds a device to the subscribers of a channel; `next` is the first of its other subscriptions.
    mutating func subscribe(_ device: UInt32, to channel: UInt32, since seq: UInt64, next: UInt32) -> UInt32 {
        let position = UInt32(channels.pointer(to: channel).pointee.subscribers.count)
        let record = SubscriptionRecord(device: device, channel: channel, position: position, next: next, since: seq)
        let place = subscriptions.insert(record)
        channels.pointer(to: channel).pointee.subscribers.append(place)
        channels.pointer(to: channel).pointee.subscribed &+= 1
        return place
    }

    /// Returns the subscription to a channel among those of a device, of which `first` is the first.
    func subscription(to channel: UInt32, from first: UInt32) -> UInt32? {
        var place = first
        while place != SlotPlace.none {
            let subscription = subscriptions.pointer(to: place)
            if subscription.pointee.channel == channel { return place }
            place = subscription.pointee.next
        }
        return nil
    }

    /// Removes a subscription from its channel; the caller removes it from those of the device.
    mutating func unsubscribe(_ place: UInt32) {
        let subscription = subscriptions[place]
        let channel = channels.pointer(to: subscription.channel)
        // The last subscriber takes the free position. A fan-out has a copy of the list.
        let last = channel.pointee.subscribers.removeLast()
        if last != place {
            channel.pointee.subscribers[Int(subscription.position)] = last
            subscriptions.pointer(to: last).pointee.position = subscription.position
        }
        subscriptions.remove(place)
    }
}

/// The stored state of a channel.
struct ChannelRecord: SlotElement {
    static let unused = ChannelRecord(
        id: ChannelID(UniqueID(high: 0, low: 0)), app: ChannelApp(bundleID: "", environment: .sandbox), storage: .none,
        createdAt: Timestamp(microseconds: 0))

    var generation: UInt32 = 0
    var isUsed = false
    let id: ChannelID
    let app: ChannelApp
    let storage: ChannelStorage
    let createdAt: Timestamp
    /// The slots of the subscriptions.
    var subscribers: ContiguousArray<UInt32> = []
    var published: UInt64 = 0
    var delivered: UInt64 = 0
    /// The subscriptions so far, with ended ones.
    var subscribed: UInt64 = 0
    var stored: StoredBroadcast?
    var isDeleted = false
}

/// The message that a channel stores, with a copy of its record: the journal may evict it.
struct StoredBroadcast {
    let push: StoredPush
    let seq: UInt64
    /// The position among the channel's broadcasts.
    let position: UInt64
    let priority: Priority
    /// In microseconds of the world's clock.
    let until: Int64
}

/// The stored state of a subscription; there may be a million of these.
struct SubscriptionRecord: SlotElement {
    static let unused = SubscriptionRecord(device: 0, channel: 0, position: 0, next: SlotPlace.none, since: 0)

    var generation: UInt32 = 0
    var isUsed = false
    let device: UInt32
    let channel: UInt32
    /// The position among the channel's subscribers.
    var position: UInt32
    /// The device's next subscription, in a linked list.
    var next: UInt32
    /// The number of the world's next event when the device subscribed: it gets no earlier broadcast.
    let since: UInt64
    /// The number of the last broadcast that reached the device; 0 if none has.
    var delivered: UInt64 = 0
    /// The number of the broadcast that waits for the device, as long as the channel stores it; else 0.
    var waiting: UInt64 = 0
    /// The broadcasts that have reached the device.
    var reached = ReachedBroadcasts()
}

extension ChannelApp {
    static func < (one: ChannelApp, other: ChannelApp) -> Bool {
        (one.bundleID, one.environment.rawValue) < (other.bundleID, other.environment.rawValue)
    }
}

/// A broadcast that was not sent to all subscribers yet.
struct PendingFanOut {
    let seq: UInt64
    let channel: UInt32
    let generation: UInt32
    /// The position among the channel's broadcasts.
    let position: UInt64
    let priority: Priority
    /// The subscribers when it was published; shares the memory of the channel's list until that changes.
    let subscribers: ContiguousArray<UInt32>
    /// The position of the next subscriber.
    var next = 0
    /// The record, for clients that are connected as a device.
    let push: StoredPush
}
