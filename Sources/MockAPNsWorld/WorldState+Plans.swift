internal import MockAPNsRules

extension WorldState {
    /// Applies a plan.
    ///
    /// - Returns: The slots of its devices, and how many of them are new.
    mutating func follow(
        _ plan: DevicePlan,
        origin: Device.Origin,
        at now: Timestamp
    ) -> (devices: [UInt32], created: Int) {
        var places: [UInt32] = []
        places.reserveCapacity(plan.steps.count)
        var created = 0
        for step in plan.steps {
            if let device = step.device {
                update(device, step, at: now)
                places.append(device)
            } else {
                created += 1
                places.append(make(step, origin: origin, at: now))
            }
        }
        return (places, created)
    }

    private mutating func make(_ step: DevicePlan.Step, origin: Device.Origin, at now: Timestamp) -> UInt32 {
        let device = insertDevice(
            label: step.draft.label,
            isOnline: step.draft.isOnline ?? true,
            savesPower: step.draft.savesPower ?? false,
            origin: origin,
            at: now
        )
        for draft in step.draft.registrations {
            _ = insertApp(draft, token: draft.token ?? devices.makeToken(), on: device)
        }
        deviceChanged(device)
        return device
    }

    private mutating func update(_ device: UInt32, _ step: DevicePlan.Step, at now: Timestamp) {
        let draft = step.draft
        devices.noteDescribed(device)
        if let label = draft.label { devices.setLabel(label, of: device) }
        for (place, registration) in zip(step.registrations, draft.registrations) {
            if let place {
                var change = RegistrationChange()
                change.appState = registration.appState
                change.allowsNotifications = registration.allowsNotifications
                change.state = .registered
                apply(change, to: place, at: now)
            } else {
                let token = registration.token ?? devices.makeToken()
                _ = insertApp(registration, token: token, on: device)
            }
        }
        if let savesPower = draft.savesPower { setSavesPower(savesPower, of: device, at: now) }
        if let isOnline = draft.isOnline { setOnline(isOnline, of: device, at: now) }
        deviceChanged(device)
    }

    /// Changes a registration; the change was checked before.
    mutating func apply(_ change: RegistrationChange, to place: UInt32, at now: Timestamp) {
        let device = devices.registrations[place].device
        devices.keep(device)
        let state = devices.registrations[place].state
        if change.state == .registered, state != .registered {
            if !devices.devices[device].isInactive {
                revive(place)
            } else if state != .inactive {
                // The app is installed again, but its token becomes valid only when the device is online.
                kill(place, as: .inactive, at: now)
            }
        }
        if let isAllowed = change.allowsNotifications {
            devices.registrations[place].delivery.allowsNotifications = isAllowed
        }
        if let appState = change.appState {
            self.change(place, at: now) { $0.appChanged(to: appState, $1) }
        }
        switch change.state {
        case .uninstalled where state == .registered || state == .inactive: uninstall(place, at: now)
        case .expired where state == .registered || state == .inactive: kill(place, as: .expired, at: now)
        default: break
        }
    }
}
