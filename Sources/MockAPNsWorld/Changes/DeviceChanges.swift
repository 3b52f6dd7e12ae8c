internal import MockAPNsFormats
internal import MockAPNsRules

/// Creates devices; with `isUpdating`, updates those with the same label or token.
struct PutDevices: WorldChange, MemberwiseArchived {
    static let kind = "put-devices"
    static let format = ArchiveFormat(PutDevices.init, \.drafts, \.isUpdating, \.isList)

    let drafts: [DeviceDraft]
    let isUpdating: Bool
    /// Whether JSON pointers of errors start with the index of the device.
    let isList: Bool

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(DeviceError) -> DevicePutReport {
        let plan = try DevicePlan(drafts, isUpdating: isUpdating, isList: isList, in: state.devices)
        let channels = try SubscriptionPlan(plan, in: state.devices, state.channels)
        let created = plan.steps.count { $0.device == nil }
        var places: [UInt32] = []
        let report = state.reporting { places = $0.follow(plan, channels, origin: .described, at: time.world) }
        return DevicePutReport(
            created: created, updated: places.count - created, devices: places.map { state.device(at: $0) },
            deliveries: report)
    }
}

struct ChangeDevice: WorldChange, MemberwiseArchived {
    static let kind = "change-device"
    static let format = ArchiveFormat(ChangeDevice.init, \.reference, \.change)

    let reference: DeviceReference
    let change: DeviceChange

    func apply(
        to state: inout WorldState, at time: WorldClock.Reading
    ) throws(DeviceError) -> (device: Device, deliveries: DeliveryReport) {
        let device = try state.devices.place(of: reference)
        if let label = change.label {
            try DevicePlan.checkLabel(label, at: "/label")
            if let other = state.devices.find(.label(label)), other != device {
                throw DeviceError(.labelTaken, "there is another device '\(label)'", at: "/label")
            }
        }
        if let pushMagic = change.pushMagic { try DevicePlan.checkPushMagic(pushMagic, at: "/pushMagic") }
        let report = state.reporting { state in
            state.devices.keep(device)
            if let pushMagic = change.pushMagic { state.devices.setPushMagic(pushMagic, of: device) }
            if let label = change.label { state.devices.setLabel(label, of: device) }
            // Set this before the device goes online, so that low power mode can delay notifications.
            if let os = change.os { state.devices.devices[device].os = os }
            if let savesPower = change.savesPower { state.setSavesPower(savesPower, of: device, at: time.world) }
            if let isOnline = change.isOnline { state.setOnline(isOnline, of: device, at: time.world) }
        }
        state.deviceChanged(device)
        return (state.device(at: device), report)
    }
}

/// Deletes a device; its tokens become unknown.
struct ForgetDevice: WorldChange, MemberwiseArchived {
    static let kind = "forget-device"
    static let format = ArchiveFormat(ForgetDevice.init, \.reference)

    let reference: DeviceReference

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(DeviceError) {
        state.forget(try state.devices.place(of: reference), at: time.world)
    }
}

/// Adds an app to a device.
struct AddRegistration: WorldChange, MemberwiseArchived {
    static let kind = "add-registration"
    static let format = ArchiveFormat(AddRegistration.init, \.reference, \.draft)

    let reference: DeviceReference
    let draft: DeviceDraft.Registration

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(DeviceError) -> Registration {
        let device = try state.devices.place(of: reference)
        let described = DeviceDraft(registrations: [draft])
        do throws(DeviceError) {
            _ = try DevicePlan([described], isUpdating: false, isList: false, in: state.devices)
        } catch { throw error.below("/registrations/0") }
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

struct ChangeRegistration: WorldChange, MemberwiseArchived {
    static let kind = "change-registration"
    static let format = ArchiveFormat(ChangeRegistration.init, \.token, \.change)

    let token: DeviceToken
    let change: RegistrationChange

    func apply(
        to state: inout WorldState, at time: WorldClock.Reading
    ) throws(DeviceError) -> (registration: Registration, deliveries: DeliveryReport) {
        let place = try state.devices.place(of: token)
        switch change.state {
        case .rotated?, .inactive?:
            let expected = "expected registered, uninstalled or expired"
            let state = change.state?.rawValue ?? ""
            throw DeviceError(.badValue, "the state \(state) cannot be set; \(expected)", at: "/state")
        case .registered?: try state.checkIsAlone(place)
        case .uninstalled?, .expired?, nil: break
        }
        let report = state.reporting { $0.apply(change, to: place, at: time.world) }
        state.deviceChanged(state.devices.registrations[place].device)
        return (state.registration(at: place), report)
    }
}

/// Replaces a device token with `replacement`, or else with a generated token.
struct RotateToken: WorldChange, MemberwiseArchived {
    static let kind = "rotate-token"
    static let format = ArchiveFormat(RotateToken.init, \.token, \.replacement)

    let token: DeviceToken
    let replacement: DeviceToken?

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(DeviceError) -> Registration {
        let place = try state.devices.place(of: token)
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
        if isAlive { state.kill(place, as: .rotated, at: time.world) }
        let draft = DeviceDraft.Registration(
            token: replacement, topic: state.devices.topic(of: place), environment: old.environment,
            appState: old.delivery.appState, allowsNotifications: old.delivery.allowsNotifications)
        let new = state.devices.insert(draft, on: old.device)
        state.deviceChanged(old.device)
        return state.registration(at: new)
    }
}

/// Marks feedback entries as read by a client of the feedback service, and returns them.
struct ReadFeedback: WorldChange, MemberwiseArchived {
    static let kind = "read-feedback"
    static let format = ArchiveFormat(ReadFeedback.init, \.places, \.tokens)

    /// The slots of registrations.
    let places: [UInt32]
    /// Tokens without a registration.
    let tokens: [DeviceToken]

    func apply(to state: inout WorldState, at time: WorldClock.Reading) -> [FeedbackEntry] {
        state.devices.feedback.read(places, tokens, at: time.world)
        let faults = tokens.compactMap { state.devices.feedback.faults[$0] }
        return (places.compactMap { state.feedbackEntry(at: $0) } + faults).sorted {
            ($0.unregisteredAt, $0.token.hex) < ($1.unregisteredAt, $1.token.hex)
        }
    }
}

/// Empties the feedback list, and returns the number of its entries.
struct ClearFeedback: WorldChange, MemberwiseArchived {
    static let kind = "clear-feedback"
    static let format = ArchiveFormat(ClearFeedback.init)

    func apply(to state: inout WorldState, at time: WorldClock.Reading) -> Int {
        defer { state.devices.feedback.removeAll() }
        return state.devices.feedback.count
    }
}

extension DeviceStore {
    func place(of reference: DeviceReference) throws(DeviceError) -> UInt32 {
        guard let device = find(reference) else { throw reference.unknown }
        return device
    }

    func place(of token: DeviceToken) throws(DeviceError) -> UInt32 {
        guard let place = find(token) else { throw DeviceReference.token(token).unknown }
        guard registrations.pointer(to: place).pointee.isApp else {
            let message =
                "\(token.hex) is the update token of a Live Activity; dismiss the activity, or rotate its token"
            throw DeviceError(.badValue, message)
        }
        return place
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
