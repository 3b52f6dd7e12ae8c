internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// The pushes that the parameters of a request select.
///
/// All parameters must match; a repeated one matches any of its values.
struct PushSelection: Sendable {
    static let parameters: [Parameter<PushSelection>] = [
        .once("after", .seq, "Only pushes with a larger number: the cursor.") {
            $0.query.after = $1
            $0.hasCursor = true
        }, .once("before", .seq, "Only pushes with a smaller number.") { $0.query.before = $1 },
        .once("since", .time, "Only pushes received at or after this time.") { $0.conditions.append(.since($1)) },
        .any("id", id, "The push: at most \(mostIDs) ids.") { $0.ids = $1 }.checked { query in
            let count = query.texts("id").count
            if count > mostIDs { query.complain("id", "is given \(count) times; expected \(mostIDs) at most") }
        }, .any("token", .deviceToken, "The device token.") { $0.query.tokens = $1 },
        .any("device", device, "The device: @label, a device token, or an id.") { $0.devices = $1 },
        .any("topic", .text("a topic", schema: .topic), "The topic.") { $0.query.topics = $1 },
        .any("pushType", pushType, "The push type.") {
            $0.conditions.append(.any($1.map { .requirement(.field(.pushType, equals: $0.name)) }))
        }, field(.priority, "apns-priority."), field(.collapseId, "apns-collapse-id."),
        field(.apnsId, "The apns-id of the response."), field(.keyId, "The key of the provider token."),
        field(.teamId, "The team of the provider token."), field(.certificate, "The app of the client certificate."),
        field(.environment, "The environment."), field(.connection, "The connection, such as c1."),
        field(.verification, "Result of verifying the provider token."),
        .any("outcome", .word(.outcome), "Accepted or rejected.") { $0.query.outcomes = $1 },
        field(.status, "Status of the response."),
        .any("reason", reason, "Reason of the rejection.") { $0.query.reasons = $1 },
        .any(
            "delivery", .words(PushQuery.deliveryNames, schema: .word(.deliveryState), \.self),
            "Delivery state of the notification."
        ) { $0.query.deliveries = $1 },
        .any("lint", Form<Lint>.word(.lint), "A warning that the push has.") { $0.conditions.append(.lint(Set($1))) },
        .searches("A search, such as type:alert is:rejected \"words\".") { $0.searches = $1 }, payload,
    ]

    var query = PushQuery()
    private(set) var hasCursor = false
    private var ids: [PushID] = []
    private var devices: [DeviceReference] = []
    private var conditions: [Condition] = []
    /// The searches, of which one must match.
    private(set) var searches: [SearchText] = []

    private var allConditions: [Condition] { conditions + (searches.isEmpty ? [] : [.any(searches.map(\.condition))]) }

    var isNarrowed: Bool {
        hasCursor || query.before != nil || !ids.isEmpty || !query.tokens.isEmpty || !devices.isEmpty
            || !query.topics.isEmpty || !query.deliveries.isEmpty || !query.outcomes.isEmpty || !query.reasons.isEmpty
            || !allConditions.isEmpty
    }

    /// Whether a push may match later that does not match now, or the reverse.
    var mayChange: Bool { !query.deliveries.isEmpty || allConditions.contains(where: \.mayChange) }

    /// With devices resolved to their device tokens, and all conditions combined.
    func resolved(_ call: Route.Call) throws(Problem) -> PushSelection {
        var selection = self
        if !ids.isEmpty {
            // An id of another epoch is that of a push that was deleted by a reset.
            let epoch = call.subject.journal.extent.epoch
            selection.query.seqs = Set(ids.lazy.filter { $0.epoch == epoch }.map(\.seq))
        }
        if !devices.isEmpty { try selection.narrow(call) }
        let conditions = allConditions
        guard selection.query.condition == nil, !conditions.isEmpty else { return selection }
        let condition = Condition.all(conditions)
        selection.query.condition = condition.query(in: call.subject.context, call.scan.budget)
        return selection
    }

    /// The same selection without its searches.
    var withoutSearches: PushSelection {
        var selection = self
        selection.searches = []
        return selection
    }

    /// Selects only pushes to the device tokens of these devices, valid and invalid.
    private mutating func narrow(_ call: Route.Call) throws(Problem) {
        var tokens: [DeviceToken] = []
        for reference in devices {
            let device = try call.withDevices(try call.devices.device(reference))
            tokens += device.registrations.map(\.token)
        }
        let wanted = Set(tokens)
        query.tokens = query.tokens.isEmpty ? tokens : query.tokens.filter(wanted.contains)
        // An empty list would mean all device tokens.
        if query.tokens.isEmpty { query.condition = { _, _ in false } }
    }

    /// The maximum number of evicted pushes that could have matched.
    func evicted(_ extent: Journal.Extent) -> UInt64 { extent.evicted(after: query.after, before: query.before) }

