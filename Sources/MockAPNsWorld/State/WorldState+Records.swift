internal import MockAPNsRules

extension WorldState {
    /// Returns the context of a record; `known` is its entry if it has left the journal in the meantime.
    func context(of view: RecordView, _ known: JournalEntry, epoch: UInt64) -> RecordContext {
        let current = epoch == log.epoch ? log.find(known.seq).map { $0.entries[$1] } : nil
        let entry = current ?? known
        let isRegistered = devices.registrations.has(entry.place, generation: entry.generation)
        let device = isRegistered ? devices.registrations[entry.place].device : nil
        let delivery = Delivery(
            steps: current.map { log.steps(of: $0) } ?? log.firstStep(of: known),
            deviceLabel: device.flatMap { devices.devices[$0].label }, appState: entry.appState,
            allowsNotifications: entry.allowsNotifications,
            fanOut: view.head.service == .broadcast ? log.fanOut(of: known.seq) : nil, activity: entry.activityID,
            refusal: entry.refusal, pushMagic: device.flatMap { devices.pushMagics[$0] })
        return RecordContext(
            epoch: epoch, answeredAt: Timestamp(microseconds: entry.at),
            connection: process.connections[view.head.connectionID], delivery: view.head.isAccepted ? delivery : nil,
            isPinned: entry.isPinned)
    }

    func record(_ seq: UInt64) -> PushRecord? {
        log.find(seq).map { segment, position in
            let entry = segment.entries[position]
            let view = segment.record(of: entry)
            return PushRecord(view, context(of: view, entry, epoch: log.epoch))
        }
    }

    /// Returns the record of a stored notification, which the journal may have evicted; `step` delivers it.
    func storedRecord(_ place: UInt32, then step: Delivery.Step? = nil) -> PushRecord? {
        devices.stored[place]?.withRecord { view, stored in
            if let record = record(view.head.seq) { return record }
            let registration = devices.registrations.pointer(to: place)
            let delivery = Delivery(
                steps: [stored, step].compactMap(\.self),
                deviceLabel: devices.devices[registration.pointee.device].label,
                appState: step == nil ? nil : registration.pointee.delivery.appState,
                allowsNotifications: registration.pointee.delivery.allowsNotifications,
                pushMagic: devices.pushMagics[registration.pointee.device])
            let context = RecordContext(
                epoch: log.epoch, answeredAt: stored.at, connection: process.connections[view.head.connectionID],
                delivery: delivery)
            return PushRecord(view, context)
        }
    }
}
