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
        try world.commit(PutDevices(drafts: [draft], isUpdating: false, isList: false)).devices[0]
    }

    /// Creates the devices, or updates those with the same label or token.
    ///
    /// Registrations and subscriptions that are not listed are kept. The pointer of an error begins with the
    /// index in the list.
    public func put(_ drafts: [DeviceDraft]) throws(DeviceError) -> DevicePutReport {
        try world.commit(PutDevices(drafts: drafts, isUpdating: true, isList: true))
    }

    /// Changes a device.
    public func change(
        _ reference: DeviceReference, _ change: DeviceChange
    ) throws(DeviceError) -> (device: Device, deliveries: DeliveryReport) {
        try world.commit(ChangeDevice(reference: reference, change: change))
    }

    /// Adds an app to a device.
    public func register(
        _ draft: DeviceDraft.Registration, on reference: DeviceReference
    ) throws(DeviceError) -> Registration { try world.commit(AddRegistration(reference: reference, draft: draft)) }

    /// Changes a registration.
    public func change(
        _ token: DeviceToken, _ change: RegistrationChange
    ) throws(DeviceError) -> (registration: Registration, deliveries: DeliveryReport) {
        try world.commit(ChangeRegistration(token: token, change: change))
    }

    /// Replaces the token of an app, by a generated one unless one is given.
    public func rotate(_ token: DeviceToken, to replacement: DeviceToken? = nil) throws(DeviceError) -> Registration {
        try world.commit(RotateToken(token: token, replacement: replacement))
    }

    /// Deletes a device; its tokens become unknown.
    public func forget(_ reference: DeviceReference) throws(DeviceError) {
        try world.commit(ForgetDevice(reference: reference))
    }

    // MARK: Looking at devices

    /// Returns a device.
    public func device(_ reference: DeviceReference) throws(DeviceError) -> Device {
        try with(reference) { state, device in state.device(at: device) }
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
        try with(reference) { state, device in
            state.devices.places(of: device).compactMap { state.storedRecord($0) } + state.storedBroadcasts(for: device)
        }
    }

    /// Returns the notifications in the journal that reached a device, in order of delivery.
    ///
    /// Those replaced by a later one with the same app and collapse ID are included only on request.
    public func arrived(
        _ reference: DeviceReference, includingReplaced: Bool = false
    ) throws(DeviceError) -> [PushRecord] {
        let (registrations, snapshot) = try with(reference) { state, device in
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
    public func connect(_ reference: DeviceReference) throws(DeviceError) -> (device: Device, link: DeviceLink) {
        let link = LinkState(devices: 1)
        let device = try world.withLockedState { state, time throws(DeviceError) in
            let device = try state.devices.place(of: reference)
            state.connect(link, as: [state.devices.id(of: device)], at: time)
            return state.device(at: device)
        }
        return (device, open(link, count: 1))
    }

    /// Connects as the devices that match a query, or as the first `count` of them, which go online and get their stored
    /// notifications.
    ///
    /// `limit` of the query has no effect. Fails if no device matches, if fewer than `count` do, and if there are more
    /// than 100,000. Devices that match later are not connected.
    public func connect(_ query: DeviceQuery, count: Int? = nil) throws(DeviceError) -> DeviceLink {
        var query = query
        query.limit = (count ?? DeviceLink.largest) + 1
        var search = DeviceSearch(query, epoch: 0, topics: TopicNames(), keepsOnlyIDs: true)
        while world.withState({ state, _ in state.search(Self.searchStep, places: &search) }) {}
        let found = search.ids.count
        if let count, found < count {
            let devices = found == 1 ? "1 matching device" : "\(found) matching devices"
            throw DeviceError(.unknownDevice, "there are only \(devices), expected \(count)")
        }
        guard found > 0 else { throw DeviceError(.unknownDevice, "there are no matching devices") }
        guard min(found, count ?? found) <= DeviceLink.largest else {
            let most = DeviceLink.largest
            throw DeviceError(.tooMany, "there are more than \(most) matching devices; connect as \(most) at most")
        }
        let ids = search.ids.prefix(count ?? found)
        let link = LinkState(devices: ids.count)
        for start in stride(from: 0, to: ids.count, by: Self.linkStep) {
            let some = ids[start..<min(start + Self.linkStep, ids.count)]
            world.withLockedState { state, time in state.connect(link, as: some, at: time) }
        }
        return open(link, count: ids.count)
    }

    private func open(_ link: LinkState, count: Int) -> DeviceLink {
        DeviceLink(link, count: count) { [world] in
            world.whenOpen { while world.withLockedState({ $0.disconnect(link, atMost: Self.linkStep, at: $1) }) {} }
        }
    }

    // MARK: Live Activities

    /// Returns the Live Activities of a device, in the order of their start; dismissed ones while they are kept.
    public func activities(of reference: DeviceReference) throws(DeviceError) -> [Activity] {
        try with(reference) { state, device in state.activities(of: device) }
    }

    /// Returns a Live Activity; `nil` if there is none, or if it is no longer kept.
    public func activity(_ id: ActivityID) -> Activity? {
        world.withState { state, _ in state.devices.activities.find(id.number).map { state.activity(at: $0) } }
    }

    /// Returns the Live Activity that has an update token, or had it; `nil` if no activity did.
    public func activity(of token: DeviceToken) -> Activity? {
        world.withState { state, _ in
            state.devices.find(token).flatMap { state.devices.activity(of: $0) }.map { state.activity(at: $0) }
        }
    }

    /// Returns the Live Activities that follow a channel and run, at most `limit`, in no order.
    public func activities(following channel: ChannelID, limit: Int = FanOut.listed) -> [Activity] {
        world.withState { state, _ in state.activities(following: channel, limit: limit) }
    }

    /// Starts a Live Activity as the app does it itself.
    public func startActivity(_ draft: ActivityDraft, on reference: DeviceReference) throws(DeviceError) -> Activity {
        try world.commit(StartActivity(reference: reference, draft: draft))
    }

    /// Dismisses a Live Activity as the user does it; nothing happens if it is dismissed already.
    public func dismiss(_ id: ActivityID) throws(DeviceError) -> Activity {
        try world.commit(DismissActivity(activity: id))
    }

    /// Gives a Live Activity another update token; pushes to the old one get 410 ExpiredToken.
    public func rotateToken(of id: ActivityID) throws(DeviceError) -> Activity {
        try world.commit(RotateActivityToken(activity: id))
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
    public func takeFeedback(of topic: String, in environment: Environment, limit: Int) -> [FeedbackEntry] {
        world.withLockedState { state, time in
            let number = state.devices.index.topics.number(topic)
            let audience = FeedbackList.Audience(topic: number, environment: environment)
            let places = state.devices.feedback.unread(limit, by: audience)
            let tokens = state.devices.feedback.unreadFaults(of: topic)
            return state.perform(ReadFeedback(places: places, tokens: tokens), at: time)
        }
    }

    /// Returns the entry of a token in the feedback list; `nil` if it is not in the list.
    public func feedback(of token: DeviceToken) -> FeedbackEntry? {
        world.withState { state, _ in
            if let place = state.devices.find(token), let entry = state.feedbackEntry(at: place) { return entry }
            return state.devices.feedback.faults[token]
        }
    }

    /// Empties the feedback list; a token is listed again when it gets a push.
    public func clearFeedback() -> Int { world.commit(ClearFeedback()) }

    /// The number of slots examined while holding the lock.
    private static let searchStep = 10_000
    /// The number of devices that are connected or disconnected while holding the lock.
    private static let linkStep = 2_000

    func with<Value>(
        _ reference: DeviceReference, _ use: (inout WorldState, UInt32) -> Value
    ) throws(DeviceError) -> Value {
        try world.withState { state, _ throws(DeviceError) in use(&state, try state.devices.place(of: reference)) }
    }
}

extension Devices {
    /// Returns the broadcasts of a device, among the latest 1,000 of the journal.
    public func broadcasts(of reference: DeviceReference) throws(DeviceError) -> DeviceBroadcasts {
        let (found, unknown) = try with(reference) { state, device in state.broadcasts(of: device) }
        // Each record is copied by itself, so that pushes go on meanwhile.
        let entries = found.compactMap { found in
            world.journal.push(seq: found.seq).map { DeviceBroadcasts.Entry(push: $0, event: found.event) }
        }
        return DeviceBroadcasts(entries: entries, unknown: unknown)
    }
}