    static func note(_ lost: UInt64) -> String? {
        guard lost > 0 else { return nil }
        return "The journal dropped up to \(lost) of these pushes to make room, and some may have matched."
            + " Raise --max-pushes or --max-bytes to keep more, or narrow the request with after=<seq>."
    }

    private static let mostIDs = 1_000

    private static let id = Form<PushID>(ofText: "the id of a push: psh_ with 16 characters", schema: .pushID) {
        PushID($0)
    }

    private static let device = Form<DeviceReference>(
        ofText: DeviceReferenceText.expected, schema: .text("^(@.+|([0-9a-fA-F]{2}){1,100}|dev_[0-9a-f]{16})$")
    ) { DeviceReferenceText.reference($0) }

    private static let pushType: Form<PushType> = {
        let names = PushType.allCases.map(\.name)
        return Form(ofText: names.joined(separator: ", "), candidates: names, schema: .words(names)) { text in
            PushType.allCases.first { $0.name == text }
        }
    }()

    private static let reason = Form<Reason>(
        ofText: "a reason in Apple's spelling, such as BadDeviceToken", candidates: Reason.allCases.map(\.name),
        schema: .reason
    ) { Reason(name: $0) }

    private static func field(_ field: PushField, _ description: String) -> Parameter<PushSelection> {
        let words = field.row.values
        let form: Form<String> = words.isEmpty ? .text("a value") : .words(words, \.self)
        return .any(field.rawValue, form, description) { selection, values in
            let values = values.map { Condition.requirement(.field(field, equals: $0)) }
            selection.conditions.append(.any(values))
        }
    }

    private static let payload: Parameter<PushSelection> = {
        let row = ParameterRow(
            name: "payload" + QueryReader.familyMark, schema: .dictionary(of: .text),
            description: "A value of the payload, with a JSON Pointer in brackets: payload[/aps/alert/title]=Hi.")
        let pointer = Form<JSONPointer>(ofText: JSONPointer.expected) { JSONPointer($0) }
        return Parameter(row: row) { query, selection in
            for (pointer, value) in query.family(row.name, pointer) {
                selection.conditions.append(SearchTerm.payload(pointer, equals: value))
            }
        }
    }()
}

extension Parameter {
    /// Searches, of which a push must match one.
    static func searches(
        _ description: String, set: @escaping @Sendable (inout Product, [SearchText]) -> Void
    ) -> Parameter {
        let schema = Schema.text(atLeast: 1)
        let row = ParameterRow(name: "q", schema: schema, description: description, isRepeatable: true)
        return Parameter(row: row) { query, product in
            var searches: [SearchText] = []
            for text in query.values("q", .text("a search")) {
                do throws(SearchText.Failure) { searches.append(try SearchText(text, now: query.now)) } catch {
                    query.complain("q", error.message(in: text), error.suggestion(in: text))
                }
            }
            if !searches.isEmpty { set(&product, searches) }
        }
    }

    static func limit(_ set: @escaping @Sendable (inout Product, Int) -> Void) -> Parameter {
        .once("limit", .whole(1...1_000), "Maximum number of entries.", default: 50, set: set)
    }

    static func order(_ set: @escaping @Sendable (inout Product, PushQuery.Order) -> Void) -> Parameter {
        .once("order", .word, "Oldest or newest first.", set: set)
    }
}

/// How long a request waits, and for how many pushes.
struct PushWait: Sendable {
    struct Outcome {
        /// 0 for a request that does not wait.
        let wanted: Int
        let waitedMilliseconds: Int
    }

    /// In microseconds; `nil` for a request that does not wait.
    private var limit: Int64?
    private var count = 1

    static let time = Parameter<PushWait>.once(
        "wait", .wait, "Wait until enough pushes match, but no longer than this."
    ) { $0.limit = $1 }

    static let count = Parameter<PushWait>.once(
        "count", .whole(1...1_000_000), "Number of pushes to wait for; requires wait."
    ) { $0.count = $1 }.checked { query in
        if query.texts("wait").isEmpty, !query.texts("count").isEmpty {
            query.complain("count", "says how many to wait for; expected wait=5s with it")
        }
    }

    func run(_ selection: PushSelection, _ call: Route.Call) async throws(Problem) -> Outcome {
        guard let limit else { return Outcome(wanted: 0, waitedMilliseconds: 0) }
        let started = ContinuousClock.now
        var counter = PushCounter(call.subject.journal, selection.query, mayChange: selection.mayChange)
        _ = try await call.search { (scan) async throws(SearchFailure) in
            try await scan.wait(on: call.subject.pushes.watch, atMost: limit) { () async throws(SearchFailure) in
                try await counter.count(scan) >= count
            }
        }
        let waited = started.duration(to: .now) / .milliseconds(1)
        return Outcome(wanted: count, waitedMilliseconds: Int(waited))
    }
}
