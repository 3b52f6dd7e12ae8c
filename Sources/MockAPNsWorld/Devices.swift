public import MockAPNsRules

/// The devices of a world, their apps, and the feedback list.
///
/// A change applies to all pushes that arrive after the call has returned. A call that throws has changed
/// nothing. Can be used from any thread.
public struct Devices: Sendable {
    /// The options of devices.
    public typealias Options = DeviceOptions

    let world: World

    // MARK: Describing devices

    /// Creates a device.
    public func add(_ draft: DeviceDraft) throws(DeviceError) -> Device {
        try store([draft], isUpdating: false, isList: false).devices[0]
    }

    /// Creates the devices, or updates those with the same label or token.
    ///
    /// Registrations and subscriptions that are not listed are kept. The pointer of an error begins with the
    /// index in the list.
    public func put(_ drafts: [DeviceDraft]) throws(DeviceError) -> DevicePutReport {
        try store(drafts, isUpdating: true, isList: true)
    }

    /// Changes a device.
    public func change(
        _ reference: DeviceReference,
        _ change: DeviceChange
    ) throws(DeviceError) -> (device: Device, deliveries: DeliveryReport) {
        try with(reference) { state, device, now throws(DeviceError) in
            if let label = change.label {
                try DevicePlan.checkLabel(label, at: "/label")
                if let other = state.devices.find(.label(label)), other != device {
                    throw DeviceError(.labelTaken, "there is another device '\(label)'", at: "/label")
                }
            }
            let report = state.reporting { state in
                state.devices.keep(device)
                if let label = change.label { state.devices.setLabel(label, of: device) }
                // First, so that a device that comes online in low power mode does not get what it delays.
                if let savesPower = change.savesPower { state.setSavesPower(savesPower, of: device, at: now) }
                if let isOnline = change.isOnline { state.setOnline(isOnline, of: device, at: now) }
            }
            state.deviceChanged(device)
            return (state.device(at: device), report)
        }
    }

    /// Adds an app to a device.
    public func register(
        _ draft: DeviceDraft.Registration,
        on reference: DeviceReference
    ) throws(DeviceError) -> Registration {
        try with(reference) { state, device, now throws(DeviceError) in
            let described = DeviceDraft(registrations: [draft])
            do throws(DeviceError) {
                _ = try DevicePlan([described], isUpdating: false, isList: false, in: state.devices)
            } catch {
                throw error.below("/registrations/0")
            }
            let (topic, environment) = (draft.topic, draft.environment)
            guard state.devices.living(topic: topic, environment: environment, on: device) == nil else {
                throw DeviceError(.registrationTaken, "the device has \(topic) already", at: "/topic")
            }
            state.devices.keep(device)
            let place = state.devices.insert(draft, on: device)
            state.deviceChanged(device)
            return state.registration(at: place)
        }
    }

    /// Changes a registration.
    public func change(
        _ token: DeviceToken,
        _ change: RegistrationChange
    ) throws(DeviceError) -> (registration: Registration, deliveries: DeliveryReport) {
        try with(token) { state, place, now throws(DeviceError) in
            switch change.state {
            case .rotated?, .inactive?:
                let expected = "expected registered, uninstalled or expired"
                let state = change.state?.rawValue ?? ""
                throw DeviceError(.badValue, "the state \(state) cannot be set; \(expected)", at: "/state")
            case .registered?: try state.checkIsAlone(place)
            case .uninstalled?, .expired?, nil: break
            }
            let report = state.reporting { $0.apply(change, to: place, at: now) }
            state.deviceChanged(state.devices.registrations[place].device)
            return (state.registration(at: place), report)
        }
    }

    /// Replaces the token of an app, by a generated one unless one is given.
    public func rotate(
        _ token: DeviceToken,
        to replacement: DeviceToken? = nil
    ) throws(DeviceError) -> Registration {
        try with(token) { state, place, now throws(DeviceError) in
            let old = state.devices.registrations[place]
            let isAlive = old.state == .registered || old.state == .inactive
            if !isAlive { try state.checkIsAlone(place) }
            if let replacement, state.devices.find(replacement) != nil {
                throw DeviceError(.tokenTaken, "\(replacement.hex) is registered already", at: "/token")
            }
            let limit = state.devices.options.registrationLimit
            guard state.devices.registrations.count < limit else {
                throw DeviceError(.tooMany, "the world holds \(limit) registrations")
            }
            if isAlive { state.kill(place, as: .rotated, at: now) }
            let draft = DeviceDraft.Registration(
                token: replacement,
                topic: state.devices.topic(of: place),
                environment: old.environment,
                appState: old.delivery.appState,
                allowsNotifications: old.delivery.allowsNotifications
            )
            let new = state.devices.insert(draft, on: old.device)
            state.deviceChanged(old.device)
            return state.registration(at: new)
        }
    }

