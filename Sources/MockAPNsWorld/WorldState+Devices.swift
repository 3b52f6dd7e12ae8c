internal import MockAPNsRules

extension WorldState {
    // MARK: Time

    /// Runs all actions due by `now`, each at the time it was due.
    mutating func settle(at now: Timestamp) {
        while let (item, time) = devices.due.popDue(at: now.microseconds) {
            let moment = Timestamp(microseconds: time)
            switch item {
            case .stored(let place): change(place, at: moment) { $0.expire(at: moment, $1) }
            case .offline(let device): giveUp(device, at: moment)
            }
        }
    }

    /// Makes a device inactive: its stored notifications are discarded, and its tokens become invalid.
    private mutating func giveUp(_ device: UInt32, at now: Timestamp) {
        devices.devices[device].isInactive = true
        for place in devices.places(of: device) {
            let registration = devices.registrations[place]
            if registration.state == .registered {
                kill(place, as: .inactive, at: now)
                if isReporting { report.inactive.append(registration.token) }
            } else if registration.deadSince == 0 {
                // The device can no longer report that the app is uninstalled.
                kill(place, as: registration.state, at: now)
            }
        }
        deviceChanged(device)
    }

    // MARK: Devices

    /// Creates a device without apps.
    mutating func insertDevice(
        label: String?,
        isOnline: Bool,
        savesPower: Bool,
        origin: Device.Origin,
        at now: Timestamp
    ) -> UInt32 {
        var device = DeviceRecord(origin: origin)
        device.label = label
        device.savesPower = savesPower
        let place = devices.insert(device)
        if !isOnline { setOnline(false, of: place, at: now) }
        return place
    }

    /// Adds an app to a device.
    mutating func insertApp(
        _ draft: DeviceDraft.Registration,
        token: DeviceToken,
        on device: UInt32
    ) -> UInt32 {
        let record = devices.devices[device]
        return devices.insert(
            token: token,
            topic: draft.topic,
            environment: draft.environment,
            delivery: AppDelivery(
                isOnline: record.isOnline,
                savesPower: record.savesPower,
                appState: draft.appState ?? .background,
                allowsNotifications: draft.allowsNotifications ?? true
            ),
            on: device
        )
    }

    /// Sets a device online or offline, and delivers stored notifications.
    mutating func setOnline(_ isOnline: Bool, of device: UInt32, at now: Timestamp) {
        guard devices.devices[device].isOnline != isOnline else { return }
        devices.devices[device].isOnline = isOnline
        devices.devices[device].offlineSince = isOnline ? 0 : now.microseconds
        if isOnline {
            devices.due.set(.offline(device), to: nil)
        } else {
            setGivingUp(device, since: now.microseconds)
        }
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
        for place in devices.places(of: device) {
            let isGone = change(place, at: now) { delivery, emit in
                delivery.deviceChanged(isOnline: isOnline, savesPower: savesPower, at: now, emit)
            }
            if isGone { kill(place, as: .uninstalled, at: now) }
        }
    }

    /// Deletes a device; its stored notifications are discarded, and clients connected as the device are
    /// disconnected.
    mutating func forget(_ device: UInt32, at now: Timestamp) {
        for place in devices.places(of: device) {
            change(place, at: now) { $0.abandon(.discardedTokenUnregistered, $1) }
        }
        end(devices.links.removeValue(forKey: device) ?? [])
        deviceChanged(device)
        devices.remove(device)
    }

    // MARK: Registrations

    /// Makes a token invalid.
    mutating func kill(_ place: UInt32, as state: RegistrationState, at now: Timestamp) {
        let event: DeliveryEvent = state == .inactive ? .discardedInactive : .discardedTokenUnregistered
        change(place, at: now) { $0.abandon(event, $1) }
        devices.registrations[place].state = state
        devices.registrations[place].deadSince = max(now.microseconds, 1)
        devices.updateIndex(place)
        devices.feedback.add(place, cause: FeedbackEntry.Cause(state))
        happened(.feedbackAdded(devices.registrations[place].token))
    }

    /// Makes a token valid again.
    mutating func revive(_ place: UInt32) {
        devices.registrations[place].state = .registered
        devices.registrations[place].deadSince = 0
        devices.registrations[place].delivery.reinstall()
        devices.updateIndex(place)
        devices.feedback.remove(place)
    }

    /// Handles the removal of the app from the device.
    mutating func uninstall(_ place: UInt32, at now: Timestamp) {
        let isNoticed = devices.options.uninstallDetection == .immediate
        change(place, at: now) { $0.uninstall(isNoticed: isNoticed, $1) }
        devices.registrations[place].state = .uninstalled
        if isNoticed { kill(place, as: .uninstalled, at: now) }
    }

    /// Sets whether the registrations of a device report arrivals.
    mutating func setWatched(_ isWatched: Bool, device: UInt32) {
        for place in devices.places(of: device) { devices.registrations[place].isWatched = isWatched }
    }

    // MARK: As others see it

    /// Returns the current state of a device.
    func device(at place: UInt32) -> Device {
        let record = devices.devices[place]
        return Device(
            id: DeviceID(index: place, generation: record.generation),
            label: record.label,
            isOnline: record.isOnline,
            savesPower: record.savesPower,
            origin: record.origin,
            offlineSince: record.isOnline ? nil : Timestamp(microseconds: record.offlineSince),
            connectedClients: devices.links[place]?.count ?? 0,
            registrations: devices.places(of: place).map { registration(at: $0) }
        )
    }

    /// Returns the current state of a registration.
    func registration(at place: UInt32) -> Registration {
        let record = devices.registrations[place]
        return Registration(
            token: record.token,
            topic: devices.topic(of: place),
            environment: record.environment,
            appState: record.delivery.appState,
            allowsNotifications: record.delivery.allowsNotifications,
            state: record.state,
            deadSince: record.deadSince == 0 ? nil : Timestamp(microseconds: record.deadSince),
            counters: record.counters,
            lastPush: record.lastPush >= log.epochStart ? record.lastPush : nil,
            stored: record.delivery.stored,
            storedUntil: record.delivery.storedUntil.map { Timestamp(microseconds: $0) },
            held: record.delivery.held
        )
    }
}
