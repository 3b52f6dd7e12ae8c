internal import DequeModule
internal import MockAPNsFormats
internal import MockAPNsRules

/// The devices of a world, indexed by slot, token and label; it does not handle notifications.
struct DeviceStore: ~Copyable {
    var options: DeviceOptions
    /// The number of this store; a push judged with an earlier one is not delivered by this one.
    let epoch: UInt64
    var devices: SlotTable<DeviceRecord>
    var registrations: SlotTable<RegistrationRecord>
    var index = RegistrationIndex()
    var isIndexChanged = true
    /// The tokens whose registrations changed since the last report.
    var changedTokens: [DeviceToken] = []
    var due = DueQueue()
    var stored: [UInt32: StoredPush] = [:]
    var feedback = FeedbackList()
    var activities: ActivityTable
    /// The PushMagic of each enrolled device, by its slot.
    var pushMagics: [UInt32: String] = [:]
    /// The clients that are connected as devices, by the slot of the device.
    var links: [UInt32: [LinkState]] = [:]
    /// The number of evicted devices, which were created by pushes.
    private(set) var forgotten: UInt64 = 0

    private var labels: [String: UInt32] = [:]
    /// The devices created by pushes, oldest first, including some that were deleted or changed since.
    private var selfRegistered: Deque<DeviceID> = []
    /// The number of devices that were created by pushes and never changed.
    private var selfRegisteredCount = 0
    private var generator: TokenGenerator

    /// Creates an empty store, whose Live Activities have numbers after `lastActivity`.
    init(options: DeviceOptions, epoch: UInt64, seed: UInt64, lastActivity: UInt32 = 0) {
        self.options = options
        activities = ActivityTable(after: lastActivity)
        self.epoch = epoch
        // Generations differ between stores, so that references to earlier devices do not match these.
        let generation = UInt32(truncatingIfNeeded: epoch &- 1) << 16
        devices = SlotTable(firstGeneration: generation)
        registrations = SlotTable(firstGeneration: generation)
        index.epoch = epoch
        generator = TokenGenerator(seed: seed)
    }

    /// Makes it known that this index replaces `other`.
    mutating func replace(_ other: RegistrationIndex) {
        index.topics.replace(other.topics)
        isIndexChanged = true
    }

    func find(_ reference: DeviceReference) -> UInt32? {
        switch reference {
        case .label(let label): labels[label]
        case .token(let token): index.tokens[token].map { registrations[$0.place].device }
        case .id(let id): devices.has(id.index, generation: id.generation) ? id.index : nil
        }
    }

    func id(of device: UInt32) -> DeviceID { DeviceID(index: device, generation: devices[device].generation) }

    func find(_ token: DeviceToken) -> UInt32? { index.tokens[token]?.place }

    /// Returns the slots of a device's registrations, in order of creation.
    func places(of device: UInt32) -> [UInt32] {
        var places: [UInt32] = []
        var place = devices[device].firstRegistration
        while place != SlotPlace.none {
            places.append(place)
            place = registrations[place].next
        }
        return places
    }

    func living(topic: String, environment: Environment, on device: UInt32) -> UInt32? {
        let number = index.topics.number(topic)
        return usablePlaces(of: device).first { place in
            let registration = registrations[place]
            return registration.isApp && registration.topic == number && registration.environment == environment
                && (registration.state == .registered || registration.state == .inactive)
        }
    }

    var tokens: [DeviceToken] {
        (0..<UInt32(registrations.end)).filter { registrations[$0].isUsed }.map { registrations[$0].token }
    }

    func topic(of place: UInt32) -> String { index.topics.name(registrations[place].topic) }

    func app(of place: UInt32) -> ChannelApp {
        ChannelApp(bundleID: Topic.bundleID(of: topic(of: place)), environment: registrations[place].environment)
    }

    /// Whether an app is installed on a device, under any of its topics.
    func has(_ app: ChannelApp, on device: UInt32) -> Bool {
        usablePlaces(of: device).contains { place in
            let state = registrations[place].state
            return registrations[place].isApp && (state == .registered || state == .inactive)
                && self.app(of: place) == app
        }
    }

    mutating func makeToken() -> DeviceToken {
        while true {
            let token = generator.next()
            if index.tokens[token] == nil { return token }
        }
    }