    /// Deletes a device; its tokens become unknown.
    public func forget(_ reference: DeviceReference) throws(DeviceError) {
        try with(reference) { state, device, now in state.forget(device, at: now) }
    }

    // MARK: Looking at devices

    /// Returns a device.
    public func device(_ reference: DeviceReference) throws(DeviceError) -> Device {
        try with(reference) { state, device, _ in state.device(at: device) }
    }

    /// Returns the device and the registration of a token; `nil` if the token is unknown.
    public func registration(_ token: DeviceToken) -> (device: Device, registration: Registration)? {
        world.withState { state, _ in
            state.devices.find(token).map { place in
                let device = state.devices.registrations[place].device
                return (state.device(at: device), state.registration(at: place))
            }
        }
    }

    /// Returns the devices that match a query.
    public func devices(_ query: DeviceQuery) -> DevicePage {
        var search = DeviceSearch(query, epoch: 0, topics: TopicNames())
        while world.withState({ state, _ in state.search(Self.searchStep, places: &search) }) {}
        return search.page
    }

    /// Returns what is stored for a device: at most one notification for each registration, and one broadcast for
    /// each channel.
    public func stored(_ reference: DeviceReference) throws(DeviceError) -> [PushRecord] {
        try with(reference) { state, device, _ in
            state.devices.places(of: device).compactMap { state.storedRecord($0) }
                + state.storedBroadcasts(for: device)
        }
    }

    /// Returns the notifications in the journal that reached a device, in order of delivery.
    ///
    /// Those replaced by a later one with the same app and collapse ID are included only on request.
    public func arrived(
        _ reference: DeviceReference,
        includingReplaced: Bool = false
    ) throws(DeviceError) -> [PushRecord] {
        let (registrations, snapshot) = try with(reference) { state, device, _ in
            let places = state.devices.places(of: device)
            let generations = places.map { ($0, state.devices.registrations[$0].generation) }
            return (Dictionary(uniqueKeysWithValues: generations), state.log.snapshot())
        }
        // Searched without the lock, because a long journal takes too long.
        let found = snapshot.filter { found in
            found.entry.appState != nil && registrations[found.entry.place] == found.entry.generation
        }
        let places = Dictionary(uniqueKeysWithValues: found.map { ($0.entry.seq, $0.entry.place) })
        let arrivals = world.records(found, in: snapshot).sorted {
            ($0.delivery?.arrival ?? 0) < ($1.delivery?.arrival ?? 0)
        }
        guard !includingReplaced else { return arrivals }
        var collapsed: Set<String> = []
        let newestFirst = arrivals.reversed().filter { push in
            guard let id = push.request[.apnsCollapseID] else { return true }
            return collapsed.insert("\(places[push.seq] ?? 0) \(id)").inserted
        }
        return newestFirst.reversed()
    }

    /// Connects as the device, which goes online and gets its stored notifications.
    ///
    /// It goes offline when the last of its links is closed.
    public func connect(_ reference: DeviceReference) throws(DeviceError) -> DeviceLink {
        let (arrivals, continuation) = AsyncStream<DeviceLink.Arrival>.makeStream(
            bufferingPolicy: .bufferingNewest(LinkState.capacity)
        )
        return try with(reference) { state, device, now in
            let link = LinkState(continuation: continuation)
            state.devices.links[device, default: []].append(link)
            state.setWatched(true, device: device)
            state.setOnline(true, of: device, at: now)
            state.deviceChanged(device)
            return DeviceLink(device: state.device(at: device), arrivals: arrivals) { [world] in
                world.withState { $0.disconnect(link, at: $1) }
            }
        }
    }

    // MARK: Feedback

