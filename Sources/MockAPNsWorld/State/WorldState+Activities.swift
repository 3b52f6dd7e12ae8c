internal import MockAPNsFormats
internal import MockAPNsRules

/// Why something happens to a Live Activity, and the push that does it.
struct ActivityCause {
    let reason: ActivityStep.Reason
    var push: UInt64?

    init(_ reason: ActivityStep.Reason) { self.reason = reason }

    init(_ push: ActivityPush) { (reason, self.push) = (push.isBroadcast ? .broadcast : .push, push.seq) }
}

/// The life of Live Activities: active, stale, ended, dismissed.
///
/// Documented: Apple, "Displaying live data with Live Activities".
extension WorldState {
    /// What the types of apps can decode; it follows from the state, so that replicas agree.
    var schemas: AppSchemas { AppSchemas(tables.schemas) }

    // MARK: Reading

    func activities(of device: UInt32) -> [Activity] {
        devices.activities(of: device).map { activity(at: $0) }.sorted { $0.id < $1.id }
    }

    func activity(at place: UInt32) -> Activity {
        let record = devices.activities.records[place]
        func time(_ microseconds: Int64) -> Timestamp? {
            microseconds == 0 ? nil : Timestamp(microseconds: microseconds)
        }
        return Activity(
            id: ActivityID(number: record.id), device: devices.id(of: record.device),
            token: record.place == SlotPlace.none ? nil : devices.registrations[record.place].token,
            topic: devices.index.topics.name(record.topic), environment: record.environment,
            attributesType: record.attributesType, attributes: record.attributes, contentState: record.contentState,
            state: record.state, startedAt: Timestamp(microseconds: record.startedAt), staleAt: time(record.staleAt),
            endedAt: time(record.endedAt), dismissAt: time(record.dismissAt), channel: record.channel,
            isStartedByApp: record.isStartedByApp, lastPush: record.lastPush == 0 ? nil : record.lastPush,
            lastTimestamp: record.timestamp,
            ignored: record.ignored.map {
                Activity.Ignored(push: $0.push, at: Timestamp(microseconds: $0.at), refusal: $0.refusal)
            })
    }

    func activities(following channel: ChannelID, limit: Int) -> [Activity] {
        guard let place = channels.find(channel) else { return [] }
        var found: [Activity] = []
        for subscription in channels.channels[place].subscribers where found.count < limit {
            let device = channels.subscriptions.pointer(to: subscription).pointee.device
            for activity in devices.runningActivities(of: device).reversed() where found.count < limit {
                let record = devices.activities.records.pointer(to: activity)
                if record.pointee.channel == channel { found.append(self.activity(at: activity)) }
            }
        }
        return found
    }

    // MARK: Starting

    /// Starts an activity on a device as the app does it itself.
    mutating func startActivity(
        _ draft: ActivityDraft, on device: UInt32, at now: Timestamp
    ) throws(DeviceError) -> UInt32 {
        let plan = try ActivityPlan(draft, on: device, in: self)
        devices.keep(device)
        return start(plan, on: device, ActivityCause(.app), at: now)
    }

    /// Adds a checked activity to a device.
    mutating func start(_ plan: ActivityPlan, on device: UInt32, _ cause: ActivityCause, at now: Timestamp) -> UInt32 {
        let topic = plan.app.bundleID + PushType.liveactivity.row.topicSuffix.description
        var record = ActivityRecord(
            id: devices.activities.nextID(), device: device, app: devices.index.topics.retain(topic),
            environment: plan.app.environment, attributesType: plan.attributesType, attributes: plan.attributes,
            contentState: plan.contentState, startedAt: now.microseconds)
        record.isStartedByApp = cause.reason == .app
        record.channel = plan.channel?.id
        (record.staleAt, record.timestamp) = (plan.staleAt?.microseconds ?? 0, plan.timestamp)
        record.lastPush = cause.push ?? 0
        if let channel = plan.channel?.place, subscription(of: device, to: channel) == nil {
            subscribe(device, to: channel)
            record.ownsSubscription = true
        }
        let place = devices.insert(record)
        if plan.hasToken { _ = devices.addToken(to: place, like: plan.registration) }
        happened(.started, to: place, cause)
        becomeStale(place, cause, at: now)
        setDue(of: place)
        deviceChanged(device)
        return place
    }

