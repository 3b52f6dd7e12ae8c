internal import MockAPNsRules

/// The mutable state of a world; it connects the journal and the devices.
///
/// It is changed by `WorldChange`s alone, apart from what belongs to the process. Servers that share a world have the same
/// state apart from that, so a new member is taken over with the others unless it is one of `WorldProcess`.
struct WorldState: ~Copyable {
    /// What a reset restores.
    struct Start: Sendable {
        let world: WorldStartUp
        let ruleset: Ruleset
        let devices: DeviceOptions
    }

    var start: Start
    var ruleset: Ruleset
    var log: JournalLog
    var devices: DeviceStore
    var channels: ChannelStore
    var faults: FaultList
    var marks = LatestItems<Mark>(capacity: 1_000)
    /// The notes of the epoch by the numbers of their pushes; `nil` for a removed one.
    var notes: [UInt64: String?] = [:]
    var tables = WorldTables() { didSet { ruleset = ruleset.with(tables) } }
    let seed: UInt64
    /// What is not the world's; everything else is.
    var process: WorldProcess
    private let byAddress = ByAddress()

    init(
        journal: JournalCapacity, channels channelOptions: ChannelOptions, start: Start, clock: WorldClock, seed: UInt64
    ) {
        self.start = start
        ruleset = start.ruleset
        log = JournalLog(capacity: journal)
        devices = DeviceStore(options: start.devices, epoch: 1, seed: seed)
        channels = ChannelStore(options: channelOptions, seed: seed)
        process = WorldProcess(clock: clock)
        faults = FaultList(seed: seed, tally: process.faultTally)
        self.seed = seed
        tables.schemas = start.world.schemas
        ruleset = ruleset.with(tables)
    }

    /// Returns the ruleset if it has changed since the last call.
    mutating func takeChangedRuleset() -> Ruleset? {
        if devices.isIndexChanged || faults.isChanged || ruleset.epoch != log.epoch {
            let plan = faults.isChanged ? FaultPlan(faults.rules) : ruleset.faults
            ruleset = ruleset.with(devices.index, epoch: log.epoch, faults: plan)
            (devices.isIndexChanged, faults.isChanged) = (false, false)
        }
        guard ruleset !== process.published else { return nil }
        process.published = ruleset
        return ruleset
    }

    /// Becomes what a log has made of `other`, and keeps what belongs to the process.
    mutating func takeOver(_ other: inout WorldState) {
        process.clock.set(other.process.clock.mode)
        swap(&process, &other.process)
        swap(&self, &other)
        hasReplaced(other)
    }

    /// Lets the process know that this state has taken the place of another.
    private mutating func hasReplaced(_ old: borrowing WorldState) {
        ruleset = ruleset.refusing(old.ruleset.refusal)
        devices.replace(old.devices.index)
        faults.count(in: process.faultTally)
        // Clients that are connected as devices connect anew, and see what has changed.
        for links in old.devices.links.values { process.endedLinks += links }
        if process.tokenListener != nil {
            devices.changedTokens = old.devices.changedTokens + old.devices.tokens + devices.tokens
        }
    }

    // MARK: Pushes

    /// Adds records to the journal, and delivers their notifications.
    ///
    /// `payloads` are those for Live Activities by the positions of their records, as far as they are read.
    mutating func publish(
        _ records: UnsafeRawBufferPointer, _ payloads: [Int: ActivityPayload], accepted: Int, deviceEpoch: UInt64,
        at time: WorldClock.Reading
    ) {
        // A push judged with devices that a reset has deleted must not recreate them.
        let isOfNow = deviceEpoch == devices.epoch
        findPlaces(of: isOfNow ? records : UnsafeRawBufferPointer(start: nil, count: 0))
        var rest = records
        var position = 0
        var (connection, pushes, lastRequest) = (UInt64(0), UInt64(0), UInt32(0))
        while let bytes = rest.popRecord() {
            let record = log.append(bytes, at: time)
            log.counters.received += 1
            process.tally.note(record, answeredAt: time.system)
            // A batch has one connection, except for requests rejected by a timer.
            if record.head.connectionID != connection {
                process.connections.note(pushes, upTo: lastRequest, of: connection)
                (connection, pushes) = (record.head.connectionID, 0)
            }
            pushes += 1
            lastRequest = record.head.requestOnConnection
            if let fault = record.head.fault {
                faults.note(fault, firedFor: record.head.seq)
                happened(.faultFired(fault.number, push: record.head.seq))
            }
            if isOfNow {
                let payload = payloads.isEmpty ? nil : payloads[position]
                answered(record, payload, for: process.places[position], at: time.world)
            }
            position += 1
        }
        process.connections.note(pushes, upTo: lastRequest, of: connection)
        log.counters.accepted += UInt64(accepted)
        devices.trimActivities()
        evict()
    }

    /// Counts pushes whose epoch has ended: their clients get their responses, so metrics and connections have them.
    mutating func count(_ records: UnsafeRawBufferPointer, answeredAt time: WorldClock.Reading) {
        var rest = records
        while let start = rest.popRecord()?.baseAddress {
            let record = RecordView(at: start)
            process.tally.note(record, answeredAt: time.system)
            process.connections.note(1, upTo: record.head.requestOnConnection, of: record.head.connectionID)
        }
    }

