internal import MockAPNsFormats
internal import MockAPNsRules

/// Pushes to Live Activities when they have reached the device.
extension WorldState {
    /// Applies a push that has reached a device, to its app's push-to-start token or to the update token of an activity.
    ///
    /// `payload` is what was read before the world was locked; `nil` if nothing was.
    mutating func reachedActivity(
        _ record: RecordView, _ payload: ActivityPayload? = nil, at place: UInt32, at now: Timestamp
    ) {
        let push = ActivityPush(record, payload)
        if devices.registrations.pointer(to: place).pointee.isApp {
            start(by: push, at: place, at: now)
        } else if let activity = devices.activity(of: place) {
            let refusal = change(activity, by: push, at: now)
            let id = devices.activities.records[activity].id
            note(push, ActivityOutcome(activity: id, refusal: refusal), at: now)
        }
    }

    private mutating func note(_ push: ActivityPush, _ outcome: ActivityOutcome, at now: Timestamp) {
        let event: DeliveryEvent
        switch (outcome.refusal, push.reading?.event) {
        case (.unknownChannel?, _): event = .droppedUnknownChannel
        case (_?, _), (nil, nil): event = .activityIgnored
        case (nil, .start?): event = .activityStarted
        case (nil, .update?): event = .activityUpdated
        case (nil, .end?): event = .activityEnded
        }
        log.note(event, of: push.seq, at: now, in: nil, outcome)
    }

    /// Starts an activity by a push to the app's push-to-start token.
    private mutating func start(by push: ActivityPush, at place: UInt32, at now: Timestamp) {
        let device = devices.registrations[place].device
        guard let reading = push.reading, reading.event == .start else {
            // Whether the unknown token of a push is an app's or an activity's is not known.
            let isUnknown = devices.devices[device].isForgettable
            let refusal = push.unusable ?? (isUnknown ? push.reading?.refusal : .pushToStartToken)
            if let refusal { note(push, ActivityOutcome(refusal: refusal), at: now) }
            return
        }
        switch ActivityPlan.read(reading, push, on: device, at: place, in: self) {
        case .failure(let refusal): note(push, ActivityOutcome(refusal: refusal), at: now)
        case .success(let plan):
            let activity = start(plan, on: device, ActivityCause(push), at: now)
            if plan.channel != nil { log.note(.subscribed, of: push.seq, at: now) }
            note(push, ActivityOutcome(activity: devices.activities.records[activity].id), at: now)
        }
    }

    /// Applies a broadcast that has reached a device to its activities that follow the channel.
    ///
    /// `read` is the broadcast once it was read, for the next device. Returns what the activity that was started last did
    /// with it; `nil` if none follows the channel.
    mutating func reachedActivities(
        _ stored: StoredPush, read: inout ActivityPush?, of device: UInt32, on channel: UInt32, at now: Timestamp
    ) -> ActivityOutcome? {
        guard devices.devices.pointer(to: device).pointee.firstActivity != SlotPlace.none else { return nil }
        let id = channels.channels.pointer(to: channel).pointee.id
        var outcome: ActivityOutcome?
        for place in devices.followers(on: device) {
            let record = devices.activities.records.pointer(to: place)
            guard record.pointee.channel == id, record.pointee.state != .dismissed else { continue }
            let push = read ?? stored.withRecord { record, _ in ActivityPush(record, stored.payload) }
            read = push
            let refusal = change(place, by: push, at: now)
            if outcome == nil { outcome = ActivityOutcome(activity: record.pointee.id, refusal: refusal) }
        }
        return outcome
    }
}
