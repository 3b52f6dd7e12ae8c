internal import DequeModule
internal import MockAPNsFormats
internal import MockAPNsRules

/// Live Activities, and the registrations of their update tokens.
///
/// An update token is a registration on the device, so pushes to it are stored and delivered as those to apps. It is
/// not an app: `RegistrationRecord.activity` names its activity.
extension DeviceStore {
    /// The slots of the registrations of a device's apps, in order of creation.
    func apps(of device: UInt32) -> [UInt32] {
        usablePlaces(of: device).filter { registrations.pointer(to: $0).pointee.isApp }
    }

    /// The slots of a device's registrations without its dead update tokens, of which there may be thousands.
    func usablePlaces(of device: UInt32) -> [UInt32] {
        var places: [UInt32] = []
        var place = devices.pointer(to: device).pointee.firstRegistration
        while place != SlotPlace.none, !registrations.pointer(to: place).pointee.isDeadToken {
            places.append(place)
            place = registrations.pointer(to: place).pointee.next
        }
        return places
    }

    /// Adds a registration to the list of its device, after those that are not dead tokens.
    mutating func link(_ place: UInt32) {
        let device = registrations.pointer(to: place).pointee.device
        let last = usablePlaces(of: device).last
        let next: UInt32
        if let last {
            next = registrations.pointer(to: last).pointee.next
            registrations[last].next = place
        } else {
            next = devices.pointer(to: device).pointee.firstRegistration
            devices[device].firstRegistration = place
        }
        (registrations[place].previous, registrations[place].next) = (last ?? SlotPlace.none, next)
        if next != SlotPlace.none { registrations[next].previous = place }
    }

    /// Removes a registration from the list of its device.
    mutating func unlink(_ place: UInt32) {
        let record = registrations[place]
        if record.previous == SlotPlace.none {
            devices[record.device].firstRegistration = record.next
        } else {
            registrations[record.previous].next = record.next
        }
        if record.next != SlotPlace.none { registrations[record.next].previous = record.previous }
    }

    /// Changes since when the service knows that a registration is invalid, 0 for one that is valid.
    mutating func setDead(since time: Int64, _ place: UInt32) {
        let isMoved = !registrations[place].isApp && (registrations[place].deadSince == 0) != (time == 0)
        if isMoved { unlink(place) }
        registrations[place].deadSince = time
        if isMoved { link(place) }
    }

    /// The slots of a device's activities: those that run, newest first, then those that have ended, the last one first.
    func activities(of device: UInt32) -> [UInt32] {
        activities.places(from: devices.pointer(to: device).pointee.firstActivity)
    }

    /// The slots of a device's activities that run, newest first.
    func runningActivities(of device: UInt32) -> [UInt32] {
        activities.running(from: devices.pointer(to: device).pointee.firstActivity)
    }

    /// The slots of a device's activities that broadcasts can reach: those that run, and of the others the last few.
    func followers(on device: UInt32) -> [UInt32] {
        let first = devices.pointer(to: device).pointee.firstActivity
        return activities.places(from: first, ended: Activity.mostPerApp)
    }

    /// The activity of an update token; `nil` for an app, and for an activity that was removed.
    func activity(of place: UInt32) -> UInt32? {
        let number = registrations.pointer(to: place).pointee.activity
        return number == RegistrationRecord.appOnly ? nil : activities.find(number)
    }

    /// The app of an activity.
    func app(ofActivity place: UInt32) -> ChannelApp {
        let record = activities.records.pointer(to: place)
        return ChannelApp(
            bundleID: Topic.bundleID(of: index.topics.name(record.pointee.topic)),
            environment: record.pointee.environment)
    }

    /// The number of activities of an app that run on a device.
    func runningActivities(of app: ChannelApp, on device: UInt32) -> Int {
        runningActivities(of: device).count { self.app(ofActivity: $0) == app }
    }

    /// Adds an activity to a device.
    mutating func insert(_ record: ActivityRecord) -> UInt32 {
        isIndexChanged = true
        let place = activities.insert(record)
        activities.link(place, first: &devices.pointer(to: record.device).pointee.firstActivity)
        return place
    }

