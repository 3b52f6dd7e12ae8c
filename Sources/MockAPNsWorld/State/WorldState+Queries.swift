internal import MockAPNsRules

extension WorldState {
    mutating func reporting(_ use: (inout WorldState) -> Void) -> DeliveryReport {
        process.report = DeliveryReport()
        defer { process.report = nil }
        use(&self)
        return process.report ?? DeliveryReport()
    }

    // MARK: Devices

    /// Searches the next `count` slots, and returns whether there are more.
    func search(_ count: Int, places search: inout DeviceSearch) -> Bool {
        if search.epoch != devices.epoch {
            search = DeviceSearch(
                search.query, epoch: devices.epoch, topics: devices.index.topics, keepsOnlyIDs: search.keepsOnlyIDs)
        }
        let end = min(search.next + count, devices.devices.end)
        while search.next < end {
            let place = UInt32(search.next)
            search.next += 1
            guard devices.devices.pointer(to: place).pointee.isUsed, matches(place, search) else { continue }
            search.page.matched += 1
            guard place >= search.first else { continue }
            if search.keepsOnlyIDs {
                if search.ids.count < search.query.limit { search.ids.append(devices.id(of: place)) }
            } else if search.page.devices.count < search.query.limit {
                search.page.devices.append(device(at: place))
            } else {
                search.page.nextAfter = search.page.devices.last?.id
            }
        }
        search.page.total = devices.devices.count
        search.page.forgotten = devices.forgotten
        return search.next < devices.devices.end
    }

    private func matches(_ place: UInt32, _ search: DeviceSearch) -> Bool {
        let isOnline = devices.devices.pointer(to: place).pointee.isOnline
        if let wanted = search.query.isOnline, isOnline != wanted { return false }
        guard !search.query.topics.isEmpty || search.text != nil else { return true }
        let places = devices.places(of: place)
        if !search.query.topics.isEmpty,
            !places.contains(where: { search.topics.contains(devices.registrations[$0].topic) })
        {
            return false
        }
        guard let text = search.text else { return true }
        if let label = devices.devices[place].label, label.lowercased().contains(text) { return true }
        return places.contains { devices.registrations[$0].token.hex.contains(text) }
    }

    func checkIsAlone(_ place: UInt32) throws(DeviceError) {
        let record = devices.registrations[place]
        let living = devices.living(topic: devices.topic(of: place), environment: record.environment, on: record.device)
        guard living == nil || living == place else {
            throw DeviceError(.registrationTaken, "the app has a newer token", at: "/state")
        }
    }

    func feedbackEntry(at place: UInt32) -> FeedbackEntry? {
        guard let record = devices.feedback.records[place] else { return nil }
        let registration = devices.registrations[place]
        return FeedbackEntry(
            token: registration.token, label: devices.devices[registration.device].label,
            topic: devices.topic(of: place), unregisteredAt: Timestamp(microseconds: registration.deadSince),
            record: record)
    }
}
