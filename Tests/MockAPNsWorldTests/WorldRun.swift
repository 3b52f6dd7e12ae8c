import MockAPNsRules

@testable import MockAPNsWorld

/// A plan done to a world and to its model, until they differ.
struct WorldRun {
    typealias Operation = WorldPlan.Operation

    /// The devices that are there at the start.
    static let startUp: [DeviceDraft] = [
        .phone("start", token: .numbered(100), isOnline: false), .phone(token: .numbered(101), topic: "x"),
    ]

    private(set) var operations = 0
    private(set) var difference: String?
    /// What has come up: events, errors, states, reasons.
    private(set) var coverage: Set<String> = []

    private let judging: JudgingWorld
    private var model: NaiveWorld
    /// The pushes whose records the journal still has.
    private var inJournal: Set<UInt64> = []

    // What calls and pushes answer is compared at each operation, everything after every `stride` of them.
    init(_ plan: WorldPlan, comparingEvery stride: Int = 1) throws {
        var options = Devices.Options()
        options.uninstallDetection = plan.isNoticed ? .immediate : .delayed
        // Half an hour off, so that nothing else is due at the same moment. What becomes of an uninstall that
        // nobody noticed when its device is given up has a test of its own.
        options.inactiveAfter = plan.isNoticed ? 20 * JudgingWorld.day + JudgingWorld.hour / 2 : .max
        judging = try JudgingWorld(devices: Self.startUp, options: options) { $0.allowsImmediateBackground = true }
        let changes = RecordedChanges(of: judging.world)
        model = NaiveWorld(startUp: Self.startUp, inactiveAfter: options.inactiveAfter, isNoticed: plan.isNoticed)
        try learn()
        for operation in plan.operations {
            operations += 1
            try perform(operation)
            if difference == nil { try learn() }
            if difference == nil, operations % stride == 0 { compare() }
            if difference != nil { return }
        }
        compare()
        if difference == nil { compareRecords() }
        if difference == nil {
            let copy = try JudgingWorld(devices: Self.startUp, options: options) { $0.allowsImmediateBackground = true }
            difference = try changes.difference(between: judging.world, and: copy.world)
        }
    }

    // MARK: Performing

    private mutating func perform(_ operation: Operation) throws {
        let devices = judging.devices
        switch operation {
        case .add(let draft):
            let expected = model.describe([draft], isUpdating: false)
            compare(
                expected,
                attempt {
                    _ = try devices.add(draft)
                    return nil
                })
        case .put(let drafts):
            let expected = model.describe(drafts, isUpdating: true)
            compare(expected, attempt { try devices.put(drafts).deliveries })
        case .change(let name, let change):
            let (reference, device) = find(name)
            let expected = device.map { model.change($0, change) } ?? unknown(reference)
            compare(expected, attempt { try devices.change(reference, change).deliveries })
        case .register(let draft, let name):
            let (reference, device) = find(name)
            let expected = device.map { model.register(draft, on: $0) } ?? unknown(reference)
            compare(
                expected,
                attempt {
                    _ = try devices.register(draft, on: reference)
                    return nil
                })
        case .changeApp(let number, let change): try changeApp(number, change)
        case .rotate(let number, let token):
            let old = tokenOfApp(number)
            let expected = model.app(old).map { model.rotate($0, to: token) } ?? .unknownToken
            compare(
                expected,
                attempt {
                    _ = try devices.rotate(old, to: token)
                    return nil
                })
        case .forget(let name):
            let (reference, device) = find(name)
            if let device { model.forget(device) }
            compare(
                device == nil ? unknown(reference) : nil,
                attempt {
                    try devices.forget(reference)
                    return nil
                })
        case .push(let pushes): push(pushes)
        case .advance(let by):
            model.move(to: model.now + by)
            compare(judging.world.advanceClock(by: by))
        case .putBack(let by):
            model.move(to: model.now - by)
            compare(judging.world.stopClock(at: judging.time(model.now)))
        case .clearFeedback:
            let count = judging.devices.clearFeedback()
            if count != model.feedback.count { difference = "cleared \(count)" }
            model.feedback = [:]
        case .reset(let parts): reset(parts)
        }
        // What was not reported is still part of the steps, which are compared at the end.
        note(model.phones.takeHappenings())
        _ = model.takeInactive()
    }