    /// Finds the registrations of a batch before the first one is used.
    ///
    /// Among a million registrations, each lies in uncached memory. Accessing all of them in a row lets the
    /// processor fetch several at a time.
    private mutating func findPlaces(of records: UnsafeRawBufferPointer) {
        process.places.removeAll(keepingCapacity: true)
        var rest = records
        while let start = rest.popRecord()?.baseAddress {
            let place = RecordView(at: start).place
            process.places.append(place.flatMap { devices.registrations.has($0, generation: $1) ? $0 : nil })
        }
    }

    private mutating func answered(
        _ record: RecordView, _ payload: ActivityPayload?, for found: UInt32?, at now: Timestamp
    ) {
        // An earlier push of the batch may have evicted the device.
        let generation = record.place?.1 ?? 0
        let place = found.flatMap { devices.registrations.has($0, generation: generation) ? $0 : nil }
        if let place { note(record.head.seq, for: place) }
        switch record.head.status {
        case 200:
            // Only a fault loses a push, and then there is no delivery.
            if record.head.faultEffect.contains(.loses) { return }
            switch record.head.service {
            case .push: deliver(record, payload, to: place, at: now)
            case .broadcast: broadcast(record, payload, at: now)
            case .channels: break
            }
        case 410: refused(record, for: place, at: now)
        default: break
        }
    }

    private mutating func note(_ seq: UInt64, for place: UInt32) {
        let registration = devices.registrations.pointer(to: place)
        registration.pointee.lastPush = seq
        log.setPlace(place, generation: registration.pointee.generation)
    }

    private mutating func deliver(
        _ record: RecordView, _ payload: ActivityPayload?, to known: UInt32?, at now: Timestamp
    ) {
        var place = known
        // A device that was deleted after the verdict is not recreated.
        if place == nil, record.place == nil {
            place = registerUnknown(record, at: now)
            if let place { note(record.head.seq, for: place) }
        }
        guard let place else {
            // After the verdict, the device may have been deleted, or its token given to another app.
            if record.deviceToken != nil {
                process.tally.note(.discardedTokenUnregistered)
                log.note(.discardedTokenUnregistered, of: record.head.seq, at: now)
            }
            return
        }
        guard devices.registrations.pointer(to: place).pointee.deadSince == 0 else {
            // The token became invalid after the verdict.
            devices.registrations.pointer(to: place).pointee.counters.accepted &+= 1
            step(record.head.seq, .discardedTokenUnregistered, for: place, at: now, record: nil)
            return
        }
        let notification = record.notification(at: now)
        devices.registrations.pointer(to: place).pointee.counters.accepted &+= 1
        let delivered = devices.registrations.pointer(to: place).pointee.counters.delivered
        let eventOfUninstalled = devices.options.eventOfUninstalled
        let isGone = change(place, at: now, record: record) { delivery, emit in
            delivery.receive(notification, at: now, ifUninstalled: eventOfUninstalled, emit)
        }
        if isGone {
            reportUninstalled(place, at: now)
            if !devices.registrations[place].isUninstalledUnnoticed {
                deviceChanged(devices.registrations[place].device)
            }
        }
        // A fault duplicates only a delivery: at most one notification is stored.
        let hasArrived = devices.registrations.pointer(to: place).pointee.counters.delivered != delivered
        if notification.isActivity, hasArrived { reachedActivity(record, payload, at: place, at: now) }
        guard hasArrived, record.head.faultEffect.contains(.duplicates) else { return }
        _ = change(place, at: now, record: record) { $0.receive(notification, at: now, $1) }
    }

    /// Creates an online device for a push to an unknown token, unless another push has created it meanwhile.
    private mutating func registerUnknown(_ record: RecordView, at now: Timestamp) -> UInt32? {
        guard let token = record.deviceToken, let topic = record.topic else { return nil }
        let environment = record.head.environment
        if let place = devices.find(token) {
            // The push was judged before the other one was known, and may be for another app.
            let isForTopic = devices.topic(of: place) == topic
            return isForTopic && devices.registrations[place].environment == environment ? place : nil
        }
        guard devices.registrations.count < devices.options.registrationLimit else { return nil }
        let device = devices.devices.insert(DeviceRecord(origin: .push))
        let draft = DeviceDraft.Registration(token: token, topic: topic, environment: environment)
        let place = devices.insert(draft, on: device)
        deviceChanged(device)
        if let oldest = devices.noteSelfRegistered(device) { forget(oldest, at: now) }
        return place
    }

