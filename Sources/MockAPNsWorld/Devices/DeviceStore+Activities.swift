internal import DequeModule
internal import MockAPNsFormats
internal import MockAPNsRules

/// Live Activities, and the registrations of their update tokens.
///
/// An update token is a registration on the device, so pushes to it are stored and delivered as those to apps. It is
/// not an app: `RegistrationRecord.activity` names its activity.
extension DeviceStore {
    /// What `RegistrationRecord.activity` is after the activity was removed.
    static let removedActivity = SlotPlace.none - 1

    /// The slots of the registrations of a device's apps, in order of creation.
    func apps(of device: UInt32) -> [UInt32] {
        places(of: device).filter { registrations.pointer(to: $0).pointee.isApp }
    }

    func activities(of device: UInt32) -> [UInt32] {
        activities.places(from: devices.pointer(to: device).pointee.firstActivity)
    }

    /// The activity of an update token; `nil` for an app, and for an activity that was removed.
    func activity(of place: UInt32) -> UInt32? {
        let activity = registrations.pointer(to: place).pointee.activity
        return activity == SlotPlace.none || activity == Self.removedActivity ? nil : activity
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
        activities(of: device).count { activities.records[$0].state.isRunning && self.app(ofActivity: $0) == app }
    }

    /// Adds an activity to a device.
    mutating func insert(_ record: ActivityRecord) -> UInt32 {
        var record = record
        record.next = devices.pointer(to: record.device).pointee.firstActivity
        isIndexChanged = true
        let place = activities.insert(record)
        devices.pointer(to: record.device).pointee.firstActivity = place
        return place
    }

    /// Gives an activity another update token on its device, like the app's; `nil` if there is no room.
    mutating func addToken(to activity: UInt32, like app: UInt32?) -> UInt32? {
        guard registrations.count < options.registrationLimit else { return nil }
        let record = activities.records[activity]
        let delivery = app.map { registrations[$0].delivery }
        let draft = DeviceDraft.Registration(
            token: makeActivityToken(), topic: index.topics.name(record.topic), environment: record.environment,
            appState: delivery?.appState, allowsNotifications: delivery?.allowsNotifications)
        let place = insert(draft, on: record.device, of: activity)
        activities.records[activity].place = place
        return place
    }

    /// Removes an activity from its device; its tokens stay, and stay dead.
    mutating func removeActivity(_ place: UInt32) {
        let record = activities.records[place]
        for token in places(of: record.device) where registrations[token].activity == place {
            registrations[token].activity = Self.removedActivity
        }
        let first = devices.pointer(to: record.device).pointee.firstActivity
        if first == place {
            devices.pointer(to: record.device).pointee.firstActivity = record.next
        } else {
            var before = first
            while activities.records.pointer(to: before).pointee.next != place {
                before = activities.records.pointer(to: before).pointee.next
            }
            activities.records.pointer(to: before).pointee.next = record.next
        }
        due.set(.activity(place), to: nil)
        index.topics.release(record.topic)
        activities.remove(place)
    }

    /// Removes the oldest dismissed activities and the oldest dead tokens above their limits.
    mutating func trimActivities() {
        while activities.dismissed.count > Activity.mostDead, let oldest = activities.dismissed.popFirst() {
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
        var found: [(place: UInt32, record: ActivityRecord)] = []
        try activities.read(from: &archive) { found.append(($0, $1)) }
        for (place, record) in found {
            let isOfDevice =
                record.place == SlotPlace.none
                || (registrations.isUsed(record.place) && registrations[record.place].activity == place)
            guard devices.isUsed(record.device), isOfDevice, !index.topics.name(record.topic).isEmpty else {
                throw .badValue
            }
            activities.records[place].next = devices[record.device].firstActivity
            devices[record.device].firstActivity = place
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