    private mutating func changeApp(_ number: Int, _ change: RegistrationChange) throws {
        let token = tokenOfApp(number)
        var expected: DeviceProblem? = .unknownToken
        if let app = model.app(token) {
            expected = model.problem(with: change, of: app)
            if expected == nil { model.change(app, change) }
        }
        compare(expected, attempt { try judging.devices.change(token, change).deliveries })
    }

    private mutating func push(_ planned: [WorldPlan.Push]) {
        let pushes = planned.map { push in
            JudgingWorld.Push(push.app.map { tokenOfApp($0) } ?? push.token) { made in
                let app = model.app(made.token)
                // Mostly for the topic and from the place that are right.
                let isRight = push.sent.collapse.isEmpty
                made.topic = isRight ? app.map { model.apps[$0].topic } ?? push.topic : push.topic
                made.environment = isRight ? app.map { model.apps[$0].environment } ?? .sandbox : push.environment
                made.type = push.sent.kind.type
                if made.topic.hasSuffix(".voip") { made.type = .voip }
                if made.type == .voip, !made.topic.hasSuffix(".voip") { made.type = .alert }
                made.priority = push.sent.priority
                made.expiration = push.sent.expiration.text
                made.collapse = push.sent.collapse.isEmpty ? nil : push.sent.collapse
            }
        }
        let judged = pushes.map { model.judge($0) }
        let records = judging.push(pushes)
        guard records.count == pushes.count else {
            difference = "\(records.count) records of \(pushes.count) pushes"
            return
        }
        for (position, record) in records.enumerated() {
            var sent = planned[position].sent
            sent.kind = DeliveryStory.Kind.allCases.first { $0.type == pushes[position].type } ?? .alert
            let (reason, app) = judged[position]
            let deadSince = reason?.carriesTimestamp == true ? app.flatMap { model.apps[$0].deadSince } : nil
            let body = reason.map { ResponseBody.bytes(for: $0, deadSince: deadSince.map { judging.time($0) }) } ?? []
            if record.verdict.reason != reason || record.answer.body != String(decoding: body, as: UTF8.self) {
                difference = "expected \(reason?.name ?? "200"), got \(record.answer.body)"
                return
            }
            if let reason { coverage.insert(reason.name) } else { inJournal.insert(record.seq) }
            model.answered(pushes[position], sent, seq: record.seq, judged[position])
        }
    }

    private mutating func reset(_ parts: Set<ResetReport.Part>) {
        let report = judging.world.reset(parts)
        let there = model.living.count
        if parts.contains(.devices), report.cleared[.devices] != there {
            difference = "reset \(report.cleared[.devices] ?? 0) devices"
        }
        if parts.contains(.pushes) { inJournal = [] }
        model.reset(parts)
    }

    // MARK: Naming

    private func find(_ name: WorldPlan.Reference) -> (DeviceReference, Int?) {
        guard !model.devices.isEmpty else { return (.label("nobody"), nil) }
        let device = model.devices[name.device % model.devices.count]
        let reference: DeviceReference =
            switch name.name {
            case .label: device.label.map { .label($0) } ?? .label("nobody")
            case .id: device.id.map { .id($0) } ?? .label("nobody")
            case .token: .token(device.apps.first.flatMap { model.apps[$0].token } ?? .numbered(200))
            }
        return (reference, model.device(reference))
    }

    private func unknown(_ reference: DeviceReference) -> DeviceProblem {
        if case .token = reference { .unknownToken } else { .unknownDevice }
    }

    /// The token of one of the apps there have been, the later ones more often.
    private func tokenOfApp(_ number: Int) -> DeviceToken {
        let position = model.apps.count - 1 - number % max(1, min(model.apps.count, 8))
        return model.apps.indices.contains(position) ? model.apps[position].token ?? .numbered(201) : .numbered(201)
    }

    /// Gives the model the names that the world made.
    private mutating func learn() throws {
        let isNew = model.living.contains { number in
            model.devices[number].id == nil || model.devices[number].apps.contains { model.apps[$0].token == nil }
        }
        guard isNew else { return }
        let page = judging.devices.devices(.with { $0.limit = .max })
        var unknown = page.devices.filter { device in !model.devices.contains { $0.id == device.id } }
        for number in model.living where model.devices[number].id == nil {
            // New devices have the order of their making among each other only by what they are.
            let position = unknown.firstIndex { couldBe($0, number) }
            guard let position else {
                difference = "no device like \(model.devices[number])"
                return
            }
            model.devices[number].id = unknown.remove(at: position).id
        }
        for device in page.devices {
            guard let number = model.device(.id(device.id)),
                device.registrations.count == model.devices[number].apps.count
            else {
                difference = "unexpected \(device)"
                return
            }
            for (app, registration) in zip(model.devices[number].apps, device.registrations)
            where model.apps[app].token == nil { model.apps[app].token = registration.token }
        }
    }

