internal import MockAPNsFormats
internal import MockAPNsRules

extension LoggedStep {
    /// What a step becomes in a log.
    init(_ later: JournalEffects.LaterStep) {
        var facts = ArchiveWriter()
        if let app = later.app {
            facts.write(app.state)
            facts.write(app.allowsNotifications)
        }
        self.init(
            seq: later.step.seq, push: later.push, at: later.step.at.microseconds, event: later.step.event.name,
            delivery: later.step.event.row.state?.description ?? "", facts: later.app == nil ? [] : facts.bytes)
    }

    /// The step, and the app when the notification reached it.
    func step() throws(ArchiveError) -> (Delivery.Step, app: (state: AppState, allowsNotifications: Bool)?) {
        guard let event = DeliveryEvent(name: event) else { throw .badValue }
        let step = Delivery.Step(seq: seq, at: Timestamp(microseconds: at), event: event)
        guard !facts.isEmpty else { return (step, nil) }
        var facts = try ArchiveReader(facts)
        return (step, (try facts.read(), try facts.read()))
    }
}

extension KeptPush {
    /// What is read from the rows of a push.
    typealias Contents = (
        record: KeptRecord, steps: [(step: Delivery.Step, app: (state: AppState, allowsNotifications: Bool)?)],
        fanOut: FanOut?
    )

    /// Reads everything that is kept of the push.
    func contents() throws(ArchiveError) -> Contents {
        let record = try record.get()
        var read: [(step: Delivery.Step, app: (state: AppState, allowsNotifications: Bool)?)] = []
        for step in steps { read.append(try step.step()) }
        guard let fanOut else { return (record, read, nil) }
        return (record, read, try FanOut(archive: fanOut))
    }
}
