internal import MockAPNsRules

extension WorldState {
    // MARK: Time

    /// Runs all actions due by `now`, each at the time it was due.
    mutating func settle(until now: Timestamp) {
        while let (item, time) = devices.due.popDue(at: now.microseconds) {
            let moment = Timestamp(microseconds: time)
            switch item {
            case .stored(let place): change(place, at: moment) { $0.expire(at: moment, $1) }
            case .broadcast(let channel): expireBroadcast(channel)
            case .offline(let device): giveUp(device, at: moment)
            case .activity(let activity): passTime(of: activity, at: moment)
            case .uninstalled(let place): notice(place, at: moment)
            }
        }
        devices.trimActivities()
    }

    /// Makes a device inactive: its stored notifications are discarded, and its tokens become invalid.
    private mutating func giveUp(_ device: UInt32, at now: Timestamp) {
        devices.devices[device].isInactive = true
        for place in devices.places(of: device) {
            let registration = devices.registrations[place]
            if registration.state == .registered {
                kill(place, as: .inactive, at: now)
                process.report?.inactive.append(registration.token)
            } else if registration.deadSince == 0 {
                // The device can no longer report that the app is uninstalled.
                kill(place, as: registration.state, at: now)
            }
        }
        deviceChanged(device)
    }

    /// The service learns that the app of a registration was uninstalled.
    private mutating func notice(_ place: UInt32, at now: Timestamp) {
        kill(place, as: .uninstalled, at: now)
        process.report?.unregistered.append(devices.registrations[place].token)
        deviceChanged(devices.registrations[place].device)
    }

    // MARK: Devices

    mutating func setOnline(_ isOnline: Bool, of device: UInt32, at now: Timestamp) {
        guard devices.devices[device].isOnline != isOnline else { return }
        devices.devices[device].isOnline = isOnline
        devices.devices[device].offlineSince = isOnline ? 0 : now.microseconds
        if isOnline { devices.due.set(.offline(device), to: nil) } else { setGivingUp(device, since: now.microseconds) }
        if isOnline, devices.devices[device].isInactive {
            devices.devices[device].isInactive = false
            for place in devices.places(of: device) where devices.registrations[place].state == .inactive {
                revive(place)
            }
        }
        applyConnection(of: device, at: now)
    }

    /// Schedules the time at which a device that went offline at `start` becomes inactive.
    mutating func setGivingUp(_ device: UInt32, since start: Int64) {
        let (end, overflow) = start.addingReportingOverflow(devices.options.inactiveAfter)
        devices.due.set(.offline(device), to: overflow ? nil : end)
    }

    mutating func setSavesPower(_ savesPower: Bool, of device: UInt32, at now: Timestamp) {
        guard devices.devices[device].savesPower != savesPower else { return }
        devices.devices[device].savesPower = savesPower
        applyConnection(of: device, at: now)
    }

    private mutating func applyConnection(of device: UInt32, at now: Timestamp) {
        let (isOnline, savesPower) = (devices.devices[device].isOnline, devices.devices[device].savesPower)
        for place in devices.usablePlaces(of: device) {
            let options = devices.options
            let isGone = change(place, at: now) { delivery, emit in
                delivery.deviceChanged(
                    isOnline: isOnline, savesPower: savesPower, at: now, ifUninstalled: options.eventOfUninstalled, emit
                )
            }
            if isGone { reportUninstalled(place, at: now) }
        }
        deliverBroadcasts(to: device, at: now)
    }

    /// Deletes a device, and disconnects the clients connected as the device.
    mutating func forget(_ device: UInt32, at now: Timestamp) {
        for place in devices.places(of: device) {
            change(place, at: now) { $0.discardStored(.discardedTokenUnregistered, $1) }
        }
        for activity in devices.activities(of: device) {
            guard devices.activities.records[activity].state != .dismissed else { continue }
            happened(.dismissed, to: activity, ActivityCause(.deviceRemoved))
        }
        for link in devices.links.removeValue(forKey: device) ?? [] where link.lostDevice() {
            process.endedLinks.append(link)
        }
        unsubscribe(device: device)
        deviceChanged(device)
        devices.remove(device)
    }

    // MARK: Registrations

    mutating func kill(_ place: UInt32, as state: RegistrationState, at now: Timestamp) {
        let event: DeliveryEvent = state == .inactive ? .discardedInactive : .discardedTokenUnregistered
        change(place, at: now) { $0.discardStored(event, $1) }
        devices.due.set(.uninstalled(place), to: nil)
        devices.registrations[place].state = state
        devices.setDead(since: max(now.microseconds, 1), place)
        devices.updateIndex(place)
        guard devices.registrations[place].isApp else {
            // The end of a Live Activity is nothing that the feedback service tells; a push after it is.
            let token = ActivityTable.DeadToken(place: place, generation: devices.registrations[place].generation)
            devices.activities.deadTokens.append(token)
            return
        }
        devices.feedback.add(place, cause: FeedbackEntry.Cause(state), for: devices.audience(of: place))
        happened(.feedbackAdded(devices.registrations[place].token))
    }