    /// Returns the tokens that became invalid at `since` or later, oldest first.
    public func feedback(since: Timestamp? = nil) -> [FeedbackEntry] {
        world.withState { state, _ in
            let earliest = since ?? Timestamp(microseconds: .min)
            let places = state.devices.feedback.records.keys.filter { place in
                state.devices.registrations[place].deadSince >= earliest.microseconds
            }
            let faults = state.devices.feedback.faults.values.filter { $0.unregisteredAt >= earliest }
            let entries =
                places.sorted().compactMap { state.feedbackEntry(at: $0) }
                + faults.sorted { $0.token.hex < $1.token.hex }
            // The sort is stable.
            return entries.sorted { $0.unregisteredAt < $1.unregisteredAt }
        }
    }

    /// Returns up to `limit` registrations' entries that the feedback service has not sent since their last
    /// news, and marks them as read.
    ///
    /// Documented: reading clears the list, and the next client gets only newer entries. News are that a token
    /// became invalid, and every later push to it (documented: failures since the last connection). Entries of
    /// tokens that were never registered come in addition to the limit, and for every environment.
    public func takeFeedback(
        of topic: String,
        in environment: Environment,
        limit: Int
    ) -> [FeedbackEntry] {
        world.withState { state, now in
            let number = state.devices.index.topics.number(topic)
            let audience = FeedbackList.Audience(topic: number, environment: environment)
            let places = state.devices.feedback.take(limit, for: audience, at: now)
            let faults = state.devices.feedback.takeFaults(of: topic, at: now)
            return (places.compactMap { state.feedbackEntry(at: $0) } + faults).sorted {
                ($0.unregisteredAt, $0.token.hex) < ($1.unregisteredAt, $1.token.hex)
            }
        }
    }

    /// Returns the entry of a token in the feedback list; `nil` if it is not in the list.
    public func feedback(of token: DeviceToken) -> FeedbackEntry? {
        world.withState { state, _ in
            if let place = state.devices.find(token), let entry = state.feedbackEntry(at: place) {
                return entry
            }
            return state.devices.feedback.faults[token]
        }
    }

    /// Empties the feedback list; a token is listed again when it gets a push.
    public func clearFeedback() -> Int {
        world.withState { state, _ in
            defer { state.devices.feedback.removeAll() }
            return state.devices.feedback.count
        }
    }

    /// The number of slots examined while holding the lock.
    private static let searchStep = 10_000

    func with<Value>(
        _ reference: DeviceReference,
        _ use: (inout WorldState, UInt32, Timestamp) throws(DeviceError) -> Value
    ) throws(DeviceError) -> Value {
        try world.withState { state, now throws(DeviceError) in
            guard let device = state.devices.find(reference) else { throw reference.unknown }
            return try use(&state, device, now)
        }
    }

    private func with<Value>(
        _ token: DeviceToken,
        _ use: (inout WorldState, UInt32, Timestamp) throws(DeviceError) -> Value
    ) throws(DeviceError) -> Value {
        try world.withState { state, now throws(DeviceError) in
            guard let place = state.devices.find(token) else { throw DeviceReference.token(token).unknown }
            return try use(&state, place, now)
        }
    }

    private func store(
        _ drafts: [DeviceDraft],
        isUpdating: Bool,
        isList: Bool
    ) throws(DeviceError) -> DevicePutReport {
        try world.withState { state, now throws(DeviceError) in
            let plan = try DevicePlan(drafts, isUpdating: isUpdating, isList: isList, in: state.devices)
            let channels = try SubscriptionPlan(plan, in: state.devices, state.channels)
            let created = plan.steps.count { $0.device == nil }
            var places: [UInt32] = []
            let report = state.reporting { places = $0.follow(plan, channels, origin: .described, at: now) }
            return DevicePutReport(
                created: created,
                updated: places.count - created,
                devices: places.map { state.device(at: $0) },
                deliveries: report
            )
        }
    }
}

extension DeviceReference {
    fileprivate var unknown: DeviceError {
        switch self {
        case .label(let label): DeviceError(.unknownDevice, "there is no device '\(label)'")
        case .token(let token): DeviceError(.unknownToken, "no device has the token \(token.hex)")
        case .id: DeviceError(.unknownDevice, "there is no such device (any more)")
        }
    }
}
