internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// Which pushes the parameters of a request ask for.
///
/// Parameters of different names must all hold; one that is repeated means any of its values.
struct PushSelection: Sendable {
    /// The parameters that narrow a list of pushes.
    static let parameters: [Parameter<PushSelection>] = [
        .once("after", .seq, "Only pushes with a larger number: the cursor.") {
            $0.query.after = $1
            $0.hasCursor = true
        },
        .once("before", .seq, "Only pushes with a smaller number.") { $0.query.before = $1 },
        .once("since", .time, "Only pushes that arrived from this time on.") {
            $0.conditions.append(.since($1))
        },
        .any("token", .deviceToken, "The device token.") { $0.query.tokens = $1 },
        .any("device", device, "The device: @label, a device token, or an id.") { $0.devices = $1 },
        .any("topic", .text("a topic", schema: .topic), "The topic.") { $0.query.topics = $1 },
        .any("pushType", pushType, "The push type.") {
            $0.conditions.append(.any($1.map { .requirement(.field(.pushType, equals: $0.name)) }))
        },
        field(.priority, "apns-priority."),
        field(.collapseId, "apns-collapse-id."),
        field(.apnsId, "The apns-id of the answer."),
        field(.keyId, "The key of the provider token."),
        field(.teamId, "The team of the provider token."),
        field(.environment, "The service pushed to."),
        field(.connection, "The connection: c1, say."),
        field(.verification, "What came of looking at the provider token."),
        .any("outcome", .word(.outcome), "Accepted or rejected.") { $0.query.outcomes = $1 },
        field(.status, "The status of the answer."),
        .any("reason", reason, "Apple's reason.") { $0.query.reasons = $1 },
        .any(
            "delivery",
            .words(PushQuery.deliveryNames, schema: .word(.deliveryState), \.self),
            "What has become of the notification."
        ) { $0.query.deliveries = $1 },
        .any("lint", Form<Lint>.word(.lint), "A lint that finds something.") {
            $0.conditions.append(.lint(Set($1)))
        },
        .searches("A search: type:alert is:rejected \"words\".") { $0.conditions.append($1) },
        payload,
    ]

    var query = PushQuery()
    /// Whether the request reads on from a number.
    private(set) var hasCursor = false
    private var devices: [DeviceReference] = []
    private var conditions: [Condition] = []

    /// Whether there is anything that not every push is.
    var isNarrowed: Bool {
        hasCursor || query.before != nil || !query.tokens.isEmpty || !devices.isEmpty
            || !query.topics.isEmpty || !query.deliveries.isEmpty || !query.outcomes.isEmpty
            || !query.reasons.isEmpty || !conditions.isEmpty
    }

    /// Whether a push that was looked at may become another answer.
    var mayChange: Bool { !query.deliveries.isEmpty || conditions.contains(where: \.mayChange) }

    /// Looks up what only the world knows, and makes one question of everything.
    ///
    /// - Throws: `Problem` for a device that is not there.
    mutating func resolve(_ call: Route.Call) throws(Problem) {
        if !devices.isEmpty { try narrow(call) }
        guard query.condition == nil, !conditions.isEmpty else { return }
        query.condition = Condition.all(conditions).query(in: call.subject.context, call.scan.budget)
    }

    /// Only pushes to the tokens of these devices, living and dead.
    private mutating func narrow(_ call: Route.Call) throws(Problem) {
        var tokens: [DeviceToken] = []
        for reference in devices {
            let device = try call.withDevices { devices throws(DeviceError) in try devices.device(reference) }
            tokens += device.registrations.map(\.token)
        }
        let wanted = Set(tokens)
        query.tokens = query.tokens.isEmpty ? tokens : query.tokens.filter(wanted.contains)
        // An empty list would mean every token.
        if query.tokens.isEmpty { query.condition = { _, _ in false } }
    }

    // MARK: What is not kept

    /// Returns the largest number of pushes in the window that may have been dropped to make room.
    func evicted(_ extent: Journal.Extent) -> UInt64 {
        extent.evicted(after: query.after, before: query.before)
    }

    /// What to tell of pushes that are not kept any more.
    static func note(_ lost: UInt64) -> String? {
        guard lost > 0 else { return nil }
        return "Dropped to make room, and perhaps a match: up to \(lost) of the pushes asked for."
            + " --max-pushes and --max-bytes keep more; after=<seq> asks for less."
    }

    // MARK: Parameters

    private static let device = Form<DeviceReference>(
        ofText: DeviceReferenceText.expected,
        schema: .text("^(@.+|([0-9a-fA-F]{2}){1,100}|dev_[0-9a-f]{16})$")
    ) { DeviceReferenceText.reference($0) }

    private static let pushType: Form<PushType> = {
        let names = PushType.allCases.map(\.name)
        return Form(ofText: names.joined(separator: ", "), candidates: names, schema: .words(names)) { text in
            PushType.allCases.first { $0.name == text }
        }
    }()

    private static let reason = Form<Reason>(
        ofText: "a reason in Apple's spelling, such as BadDeviceToken",
        candidates: Reason.allCases.map(\.name),
        schema: .reason
    ) { Reason(name: $0) }

    /// A parameter that is the value of a field.
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
            name: "payload" + QueryReader.familyMark,
            schema: .dictionary(of: .text),
            description:
                "A value of the payload, with its JSON Pointer in brackets: payload[/aps/alert/title]=Hi."
        )
        let pointer = Form<JSONPointer>(ofText: JSONPointer.expected) { JSONPointer($0) }
        return Parameter(row: row) { query, selection in
            for (pointer, value) in query.family(row.name, pointer) {
                selection.conditions.append(SearchTerm.payload(pointer, equals: value))
            }
        }
    }()
}

// MARK: Parameters of several lists

extension Parameter {
    /// Searches; a push has to match one of them.
    static func searches(
        _ description: String,
        set: @escaping @Sendable (inout Product, Condition) -> Void
    ) -> Parameter {
        let row = ParameterRow(
            name: "q",
            schema: .text(atLeast: 1),
            description: description,
            isRepeatable: true
        )
        return Parameter(row: row) { query, product in
            var conditions: [Condition] = []
            for text in query.values("q", .text("a search")) {
                do throws(SearchText.Failure) {
                    conditions.append(try SearchText(text, now: query.now).condition)
                } catch {
                    query.complain("q", error.message(in: text), error.suggestion)
                }
            }
            if !conditions.isEmpty { set(&product, .any(conditions)) }
        }
    }

    /// The length of a list.
    static func limit(_ set: @escaping @Sendable (inout Product, Int) -> Void) -> Parameter {
        .once("limit", .whole(1...1_000), "The most entries of the answer.", default: 50, set: set)
    }

    /// The order of a list.
    static func order(_ set: @escaping @Sendable (inout Product, PushQuery.Order) -> Void) -> Parameter {
        .once("order", .word, "Oldest or newest first.", set: set)
    }
}
