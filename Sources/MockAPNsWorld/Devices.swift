public import MockAPNsRules

/// The phones of a world, the apps on them, and the list of tokens that do not work any more.
///
/// Everything is visible to pushes that arrive after a call has returned. Safe from any thread.
public final class Devices: Sendable {
    /// How the world treats devices.
    public typealias Options = DeviceOptions

    private let core: WorldCore

    init(core: WorldCore) { self.core = core }

    /// How the world treats devices now.
    public var options: Options { core.withState { state, _ in state.devices.options } }

    // MARK: Describing devices

    /// Makes a device.
    ///
    /// - Throws: `DeviceError`; then nothing has changed.
    public func add(_ draft: DeviceDraft) throws(DeviceError) -> Device {
        try plan([draft], isUpdating: false, isList: false) { state, places, _, _ in
            state.device(at: places[0])
        }
    }

    /// Makes the devices described, or brings those of the same label or token to what is described.
    ///
    /// Registrations that the description does not name stay. All or nothing.
    ///
    /// - Throws: `DeviceError`, whose pointer begins with the position in the list.
    public func put(_ drafts: [DeviceDraft]) throws(DeviceError) -> DevicePutReport {
        try plan(drafts, isUpdating: true, isList: true) { state, places, created, report in
            DevicePutReport(
                created: created,
                updated: places.count - created,
                devices: places.map { state.device(at: $0) },
                deliveries: report
            )
        }
    }

    /// Changes a device.
    ///
    /// - Throws: `DeviceError`; then nothing has changed.
    public func change(
        _ reference: DeviceReference,
        _ change: DeviceChange
    ) throws(DeviceError) -> (device: Device, deliveries: DeliveryReport) {
        try with(reference) { state, device, now throws(DeviceError) in
            if let label = change.label {
                try DevicePlan.checkLabel(label, at: "/label")
                if let other = state.devices.find(label: label), other != device {
                    throw DeviceError(.labelTaken, "there is another device '\(label)'", at: "/label")
                }
            }
            let report = state.reporting { state in
                state.devices.keep(device)
                if let label = change.label { state.devices.setLabel(label, of: device) }
                // In this order a device that comes online saving power keeps back what may wait.
                if let savesPower = change.savesPower { state.setSavesPower(savesPower, of: device, at: now) }
                if let isOnline = change.isOnline { state.setOnline(isOnline, of: device, at: now) }
            }
            state.deviceChanged(device)
            return (state.device(at: device), report)
        }
    }

    /// Adds an app to a device.
    ///
    /// - Throws: `DeviceError`; then nothing has changed.
    public func register(
        _ draft: DeviceDraft.Registration,
        on reference: DeviceReference
    ) throws(DeviceError) -> Registration {
        try with(reference) { state, device, now throws(DeviceError) in
            var described = DeviceDraft(registrations: [draft])
            described.label = nil
            let plan: DevicePlan
            do throws(DeviceError) {
                plan = try DevicePlan([described], isUpdating: false, isList: false, in: state.devices)
            } catch {
                throw error.below("/registrations/0")
            }
            let living = state.devices.living(
                topic: draft.topic,
                environment: draft.environment,
                on: device
            )
            guard plan.steps[0].registrations[0] == nil, living == nil else {
                throw DeviceError(.registrationTaken, "the device has \(draft.topic) already", at: "/topic")
            }
            state.devices.keep(device)
            let token = draft.token ?? state.devices.makeToken()
            let place = state.insertApp(draft, token: token, on: device)
            state.deviceChanged(device)
            return state.registration(at: place)
        }
    }

    /// Changes a registration.
    ///
    /// - Throws: `DeviceError`; then nothing has changed.
    public func change(
        _ token: DeviceToken,
        _ change: RegistrationChange
    ) throws(DeviceError) -> (registration: Registration, deliveries: DeliveryReport) {
        try with(token) { state, place, now throws(DeviceError) in
            try state.check(change, of: place)
            let report = state.reporting { $0.apply(change, to: place, at: now) }
            state.deviceChanged(state.devices.registrations[place].device)
            return (state.registration(at: place), report)
        }
    }

    /// Gives an app another token, a made one unless it is given; the old one becomes unregistered.
    ///
    /// - Throws: `DeviceError`; then nothing has changed.
    public func rotate(
        _ token: DeviceToken,
        to replacement: DeviceToken? = nil
    ) throws(DeviceError) -> Registration {
        try with(token) { state, place, now throws(DeviceError) in
            let registration = try state.rotate(place, to: replacement, at: now)
            state.deviceChanged(state.devices.registrations[place].device)
            return registration
        }
    }

    /// Forgets a device; its tokens become unknown.
    ///
    /// - Throws: `DeviceError` when there is no such device.
    public func forget(_ reference: DeviceReference) throws(DeviceError) {
        try with(reference) { state, device, now in state.forget(device, at: now) }
    }

    // MARK: Looking at devices

    /// A device.
    ///
    /// - Throws: `DeviceError` when there is none.
    public func device(_ reference: DeviceReference) throws(DeviceError) -> Device {
        try with(reference) { state, device, _ in state.device(at: device) }
    }

    /// The device and the registration that a token belongs to; `nil` when it is unknown.
    public func registration(_ token: DeviceToken) -> (device: Device, registration: Registration)? {
        core.withState { state, _ in
            state.devices.find(token).map { place in
                let device = state.devices.registrations[place].device
                return (state.device(at: device), state.registration(at: place))
            }
        }
    }

