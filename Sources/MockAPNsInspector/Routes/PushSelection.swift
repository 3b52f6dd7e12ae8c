internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// Which pushes the parameters of a request ask for.
///
/// Parameters of different names must all hold; one that is repeated means any of its values.
struct PushSelection {
    /// The parameters that are a field's value as it is.
    private static let fields: [PushField] = [
        .priority, .collapseId, .apnsId, .keyId, .teamId, .environment, .connection, .verification, .status,
    ]

    var query = PushQuery()
    /// Whether the request reads on from a number.
    let hasCursor: Bool
    /// Whether there is anything that not every push is.
    private(set) var isNarrowed = false
    /// Whether a push that was looked at may become another answer.
    private(set) var mayChange = false

    private let devices: [DeviceReference]
    private let pushTypes: [PushType]
    private var conditions: [Condition] = []

    /// Reads the parameters; complaints stay with the reader.
    init(_ reader: inout QueryReader, in subject: InspectedServer) {
        let after = reader.value("after", .seqText)
        hasCursor = after != nil
        query.after = after ?? 0
        query.before = reader.value("before", .seqText)
        let since = reader.value("since", .time)
        query.tokens = reader.values("token", .deviceToken)
        devices = reader.values("device", Self.device)
        query.topics = reader.values("topic", .text("a topic"))
        query.deliveries = reader.values("delivery", .words(PushQuery.deliveryNames, \.self))
        pushTypes = reader.values("pushType", Self.pushType)
        query.outcomes = reader.values("outcome", .word)
        query.reasons = reader.values("reason", Self.reason)
        for field in Self.fields {
            let values = reader.values(field.rawValue, Self.form(of: field))
            guard !values.isEmpty else { continue }
            conditions.append(.any(values.map { .requirement(.field(field, equals: $0)) }))
        }
        let lints = reader.values("lint", Form<Lint>.word)
        if !lints.isEmpty { conditions.append(.noted(.lint(Set(lints)))) }
        for (pointer, value) in reader.family("payload", Self.pointer) {
            conditions.append(SearchTerm.payload(pointer, equals: value))
        }
        let now = subject.world.clock.read().system
        var searches: [Condition] = []
        for text in reader.values("q", .text("a search")) {
            do throws(SearchText.Failure) {
                searches.append(try SearchText(text, now: now).condition)
            } catch {
                reader.complain("q", error.message(in: text), error.suggestion)
            }
        }
        if !searches.isEmpty { conditions.append(.any(searches)) }
        if let since { conditions.append(.since(since)) }
        isNarrowed =
            hasCursor || query.before != nil || !query.tokens.isEmpty || !devices.isEmpty
            || !query.topics.isEmpty || !query.deliveries.isEmpty || !pushTypes.isEmpty
            || !query.outcomes.isEmpty || !query.reasons.isEmpty || !conditions.isEmpty
        mayChange = !query.deliveries.isEmpty || conditions.contains(where: \.mayChange)
    }

    /// Looks up what only the world knows, and makes one question of everything.
    ///
    /// - Throws: `Problem` for a device that is not there.
    mutating func resolve(_ call: Route.Call) throws(Problem) {
        if !devices.isEmpty { try narrow(call) }
        if !pushTypes.isEmpty {
            conditions.append(
                .any(pushTypes.map { .requirement(.field(.pushType, equals: $0.name)) })
            )
        }
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

    // MARK: Values

    private static var device: Form<DeviceReference> {
        Form(ofText: DeviceReferenceText.expected) { DeviceReferenceText.reference($0) }
    }

    private static var pushType: Form<PushType> {
        let names = PushType.allCases.map(\.name)
        return Form(ofText: names.joined(separator: ", "), candidates: names) { text in
            PushType.allCases.first { $0.name == text }
        }
    }

    private static var reason: Form<Reason> {
        Form(
            ofText: "a reason in Apple's spelling, such as BadDeviceToken",
            candidates: Reason.allCases.map(\.name)
        ) { Reason(name: $0) }
    }

    private static var pointer: Form<JSONPointer> {
        Form(ofText: JSONPointer.expected) { JSONPointer($0) }
    }

    private static func form(of field: PushField) -> Form<String> {
        let values = field.row.values
        return values.isEmpty ? .text("a value") : .words(values, \.self)
    }
}