    // MARK: Changing

    /// Applies a push to an activity, and returns why the activity ignores it.
    mutating func change(_ place: UInt32, by push: ActivityPush, at now: Timestamp) -> ActivityRefusal? {
        let refusal = refusal(of: push, for: place)
        let record = devices.activities.records.pointer(to: place)
        guard refusal == nil, let reading = push.reading else {
            if let refusal {
                let ignored = ActivityRecord.Ignored(push: push.seq, at: now.microseconds, refusal: refusal)
                if record.pointee.ignored.count == Activity.listedIgnored { record.pointee.ignored.removeFirst() }
                record.pointee.ignored.append(ignored)
            }
            return refusal
        }
        if let content = push.contentState { record.pointee.contentState = content }
        record.pointee.timestamp = max(record.pointee.timestamp ?? 0, reading.timestamp ?? 0)
        record.pointee.lastPush = push.seq
        let cause = ActivityCause(push)
        if reading.event == .end {
            end(place, dismissAt: reading.dismissalDate.map { Timestamp(named: $0) }, cause, at: now)
            return nil
        }
        // The content of each update has a date of its own, or none.
        record.pointee.staleAt = reading.staleDate.map { max(Timestamp(named: $0).microseconds, 1) } ?? 0
        record.pointee.state = .active
        happened(.updated, to: place, cause)
        becomeStale(place, cause, at: now)
        setDue(of: place)
        let probability = devices.options.activityTokenRotation
        if probability > 0, record.pointee.place != SlotPlace.none, devices.nextFraction() < probability {
            _ = rotateToken(of: place, ActivityCause(.rotation), at: now)
        }
        return nil
    }

    /// Why an activity ignores a push.
    private func refusal(of push: ActivityPush, for place: UInt32) -> ActivityRefusal? {
        let record = devices.activities.records[place]
        if let refusal = push.unusable { return refusal }
        guard let reading = push.reading else { return .noAPS }
        if reading.event == .start { return push.isBroadcast ? .broadcastStart : .updateToken }
        if let refusal = reading.refusal { return refusal }
        guard record.state.isRunning else { return .activityEnded }
        // Staff (https://developer.apple.com/forums/thread/776165): an end works with an old timestamp.
        if reading.event == .update, let last = record.timestamp, let timestamp = reading.timestamp, timestamp < last {
            return .timestampStale
        }
        guard let content = push.contentState, let value = reading.contentState else { return nil }
        if record.size(with: content) > Activity.largestContent { return .tooLarge }
        let bundleID = devices.app(ofActivity: place).bundleID
        let outcome = schemas.check(contentState: value, of: record.attributesType, topic: bundleID)
        return outcome?.isMismatch == true ? .schemaMismatch : nil
    }

    /// Makes an active activity stale if its date has come.
    private mutating func becomeStale(_ place: UInt32, _ cause: ActivityCause, at now: Timestamp) {
        let record = devices.activities.records.pointer(to: place)
        guard record.pointee.state == .active, record.pointee.staleAt != 0, record.pointee.staleAt <= now.microseconds
        else { return }
        record.pointee.state = .stale
        happened(.stale, to: place, cause)
    }

    /// Ends an activity that runs; it stays on the lock screen until a date, at most 4 hours.
    private mutating func end(_ place: UInt32, dismissAt date: Timestamp?, _ cause: ActivityCause, at now: Timestamp) {
        let latest = now.microseconds &+ Activity.longestOnLockScreen
        finish(place, dismissAt: min(date?.microseconds ?? latest, latest), at: now)
        happened(.ended, to: place, cause)
        if devices.activities.records[place].dismissAt <= now.microseconds {
            dismiss(place, ActivityCause(.dismissalDate), at: now)
        } else {
            setDue(of: place)
        }
    }

    /// Ends an activity that runs without an event: its token dies, and its subscription ends.
    private mutating func finish(_ place: UInt32, dismissAt: Int64, at now: Timestamp) {
        let record = devices.activities.records.pointer(to: place)
        devices.noteEnd(place)
        record.pointee.endedAt = now.microseconds
        record.pointee.dismissAt = max(dismissAt, 1)
        let device = record.pointee.device
        if record.pointee.place != SlotPlace.none { killToken(record.pointee.place, as: .expired, at: now) }
        if record.pointee.ownsSubscription, let id = record.pointee.channel {
            record.pointee.ownsSubscription = false
            endSubscription(of: device, to: id)
        }
    }

