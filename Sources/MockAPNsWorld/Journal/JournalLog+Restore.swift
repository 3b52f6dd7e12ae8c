internal import MockAPNsFormats
internal import MockAPNsRules

extension LoggedStep {
    /// What a step becomes in a log.
    init(_ later: JournalEffects.LaterStep) {
        var facts = ArchiveWriter()
        facts.write(later.app?.state)
        facts.write(later.app?.allowsNotifications)
        facts.write(later.outcome)
        let hasFacts = later.app != nil || later.outcome != nil
        self.init(
            seq: later.step.seq, push: later.push, at: later.step.at.microseconds, event: later.step.event.name,
            delivery: later.step.event.row.state?.description ?? "", facts: hasFacts ? facts.bytes : [])
    }

    /// Reads the step.
    func step() throws(ArchiveError) -> KeptPush.Step {
        guard let event = DeliveryEvent(name: event) else { throw .badValue }
        let step = Delivery.Step(seq: seq, at: Timestamp(microseconds: at), event: event)
        guard !facts.isEmpty else { return (step, nil, nil) }
        var facts = try ArchiveReader(facts)
        let (state, isAllowed) = (try facts.read(AppState?.self), try facts.read(Bool?.self))
        let outcome = try facts.read(ActivityOutcome?.self)
        try facts.finish()
        guard let state, let isAllowed else { return (step, nil, outcome) }
        return (step, (state, isAllowed), outcome)
    }
}

extension KeptPush {
    /// A step, with the app when the notification reached it, and what the push did to a Live Activity.
    typealias Step = (
        step: Delivery.Step, app: (state: AppState, allowsNotifications: Bool)?, outcome: ActivityOutcome?
    )

    /// What happened later, decoded.
    typealias Later = (steps: [Step], fanOut: FanOut?)

    /// Decodes what happened later.
    func later() throws(DamagedPush) -> Later {
        do throws(ArchiveError) {
            var read: [Step] = []
            for step in steps { read.append(try step.step()) }
            guard let fanOut else { return (read, nil) }
            return (read, try FanOut(archive: fanOut))
        } catch { throw DamagedPush(seq: seq, reason: error) }
    }
}