    /// Observed: the tokens of Live Activities have 80 bytes.
    mutating func makeActivityToken() -> DeviceToken {
        while true {
            let token = generator.nextActivityToken()
            if index.tokens[token] == nil { return token }
        }
    }

    /// A number from 0 to 1 that depends on the seed, and on the tokens so far.
    mutating func nextFraction() -> Double { generator.nextFraction() }

    mutating func setLabel(_ label: String?, of device: UInt32) {
        if let old = devices[device].label { labels[old] = nil }
        devices[device].label = label
        if let label { labels[label] = device }
        updateIndex(of: device)
    }

    mutating func setPushMagic(_ pushMagic: String, of device: UInt32) {
        pushMagics[device] = pushMagic
        updateIndex(of: device)
    }

    /// Adds an app to a device, or the update token of a Live Activity.
    mutating func insert(
        _ draft: DeviceDraft.Registration, on device: UInt32, of activity: UInt32 = RegistrationRecord.appOnly
    ) -> UInt32 {
        let record = RegistrationRecord(
            environment: draft.environment, isWatched: links[device] != nil, activity: activity,
            delivery: AppDelivery(
                isOnline: devices[device].isOnline, savesPower: devices[device].savesPower,
                appState: draft.appState ?? .background, allowsNotifications: draft.allowsNotifications ?? true),
            device: device, topic: index.topics.retain(draft.topic), token: draft.token ?? makeToken())
        let place = registrations.insert(record)
        link(place)
        updateIndex(place)
        return place
    }

    /// Returns who reads that a registration became invalid.
    func audience(of place: UInt32) -> FeedbackList.Audience {
        let registration = registrations.pointer(to: place)
        return FeedbackList.Audience(topic: registration.pointee.topic, environment: registration.pointee.environment)
    }

    mutating func updateIndex(_ place: UInt32) {
        let registration = registrations[place]
        index.tokens[registration.token] = RegisteredToken(
            place: place, generation: registration.generation, topic: registration.topic,
            environment: registration.environment, standing: registration.standing,
            isKept: !devices[registration.device].isForgettable, deadSince: registration.deadSince)
        index.labels[place] = devices[registration.device].label
        index.magics[place] = pushMagics[registration.device]
        noteChange(of: registration.token)
    }

    private mutating func updateIndex(of device: UInt32) { for place in places(of: device) { updateIndex(place) } }

    private mutating func noteChange(of token: DeviceToken) {
        isIndexChanged = true
        changedTokens.append(token)
    }

    mutating func remove(_ device: UInt32) {
        for activity in activities(of: device) { removeActivity(activity) }
        for place in places(of: device) { removeRegistration(place) }
        due.set(.offline(device), to: nil)
        pushMagics[device] = nil
        if let label = devices[device].label { labels[label] = nil }
        if devices[device].isForgettable { selfRegisteredCount -= 1 }
        devices.remove(device)
        isIndexChanged = true
    }

    private mutating func removeRegistration(_ place: UInt32) {
        index.tokens[registrations[place].token] = nil
        index.labels[place] = nil
        index.magics[place] = nil
        noteChange(of: registrations[place].token)
        index.topics.release(registrations[place].topic)
        due.set(.stored(place), to: nil)
        due.set(.uninstalled(place), to: nil)
        stored[place] = nil
        feedback.remove(place)
        registrations.remove(place)
    }

    /// Removes one registration of a device, so that its token becomes unknown.
    mutating func removeToken(_ place: UInt32) {
        unlink(place)
        removeRegistration(place)
    }

    /// Records that a push created a device, and returns the device to evict for it.
    mutating func noteSelfRegistered(_ device: UInt32) -> UInt32? {
        selfRegistered.append(id(of: device))
        selfRegisteredCount += 1
        if selfRegistered.count > 2 * options.selfRegisteredLimit + 16 {
            selfRegistered = selfRegistered.filter { isSelfRegistered($0) }
        }
        guard selfRegisteredCount > options.selfRegisteredLimit else { return nil }
        while let oldest = selfRegistered.popFirst() {
            guard isSelfRegistered(oldest) else { continue }
            forgotten += 1
            return oldest.index
        }
        return nil
    }

    /// Protects a changed device from eviction.
    mutating func keep(_ device: UInt32) {
        guard devices[device].isForgettable else { return }
        devices[device].isForgettable = false
        selfRegisteredCount -= 1
        updateIndex(of: device)
    }