    /// Ends a subscription that an activity has made, unless another one needs it.
    private mutating func endSubscription(of device: UInt32, to id: ChannelID) {
        guard let channel = channels.find(id), let place = subscription(of: device, to: channel) else { return }
        let heir = devices.runningActivities(of: device).first { devices.activities.records[$0].channel == id }
        if let heir {
            devices.activities.records[heir].ownsSubscription = true
            return
        }
        unsubscribe(place)
        channelChanged(channel)
    }

    /// Dismisses an activity, which it ends first if it runs.
    mutating func dismissActivity(_ place: UInt32, _ cause: ActivityCause, at now: Timestamp) {
        guard devices.activities.records[place].state != .dismissed else { return }
        if devices.activities.records[place].state.isRunning {
            finish(place, dismissAt: now.microseconds, at: now)
            happened(.ended, to: place, cause)
        }
        dismiss(place, cause, at: now)
    }

    private mutating func dismiss(_ place: UInt32, _ cause: ActivityCause, at now: Timestamp) {
        let record = devices.activities.records.pointer(to: place)
        record.pointee.state = .dismissed
        record.pointee.dismissAt = max(now.microseconds, 1)
        setDue(of: place)
        happened(.dismissed, to: place, cause)
    }

    /// Gives an activity that runs another update token; returns `false` if there is no room.
    mutating func rotateToken(of place: UInt32, _ cause: ActivityCause, at now: Timestamp) -> Bool {
        let old = devices.activities.records[place].place
        guard old != SlotPlace.none, devices.addToken(to: place, like: old) != nil else { return false }
        killToken(old, as: .expired, at: now)
        happened(.token, to: place, cause)
        deviceChanged(devices.activities.records[place].device)
        return true
    }

    /// Makes the update token of an activity invalid.
    private mutating func killToken(_ token: UInt32, as state: RegistrationState, at now: Timestamp) {
        guard devices.registrations[token].state != .expired, devices.registrations[token].state != .uninstalled else {
            return
        }
        kill(token, as: state, at: now)
    }

    /// Ends the activities of an app that was uninstalled; its tokens become unregistered like the app's.
    mutating func endActivities(of app: ChannelApp, on device: UInt32, isNoticed: Bool, at now: Timestamp) {
        let ended = devices.activities(of: device).filter { devices.app(ofActivity: $0) == app }
        for place in ended {
            let token = devices.activities.records[place].place
            if devices.activities.records[place].state.isRunning, token != SlotPlace.none {
                change(token, at: now) { $0.uninstall(isNoticed: isNoticed, $1) }
                devices.registrations[token].state = .uninstalled
                if isNoticed { kill(token, as: .uninstalled, at: now) }
            }
            dismissActivity(place, ActivityCause(.uninstalled), at: now)
        }
    }

    // MARK: Time

    /// What happens to an activity by itself.
    mutating func passTime(of place: UInt32, at now: Timestamp) {
        switch devices.activities.records[place].state {
        case .active, .stale:
            let record = devices.activities.records[place]
            if record.startedAt &+ Activity.longestRun <= now.microseconds {
                end(place, dismissAt: nil, ActivityCause(.lifetime), at: now)
            } else {
                becomeStale(place, ActivityCause(.staleDate), at: now)
                setDue(of: place)
            }
        case .ended: dismiss(place, ActivityCause(.dismissalDate), at: now)
        case .dismissed: break
        }
    }

    private mutating func setDue(of place: UInt32) {
        devices.due.set(.activity(place), to: devices.activities.records.pointer(to: place).pointee.due)
    }

    mutating func happened(_ kind: ActivityStep.Kind, to place: UInt32, _ cause: ActivityCause) {
        let record = devices.activities.records.pointer(to: place)
        let step = ActivityStep(
            kind: kind, activity: ActivityID(number: record.pointee.id), device: devices.id(of: record.pointee.device),
            push: cause.push, reason: cause.reason)
        happened(.activityChanged(step))
        if !devices.links.isEmpty, let links = devices.links[record.pointee.device] {
            pass(.activity(step), to: record.pointee.device, links)
        }
        process.report?.activities.append(step)
    }
}