    private mutating func refused(_ record: RecordView, for place: UInt32?, at now: Timestamp) {
        let isFault = record.head.faultEffect.contains(.decides)
        if let place, !isFault || devices.registrations.pointer(to: place).pointee.deadSince != 0 {
            // The token may have become valid again after the verdict.
            guard devices.registrations.pointer(to: place).pointee.deadSince != 0 else { return }
            let cause = FeedbackEntry.Cause(devices.registrations[place].state)
            let audience = devices.audience(of: place)
            if devices.feedback.report(place, cause: cause, for: audience, at: now) {
                happened(.feedbackAdded(devices.registrations[place].token))
            }
            return
        }
        // A device that was deleted after the verdict is not in the list.
        guard record.place == nil || isFault else { return }
        guard let token = record.deviceToken else { return }
        if devices.feedback.reportFault(token, topic: record.topic, at: now) { happened(.feedbackAdded(token)) }
    }

    /// Evicts the records above the journal's limits; a log keeps those that are pinned.
    mutating func evict() { process.tally.evicted &+= log.evict(keepsPinned: process.changeLog == nil) }

    // MARK: Steps

    mutating func change<Result>(
        _ place: UInt32, at now: Timestamp, record: RecordView? = nil,
        _ use: (inout AppDelivery, AppDelivery.Emit) -> Result
    ) -> Result {
        let registration = devices.registrations.pointer(to: place)
        var delivery = registration.pointee.delivery
        let hadStored = delivery.stored != nil
        // Without `record`, only the stored notification can reach the device.
        let stored = hadStored && record == nil ? devices.stored[place] : nil
        let delivered = registration.pointee.counters.delivered
        let result = use(&delivery) { seq, event in step(seq, event, for: place, at: now, record: record) }
        registration.pointee.delivery = delivery
        if hadStored || delivery.stored != nil {
            if delivery.stored == nil { devices.stored[place] = nil }
            devices.due.set(.stored(place), to: delivery.storedUntil)
        }
        // Only now, because an activity that ends changes the registration, too.
        if let stored, registration.pointee.counters.delivered != delivered {
            stored.withRecord { record, _ in if record.isActivity { reachedActivity(record, at: place, at: now) } }
        }
        return result
    }

    private mutating func step(
        _ seq: UInt64, _ event: DeliveryEvent, for place: UInt32, at now: Timestamp, record: RecordView?
    ) {
        let registration = devices.registrations.pointer(to: place)
        let step = Delivery.Step(seq: log.nextSeq, at: now, event: event)
        process.tally.note(event)
        log.note(event, of: seq, at: now, in: registration.pointee.delivery.situation)
        switch event {
        case .storedDeviceOffline, .storedPowerConsiderations:
            // Without `record`, the notification is already stored, and only the reason changes.
            if let record { devices.stored[place] = StoredPush(record, step: step) }
        case .delivered, .deliveredFromStorage:
            registration.pointee.counters.delivered &+= 1
            process.report?.delivered.append(seq)
            if registration.pointee.isWatched { arrived(seq, step, at: place) }
        case .discardedExpired:
            registration.pointee.counters.discarded &+= 1
            process.report?.expired.append(seq)
        case .discardedTokenUnregistered, .discardedDisabled, .discardedCollapsed, .discardedInactive,
            .discardedUninstalled:
            registration.pointee.counters.discarded &+= 1
            process.report?.discarded.append(seq)
        case .held, .handedOver, .droppedForceQuit, .droppedNewer, .droppedUninstalled, .published, .subscribed,
            .droppedUnknownChannel, .activityStarted, .activityUpdated, .activityEnded, .activityIgnored:
            break
        }
    }

    /// Passes an arrival on to the clients that are connected as the device.
    private func arrived(_ seq: UInt64, _ step: Delivery.Step, at place: UInt32) {
        let device = devices.registrations.pointer(to: place).pointee.device
        let stored = step.event == .deliveredFromStorage ? storedRecord(place, then: step) : nil
        guard let links = devices.links[device], let record = stored ?? record(seq) else { return }
        pass(.push(record), to: device, links)
    }

    /// Passes something on to the clients that are connected as the device.
    func pass(_ content: DeviceLink.Arrival.Content, to device: UInt32, _ links: [LinkState]) {
        let (id, label) = (devices.id(of: device), devices.devices.pointer(to: device).pointee.label)
        for link in links { link.send(content, to: id, label) }
    }

    // MARK: Resets

    /// Restores the devices of the startup and begins a new epoch of devices; the journal records what this
    /// discards.
    mutating func resetDevices(to startUp: [DeviceDraft], at now: Timestamp, isJournalKept: Bool) {
        if isJournalKept {
            for place in devices.stored.keys.sorted() {
                change(place, at: now) { $0.discardStored(.discardedTokenUnregistered, $1) }
            }
        }
        for links in devices.links.values { process.endedLinks += links }
        removeSubscriptions()
        let next = devices.epoch + 1
        let changed = process.tokenListener == nil ? [] : devices.changedTokens + devices.tokens
        let lastActivity = devices.activities.lastID
        devices = DeviceStore(options: devices.options, epoch: next, seed: seed &+ next, lastActivity: lastActivity)
        devices.changedTokens = changed
        do { try addStartUp(startUp, at: now) } catch {
            preconditionFailure("devices that were there at the start can be there again: \(error)")
        }
    }
}
