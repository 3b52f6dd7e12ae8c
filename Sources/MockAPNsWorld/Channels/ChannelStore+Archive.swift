internal import DequeModule
package import MockAPNsFormats
internal import MockAPNsRules

extension ChannelStore {
    /// Writes the channels and subscriptions, with the due times and the lists of the devices.
    func write(to archive: inout ArchiveWriter, _ devices: borrowing DeviceStore) {
        archive.write(generator)
        channels.writeSlots(to: &archive)
        subscriptions.writeSlots(to: &archive)
        for place in channels.places {
            archive.write(place)
            archive.write(channels.pointer(to: place).pointee)
            archive.write(devices.due.time(of: .broadcast(place)))
            let subscribers = channels.pointer(to: place).pointee.subscribers
            archive.write(count: subscribers.count)
            for place in subscribers {
                archive.write(place)
                subscriptions.pointer(to: place).pointee.write(to: &archive)
            }
        }
        for device in devices.devices.places { write(listOf: device, devices, to: &archive) }
        archive.write(count: apps.count)
        for (app, places) in apps.sorted(by: { $0.key < $1.key }) {
            archive.write(app)
            archive.write(places)
        }
        archive.write(Array(fanOuts))
        archive.write(Array(deleted))
    }

    /// Writes the subscriptions of a device in their order.
    private func write(listOf device: UInt32, _ devices: borrowing DeviceStore, to archive: inout ArchiveWriter) {
        var places: [UInt32] = []
        var place = devices.devices.pointer(to: device).pointee.firstSubscription
        while place != SlotPlace.none {
            places.append(place)
            place = subscriptions.pointer(to: place).pointee.next
        }
        archive.write(places)
    }

    /// Reads channels and subscriptions into an empty store; the devices are there already.
    mutating func read(from archive: inout ArchiveReader, _ devices: inout DeviceStore) throws(ArchiveError) {
        let generator = try archive.read(SplitMix64.self)
        try channels.readSlots(from: &archive)
        try subscriptions.readSlots(from: &archive)
        for _ in 0..<channels.count { try readChannel(from: &archive, &devices) }
        try channels.checkIsFull()
        try subscriptions.checkIsFull()
        var listed = 0
        for device in devices.devices.places {
            let places = try archive.read([UInt32].self)
            listed += places.count
            try setList(places, of: device, in: &devices)
        }
        guard listed == subscriptions.count else { throw .badValue }
        var apps: [ChannelApp: [UInt32]] = [:]
        for _ in 0..<(try archive.count()) {
            let app = try archive.read(ChannelApp.self)
            let places = try archive.read([UInt32].self)
            let isRight = places.allSatisfy { isOpen($0) && channels[$0].app == app }
            guard !places.isEmpty, isRight, apps.updateValue(places, forKey: app) == nil else { throw .badValue }
        }
        guard Set(apps.values.joined()) == Set(self.places), apps.values.map(\.count).reduce(0, +) == self.places.count
        else { throw .badValue }
        restore(generator, apps)
        fanOuts = Deque(try archive.read([PendingFanOut].self))
        let isKnown = fanOuts.allSatisfy { fanOut in
            fanOut.next <= fanOut.subscribers.count && fanOut.subscribers.allSatisfy { Int($0) < subscriptions.end }
        }
        deleted = Deque(try archive.read([UInt32].self))
        let isDeleted = deleted.allSatisfy { channels.isUsed($0) && !isOpen($0) }
        guard isKnown, isDeleted, Set(deleted).count == deleted.count else { throw .badValue }
    }

    private func isOpen(_ place: UInt32) -> Bool {
        channels.isUsed(place) && !channels.pointer(to: place).pointee.isDeleted
    }

    private mutating func readChannel(
        from archive: inout ArchiveReader, _ devices: inout DeviceStore
    ) throws(ArchiveError) {
        let channel = try archive.read(UInt32.self)
        try channels.fill(channel, with: try archive.read())
        devices.due.set(.broadcast(channel), to: try archive.read())
        for position in 0..<(try archive.count()) {
            let place = try archive.read(UInt32.self)
            let subscription = try SubscriptionRecord(from: &archive, to: channel, at: UInt32(position))
            guard devices.devices.isUsed(subscription.device) else { throw .badValue }
            try subscriptions.fill(place, with: subscription)
            channels.pointer(to: channel).pointee.subscribers.append(place)
        }
    }

    private mutating func setList(
        _ places: [UInt32], of device: UInt32, in devices: inout DeviceStore
    ) throws(ArchiveError) {
        guard Set(places).count == places.count else { throw .badValue }
        for (position, place) in places.enumerated() {
            guard subscriptions.isUsed(place), subscriptions[place].device == device else { throw .badValue }
            subscriptions[place].next = position + 1 < places.count ? places[position + 1] : SlotPlace.none
        }
        devices.devices[device].firstSubscription = places.first ?? SlotPlace.none
    }
}

/// Without its subscribers.
extension ChannelRecord: MemberwiseArchived {
    static let format = ArchiveFormat(
        {
            ChannelRecord(
                generation: $0, id: $1, app: $2, storage: $3, createdAt: $4, published: $5, delivered: $6,
                subscribed: $7, stored: $8, isDeleted: $9)
        }, \.generation, \.id, \.app, \.storage, \.createdAt, \.published, \.delivered, \.subscribed, \.stored,
        \.isDeleted)
}

/// By hand, because there may be a million.
extension SubscriptionRecord {
    func write(to archive: inout ArchiveWriter) {
        archive.write(generation)
        archive.write(device)
        archive.write(since)
        archive.write(delivered)
        archive.write(waiting)
        archive.write(reached)
    }

    /// Reads a subscription to a channel; the list of its device is read later.
    init(from archive: inout ArchiveReader, to channel: UInt32, at position: UInt32) throws(ArchiveError) {
        let generation = try archive.read(UInt32.self)
        let device = try archive.read(UInt32.self)
        let since = try archive.read(UInt64.self)
        self.init(device: device, channel: channel, position: position, next: SlotPlace.none, since: since)
        self.generation = generation
        delivered = try archive.read()
        waiting = try archive.read()
        reached = try archive.read()
    }
}

extension StoredBroadcast: MemberwiseArchived {
    static let format = ArchiveFormat(
        StoredBroadcast.init(push:seq:position:priority:until:), \.push, \.seq, \.position, \.priority, \.until)
}

extension PendingFanOut: Archived {
    func write(to archive: inout ArchiveWriter) {
        archive.write(seq)
        archive.write(channel)
        archive.write(generation)
        archive.write(position)
        archive.write(priority)
        archive.write(Array(subscribers))
        archive.write(count: next)
        archive.write(push)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(
            seq: try archive.read(), channel: try archive.read(), generation: try archive.read(),
            position: try archive.read(), priority: try archive.read(),
            subscribers: ContiguousArray(try archive.read([UInt32].self)), next: Int(try archive.read(UInt32.self)),
            push: try archive.read())
    }
}

extension ChannelOptions: MemberwiseArchived {
    package static let format = ArchiveFormat(changing: ChannelOptions(), \.limit, \.appsWithoutBroadcast)
}