    /// Ends an activity that runs, whose place in the list of its device this changes.
    mutating func noteEnd(_ place: UInt32) {
        let device = devices.pointer(to: activities.records.pointer(to: place).pointee.device)
        activities.unlink(place, first: &device.pointee.firstActivity)
        activities.records[place].state = .ended
        activities.link(place, first: &device.pointee.firstActivity)
        activities.ended.append(activities.records.pointer(to: place).pointee.id)
    }

    /// Gives an activity another update token on its device, like the app's; `nil` if there is no room.
    mutating func addToken(to activity: UInt32, like app: UInt32?) -> UInt32? {
        guard registrations.count < options.registrationLimit else { return nil }
        let record = activities.records[activity]
        let delivery = app.map { registrations[$0].delivery }
        let draft = DeviceDraft.Registration(
            token: makeActivityToken(), topic: index.topics.name(record.topic), environment: record.environment,
            appState: delivery?.appState, allowsNotifications: delivery?.allowsNotifications)
        let place = insert(draft, on: record.device, of: record.id)
        activities.records[activity].place = place
        return place
    }

    /// Removes an activity from its device; its tokens stay, and stay dead.
    mutating func removeActivity(_ place: UInt32) {
        let record = activities.records[place]
        activities.unlink(place, first: &devices.pointer(to: record.device).pointee.firstActivity)
        due.set(.activity(place), to: nil)
        index.topics.release(record.topic)
        activities.remove(place)
    }

    /// Removes the activities that ended first and the tokens that died first above their limits.
    mutating func trimActivities() {
        while activities.ended.count > Activity.mostDead, let oldest = activities.ended.popFirst() {
            if let place = activities.find(oldest) { removeActivity(place) }
        }
        while activities.deadTokens.count > Activity.mostDead, let oldest = activities.deadTokens.popFirst() {
            // A token may have become valid again, with its device.
            guard registrations.has(oldest.place, generation: oldest.generation),
                registrations[oldest.place].deadSince != 0
            else { continue }
            if let activity = activity(of: oldest.place), activities.records[activity].place == oldest.place {
                activities.records[activity].place = SlotPlace.none
            }
            removeToken(oldest.place)
        }
    }

    /// Reads the activities, after the devices and registrations.
    mutating func readActivities(from archive: inout ArchiveReader) throws(ArchiveError) {
        var running: [UInt32] = []
        var ended: Set<UInt32> = []
        try activities.read(from: &archive) { place, record in
            if record.state.isRunning { running.append(place) } else { ended.insert(place) }
        }
        // In the order in which they came into the lists.
        let inOrder = activities.ended.compactMap { activities.find($0) } + running
        guard inOrder.count == running.count + ended.count, Set(inOrder) == ended.union(running) else {
            throw .badValue
        }
        for place in inOrder {
            let record = activities.records[place]
            let isOfDevice =
                record.place == SlotPlace.none
                || (registrations.isUsed(record.place) && registrations[record.place].activity == record.id)
            guard devices.isUsed(record.device), isOfDevice, !index.topics.name(record.topic).isEmpty else {
                throw .badValue
            }
            activities.link(place, first: &devices.pointer(to: record.device).pointee.firstActivity)
            due.set(.activity(place), to: record.due)
        }
        for place in registrations.places {
            guard let activity = activity(of: place) else { continue }
            guard activities.records.isUsed(activity),
                activities.records[activity].device == registrations[place].device
            else { throw .badValue }
        }
    }
}

extension ActivityRecord {
    /// When something happens to it by itself, in microseconds of the world's clock; `nil` if nothing does.
    var due: Int64? {
        switch state {
        case .active: staleAt == 0 ? startedAt &+ Activity.longestRun : min(staleAt, startedAt &+ Activity.longestRun)
        case .stale: startedAt &+ Activity.longestRun
        case .ended: dismissAt
        case .dismissed: nil
        }
    }
}