    private func couldBe(_ device: Device, _ number: Int) -> Bool {
        let naive = model.devices[number]
        return device.label == naive.label && device.origin == naive.origin
            && device.registrations.count == naive.apps.count
            && zip(device.registrations, naive.apps).allSatisfy { registration, app in
                registration.topic == model.apps[app].topic && registration.environment == model.apps[app].environment
                    && (model.apps[app].token.map { $0 == registration.token } ?? true)
            }
    }

    // MARK: Comparing

    private mutating func note(_ happenings: [NaivePhones.Happening]) {
        for happening in happenings { if let event = happening.event { coverage.insert("\(event)") } }
    }

    /// What came of a call: its report, if it has one, or its error.
    private func attempt(_ use: () throws -> DeliveryReport?) -> Result<DeliveryReport?, any Error> {
        Result { try use() }
    }

    private mutating func compare(_ expected: DeviceProblem?, _ outcome: Result<DeliveryReport?, any Error>) {
        var got = "no error"
        switch outcome {
        case .success(let report): if let report { compare(report) }
        case .failure(let error as DeviceError): got = error.code.rawValue
        case .failure(let error): got = "\(error)"
        }
        if let expected { coverage.insert(expected.rawValue) }
        if got != expected?.rawValue ?? "no error" {
            difference = "expected \(expected?.rawValue ?? "no error"), got \(got)"
        }
    }

    private mutating func compare(_ report: DeliveryReport) {
        let happenings = model.phones.takeHappenings()
        note(happenings)
        func seqs(_ events: Set<DeliveryEvent>) -> [UInt64] {
            happenings.filter { $0.event.map { events.contains($0) } ?? false }.map(\.seq).sorted()
        }
        let expected = [
            seqs([.delivered, .deliveredFromStorage]), seqs([.discardedExpired]),
            seqs([.discardedTokenUnregistered, .discardedDisabled, .discardedCollapsed, .discardedInactive]),
        ]
        let got = [report.delivered.sorted(), report.expired.sorted(), report.discarded.sorted()]
        let inactive = (model.takeInactive(), report.inactive)
        if expected != got || Set(inactive.0) != Set(inactive.1) {
            difference = "expected the report \(expected) \(inactive.0), got \(got) \(inactive.1)"
        }
    }

    private mutating func compare() {
        let devices = judging.devices.devices(.with { $0.limit = .max }).devices
        if devices.count != model.living.count { difference = "\(devices.count) devices" }
        for device in devices {
            guard let number = model.device(.id(device.id)) else {
                difference = "unexpected \(device)"
                return
            }
            let (expected, got) = (model.seen(number), NaiveWorld.SeenDevice(device))
            if expected != got { difference = "expected \(expected),\n got \(got)" }
            for registration in got.apps { coverage.insert(registration.state.rawValue) }
            let stored = try? judging.devices.stored(.id(device.id)).map(\.seq)
            if stored != got.apps.compactMap(\.stored) { difference = "stored \(stored ?? [])" }
        }
        let entries = judging.devices.feedback()
        let (expected, got) = (Set(model.seenFeedback), Set(entries.map { NaiveWorld.SeenEntry($0) }))
        if expected != got || got.count != entries.count {
            difference = "expected the feedback \(expected),\n got \(got)"
        }
        let times = entries.map(\.unregisteredAt)
        if times != times.sorted() { difference = "the feedback is not in the order of time" }
    }

    /// Every push took the steps that it took in the model, at the same time, and their numbers grow.
    private mutating func compareRecords() {
        for push in model.phones.apps.flatMap(\.pushes) where inJournal.contains(push.seq) {
            let steps = judging.world.journal.push(seq: push.seq)?.delivery?.steps ?? []
            let numbers = [push.seq + 1] + steps.map(\.seq)
            if steps.map(\.event) != push.steps || steps.map(\.at) != push.times.map({ judging.time($0) })
                || zip(numbers, numbers.dropFirst()).contains(where: { $0 >= $1 })
            {
                difference = "push \(push.seq): expected \(push.steps) at \(push.times), got \(steps)"
            }
        }
    }
}