    /// A push has reached a device that no longer has the app, which the device reports.
    mutating func reportUninstalled(_ place: UInt32, at now: Timestamp) {
        guard devices.options.uninstallDetection == .fuzzy else { return kill(place, as: .uninstalled, at: now) }
        // Only the first push counts.
        guard devices.due.time(of: .uninstalled(place)) == nil else { return }
        let delay = devices.options.uninstallDelay(of: devices.registrations[place].token)
        let (end, overflow) = now.microseconds.addingReportingOverflow(delay)
        devices.due.set(.uninstalled(place), to: overflow ? nil : end)
    }

    mutating func revive(_ place: UInt32) {
        devices.due.set(.uninstalled(place), to: nil)
        devices.registrations[place].state = .registered
        devices.setDead(since: 0, place)
        devices.registrations[place].delivery.reinstall()
        devices.updateIndex(place)
        devices.feedback.remove(place)
    }

    mutating func uninstall(_ place: UInt32, at now: Timestamp) {
        let isNoticed = devices.options.uninstallDetection == .immediate
        change(place, at: now) { $0.uninstall(isNoticed: isNoticed, $1) }
        devices.registrations[place].state = .uninstalled
        let (app, device) = (devices.app(of: place), devices.registrations[place].device)
        if !devices.has(app, on: device) {
            endActivities(of: app, on: device, isNoticed: isNoticed, at: now)
            unsubscribe(device: device, from: app)
        }
        if isNoticed { kill(place, as: .uninstalled, at: now) }
    }

    mutating func setWatched(_ isWatched: Bool, device: UInt32) {
        for place in devices.places(of: device) { devices.registrations[place].isWatched = isWatched }
    }

    // MARK: Plans

    /// Returns the slots of the plan's devices.
    mutating func follow(
        _ plan: DevicePlan, _ subscriptions: SubscriptionPlan, origin: Device.Origin, at now: Timestamp
    ) -> [UInt32] {
        zip(plan.steps, subscriptions.channels).map { step, channels in
            let device = step.device ?? devices.devices.insert(DeviceRecord(origin: origin))
            update(device, step, channels, at: now)
            return device
        }
    }

    private mutating func update(_ device: UInt32, _ step: DevicePlan.Step, _ channels: [UInt32], at now: Timestamp) {
        let draft = step.draft
        devices.keep(device)
        if let label = draft.label { devices.setLabel(label, of: device) }
        if let pushMagic = draft.pushMagic { devices.setPushMagic(pushMagic, of: device) }
        for (place, registration) in zip(step.registrations, draft.registrations) {
            if let place {
                var change = RegistrationChange()
                change.appState = registration.appState
                change.allowsNotifications = registration.allowsNotifications
                change.state = .registered
                apply(change, to: place, at: now)
            } else {
                _ = devices.insert(registration, on: device)
            }
        }
        for channel in channels { subscribe(device, to: channel) }
        if let os = draft.os { devices.devices[device].os = os }
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
        if let appState = change.appState { self.change(place, at: now) { $0.appChanged(to: appState, $1) } }
        switch change.state {
        case .uninstalled where state == .registered || state == .inactive: uninstall(place, at: now)
        case .expired where state == .registered || state == .inactive: kill(place, as: .expired, at: now)
        default: break
        }
    }

    mutating func addStartUp(_ drafts: [DeviceDraft], at now: Timestamp) throws(DeviceError) {
        let plan = try DevicePlan(drafts, isUpdating: false, isList: true, in: devices)
        let subscriptions = try SubscriptionPlan(plan, in: devices, channels)
        _ = follow(plan, subscriptions, origin: .startUp, at: now)
    }

    /// Sets the options of devices, and applies them to devices that are already offline.
    mutating func setDeviceOptions(_ options: DeviceOptions) {
        let isOther = options.inactiveAfter != devices.options.inactiveAfter
        devices.options = options
        guard isOther else { return }
        for place in 0..<UInt32(devices.devices.end) {
            let device = devices.devices.pointer(to: place).pointee
            guard device.isUsed, !device.isOnline, !device.isInactive else { continue }
            setGivingUp(place, since: device.offlineSince)
        }
    }

    // MARK: Reading

    func device(at place: UInt32) -> Device {
        let record = devices.devices[place]
        return Device(
            id: devices.id(of: place), record: record, pushMagic: devices.pushMagics[place],
            connectedClients: devices.links[place]?.count ?? 0,
            storedBroadcasts: subscriptionRecords(of: place).count { isWaiting($0) },
            registrations: devices.apps(of: place).map { registration(at: $0) },
            channels: subscriptions(of: place).map(\.channel),
            shownActivities: devices.activities.places(from: record.firstActivity).count {
                devices.activities.records[$0].state != .dismissed
            })
    }

    func registration(at place: UInt32) -> Registration {
        let record = devices.registrations[place]
        return Registration(
            record: record, topic: devices.topic(of: place),
            lastPush: record.lastPush >= log.epochStart ? record.lastPush : nil)
    }
}
