package import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

/// What a request says about a fault.
package struct FaultBody: Sendable {
    package typealias Match = (match: FaultDraft.Match?, connections: FaultDraft.Connections)

    package var change = Faults.Change()
    /// There has to be one.
    var actionCount: Int?
    /// The parameters of a preset.
    package var choices: [String: FaultPreset.Value] = [:]

    package func checkAction() throws(Problem) {
        guard let count = actionCount, count != 1 else { return }
        let names = FaultAction.names.joined(separator: ", ")
        throw .unusable("/do", "has \(count) actions; expected exactly one of \(names)")
    }
}

extension Form where Value == FaultBody {
    package static let faultDraft = fault(.required("do", .faultActions, set: setActions)).described(as: "Fault")

    /// A part that is given replaces the whole part.
    package static let faultChange = fault(.optional("do", .faultActions, set: setActions))

    /// A fault that does not exist, for a dry run.
    package static let faultRehearsal = object(FaultBody(), match, when)

    package static func faultPreset(_ parameters: [FaultPreset.Parameter]) -> Form {
        object(FaultBody(), [name, isEnabled, match] + parameters.map(choice))
    }

    /// On a command line, which has its own words for the pushes that a fault is for.
    static func faultChoices(_ parameters: [FaultPreset.Parameter]) -> Form {
        object(FaultBody(), parameters.map(choice))
    }

    private static let name = Field<Value>.optional("name", .text("a name: text of 1 to 100 bytes"), "1 to 100 bytes.")
    { $0.change.name = $1 }
    private static let isEnabled = Field<Value>.optional("enabled", .boolean) { $0.change.isEnabled = $1 }
    private static let match = Field<Value>.optional("match", matchForm) { $0.change.match = $1 }
    private static let when = Field<Value>.optional("when", .faultTrigger) { $0.change.when = $1 }

    private static let setActions: @Sendable (inout Value, [FaultAction?]) -> Void = {
        ($0.change.action, $0.actionCount) = ($1.first ?? nil, $1.count)
    }

    private static func fault(_ action: Field<Value>) -> Form {
        object(FaultBody(), name, isEnabled, match, when, action)
    }

    private static func choice(_ parameter: FaultPreset.Parameter) -> Field<Value> {
        let form: Form<FaultPreset.Value> =
            switch parameter.standard {
            case .count: Form<Int>.whole(0...Int(Int32.max)).map { value, _ in .count(value) }
            case .duration: Form<Int64>.duration.map { value, _ in .duration(value) }
            case .fraction: Form<Double>.fraction.map { value, _ in .fraction(value) }
            }
        return .optional(parameter.name, form, parameter.meaning) { $0.choices[parameter.name] = $1 }
    }

    private static let connectionMembers = ["id", "remote", "environment"]

    /// The conditions of a verification, and conditions on the connection.
    ///
    /// If the object `connection` has one of their names, it has conditions on the connection.
    private static let matchForm = Form<FaultBody.Match>(expected: "an object") { use in
        let connection = Form<FaultDraft.Connections>.faultConnections.schema(use)
        var members = MatcherSchema.members
        members["connection"] = members["connection"].map { .either($0, connection) } ?? connection
        return Schema.closed(members).described(
            "Which pushes and connections it is for; everything must hold. Without, all.")
    } parts: { given, reader in
        guard var members = reader.members(of: given) else { return nil }
        var match: FaultBody.Match = (nil, FaultDraft.Connections())
        if let given = members["connection"], case .object(let connection) = given,
            connection.isEmpty || connectionMembers.contains(where: { connection[$0] != nil })
        {
            reader.enter(.member("connection"))
            match.connections = Form<FaultDraft.Connections>.faultConnections.read(given, &reader) ?? match.connections
            reader.leave()
            members["connection"] = nil
        }
        let conditions = JSONValue.object(members)
        guard let matcher = Form<PushMatcher>.matcher.read(conditions, &reader) else { return nil }
        for (member, part) in matcher.partsKnownLater {
            reader.complain("asks for \(part), which is not known yet when a push arrives", at: member)
        }
        match.match = matcher.faultMatch(text: String(decoding: conditions.text, as: UTF8.self))
        return match
    }.described(as: "FaultMatch")
}

extension Form where Value == FaultTrigger {
    static let faultTrigger = object(
        FaultTrigger(), .optional("skip", .many, "The number of pushes to skip first.", as: \.skip),
        .optional("times", .some, "The most times it fires.", as: \.times),
        .optional("every", .some, "Fires for every nth push.", as: \.every),
        .optional("probability", .fraction, "The probability of firing.", as: \.probability),
        .optional("from", .time, "Not before this time.", as: \.from),
        .optional("until", .time, "Not from this time on.", as: \.until),
        .optional("afterIdle", .duration, "Only after this pause on the connection.", as: \.afterIdle),
        .optional(
            "afterRequests", .many, "Only after this many requests on the connection.",
            get: { $0.afterRequests > 0 ? $0.afterRequests : nil }
        ) { $0.afterRequests = $1 }
    ).described(as: "FaultTrigger")
}

extension Form where Value == Int {
    /// A number from 0 on.
    fileprivate static let many = whole(0...Int(Int32.max))
    /// A number from 1 on.
    fileprivate static let some = whole(1...Int(Int32.max))
}

extension Form where Value == FaultDraft.Connections {
    static let faultConnections = object(
        FaultDraft.Connections(),
        .optional("id", .oneOrMore(connectionID), get: { $0.ids.isEmpty ? nil : $0.ids }) { $0.ids = $1 },
        .optional("remote", .oneOrMore(remote), get: { $0.remotes.isEmpty ? nil : $0.remotes }) { $0.remotes = $1 },
        .optional("environment", .word, as: \.environment))

    private static let connectionID = Form<UInt64>(
        ofText: "the id of a connection, such as c7", schema: Schema.text("^c[0-9]{1,19}$").example("c7"),
        text: { ConnectionID($0).text }
    ) { ConnectionID($0)?.number }

    private static let remote = Form<String>.text(
        "an address, with or without a port", schema: Schema.text(atLeast: 1).example("127.0.0.1"))
}

extension Form {
    /// A value, or a list of them.
    fileprivate static func oneOrMore<Entry>(_ form: Form<Entry>) -> Self where Value == [Entry] {
        let list = list(of: form)
        return Self(expected: form.expected) { use in
            .either(form.schema(use), list.schema(use))
        } write: {
            list.json($0)
        } parts: { given, reader in
            if case .array = given { list.read(given, &reader) } else { form.read(given, &reader).map { [$0] } }
        }
    }
}