    /// Finds devices.
    public func devices(_ query: DeviceQuery) -> DevicePage {
        var search = DeviceSearch(query)
        while core.withState({ state, _ in state.search(Self.searchStep, places: &search) }) {}
        return search.result
    }

    /// The notifications that wait for a device: at most one for each registration.
    ///
    /// - Throws: `DeviceError` when there is no such device.
    public func stored(_ reference: DeviceReference) throws(DeviceError) -> [PushRecord] {
        try with(reference) { state, device, _ in
            state.devices.places(of: device).compactMap { state.storedRecord($0) }
        }
    }

    /// The notifications that reached a device and are still in the journal, in the order of their delivery.
    ///
    /// One that was replaced by a later one of the same app and collapse id is left out unless it is asked for.
    ///
    /// - Throws: `DeviceError` when there is no such device.
    public func arrived(
        _ reference: DeviceReference,
        includingReplaced: Bool = false
    ) throws(DeviceError) -> [PushRecord] {
        let (registrations, snapshot) = try with(reference) { state, device, _ in
            (state.generations(of: device), state.log.snapshot)
        }
        // Looked through without the lock, which a long journal would keep for too long.
        var found: [FoundRecord] = []
        var places: [UInt64: UInt32] = [:]
        snapshot.visit { record, entry in
            if entry.appState != nil, registrations[entry.place] == entry.generation {
                found.append(FoundRecord(record: record, entry: entry))
                places[entry.seq] = entry.place
            }
            return true
        }
        let records = withExtendedLifetime(snapshot) { core.records(found, epoch: snapshot.extent.epoch) }
        let arrivals = records.sorted { ($0.delivery?.arrival ?? 0) < ($1.delivery?.arrival ?? 0) }
        guard !includingReplaced else { return arrivals }
        var newest: [String: UInt64] = [:]
        func key(_ push: PushRecord) -> String? {
            push.request[.apnsCollapseID].map { "\(places[push.seq] ?? 0) \($0)" }
        }
        for push in arrivals { if let key = key(push) { newest[key] = push.seq } }
        return arrivals.filter { push in key(push).map { newest[$0] == push.seq } ?? true }
    }

    /// Connects as the device, which is online until the link is closed.
    ///
    /// - Throws: `DeviceError` when there is no such device.
    public func connect(_ reference: DeviceReference) throws(DeviceError) -> DeviceLink {
        let (arrivals, continuation) = AsyncStream<DeviceLink.Arrival>.makeStream(
            bufferingPolicy: .bufferingNewest(LinkState.capacity)
        )
        return try with(reference) { state, device, now in
            let link = LinkState(continuation: continuation)
            state.connect(link, to: device, at: now)
            return DeviceLink(device: state.device(at: device), arrivals: arrivals) { [core] in
                core.withState { $0.disconnect(link, at: $1) }
            }
        }
    }

    // MARK: Feedback

    /// The tokens that do not work any more, oldest first; with `since`, those that died at that time or later.
    public func feedback(since: Timestamp? = nil) -> [FeedbackEntry] {
        core.withState { state, _ in state.feedbackEntries(since: since) }
    }

    /// What the feedback list says of a token; `nil` when it is not on the list.
    public func feedback(of token: DeviceToken) -> FeedbackEntry? {
        core.withState { state, _ in state.feedbackEntry(of: token) }
    }

    /// Empties the feedback list; a token comes back to it when it is pushed to.
    public func clearFeedback() -> Int {
        core.withState { state, _ in
            defer { state.devices.feedback.removeAll() }
            return state.devices.feedback.count
        }
    }

    // MARK: How

    /// Places looked at under one lock.
    private static let searchStep = 10_000

    private func with<Value>(
        _ reference: DeviceReference,
        _ use: (inout WorldState, UInt32, Timestamp) throws(DeviceError) -> Value
    ) throws(DeviceError) -> Value {
        try core.withState { state, now throws(DeviceError) in
            guard let device = state.devices.find(reference) else { throw reference.unknown }
            return try use(&state, device, now)
        }
    }

    private func with<Value>(
        _ token: DeviceToken,
        _ use: (inout WorldState, UInt32, Timestamp) throws(DeviceError) -> Value
    ) throws(DeviceError) -> Value {
        try core.withState { state, now throws(DeviceError) in
            guard let place = state.devices.find(token) else { throw DeviceReference.token(token).unknown }
            return try use(&state, place, now)
        }
    }

    private func plan<Value>(
        _ drafts: [DeviceDraft],
        isUpdating: Bool,
        isList: Bool,
        _ use: (inout WorldState, [UInt32], Int, DeliveryReport) -> Value
    ) throws(DeviceError) -> Value {
        try core.withState { state, now throws(DeviceError) in
            let plan = try DevicePlan(drafts, isUpdating: isUpdating, isList: isList, in: state.devices)
            var followed: (devices: [UInt32], created: Int) = ([], 0)
            let report = state.reporting { followed = $0.follow(plan, origin: .described, at: now) }
            return use(&state, followed.devices, followed.created, report)
        }
    }
}

extension DeviceReference {
    /// What to say when there is no such device.
    fileprivate var unknown: DeviceError {
        switch self {
        case .label(let label): DeviceError(.unknownDevice, "there is no device '\(label)'")
        case .token(let token): DeviceError(.unknownToken, "no device has the token \(token.hex)")
        case .id: DeviceError(.unknownDevice, "there is no such device, or not any more")
        }
    }
}