    private func isSelfRegistered(_ id: DeviceID) -> Bool { find(.id(id)).map { devices[$0].isForgettable } ?? false }
}

/// Generates device tokens; the same seed gives the same tokens.
struct TokenGenerator {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed ^ 0x6465_7669_6365_2121) }

    mutating func next() -> DeviceToken {
        DeviceToken((generator.next(), generator.next(), generator.next(), generator.next()))
    }

    /// The next token of the size that those of Live Activities have.
    mutating func nextActivityToken() -> DeviceToken { DeviceToken(words: (0..<10).map { _ in generator.next() }) }

    mutating func nextFraction() -> Double { generator.nextFraction() }
}

extension TokenGenerator: MemberwiseArchived {
    static let format = ArchiveFormat(changing: TokenGenerator(seed: 0), \.generator)
}

extension DeviceStore {
    /// Writes everything but the clients that are connected; `ChannelStore` writes the subscriptions.
    func write(to archive: inout ArchiveWriter) {
        archive.write(generator)
        archive.write(forgotten)
        archive.write(Array(selfRegistered))
        archive.write(selfRegisteredCount)
        archive.write(index.topics)
        devices.writeSlots(to: &archive)
        registrations.writeSlots(to: &archive)
        for device in devices.places {
            archive.write(device)
            archive.write(devices.pointer(to: device).pointee)
            archive.write(pushMagics[device])
            archive.write(due.time(of: .offline(device)))
            let places = places(of: device)
            archive.write(count: places.count)
            for place in places {
                archive.write(place)
                registrations.pointer(to: place).pointee.write(to: &archive)
                if registrations.pointer(to: place).pointee.isUninstalledUnnoticed {
                    archive.write(due.time(of: .uninstalled(place)))
                }
            }
        }
        archive.write(count: stored.count)
        for (place, push) in stored.sorted(by: { $0.key < $1.key }) {
            archive.write(place)
            archive.write(push)
            archive.write(due.time(of: .stored(place)))
        }
        archive.write(feedback)
        activities.write(to: &archive)
    }

    /// Reads the devices into an empty store.
    mutating func read(from archive: inout ArchiveReader) throws(ArchiveError) {
        generator = try archive.read()
        forgotten = try archive.read()
        selfRegistered = Deque(try archive.read([DeviceID].self))
        selfRegisteredCount = try archive.read()
        index.topics = try archive.read()
        try devices.readSlots(from: &archive)
        try registrations.readSlots(from: &archive)
        for _ in 0..<devices.count { try readDevice(from: &archive) }
        try devices.checkIsFull()
        try registrations.checkIsFull()
        guard index.tokens.count == registrations.count, selfRegisteredCount >= 0 else { throw .badValue }
        for _ in 0..<(try archive.count()) {
            let place = try archive.read(UInt32.self)
            guard registrations.isUsed(place) else { throw .badValue }
            stored[place] = try archive.read(StoredPush.self)
            due.set(.stored(place), to: try archive.read())
        }
        feedback = try archive.read()
        guard feedback.records.keys.allSatisfy({ registrations.isUsed($0) }) else { throw .badValue }
        try readActivities(from: &archive)
    }

    private mutating func readDevice(from archive: inout ArchiveReader) throws(ArchiveError) {
        let device = try archive.read(UInt32.self)
        try devices.fill(device, with: try archive.read())
        pushMagics[device] = try archive.read()
        due.set(.offline(device), to: try archive.read())
        if let label = devices[device].label {
            guard labels.updateValue(device, forKey: label) == nil else { throw .badValue }
        }
        var last: UInt32?
        var wasDead = false
        for _ in 0..<(try archive.count()) {
            let place = try archive.read(UInt32.self)
            try registrations.fill(place, with: try RegistrationRecord(from: &archive, on: device))
            if registrations[place].isUninstalledUnnoticed { due.set(.uninstalled(place), to: try archive.read()) }
            if let last { registrations[last].next = place } else { devices[device].firstRegistration = place }
            registrations[place].previous = last ?? SlotPlace.none
            guard !wasDead || registrations[place].isDeadToken else { throw .badValue }
            (last, wasDead) = (place, registrations[place].isDeadToken)
            updateIndex(place)
        }
    }
}
