internal import MockAPNsFormats
internal import MockAPNsWorld

/// The schemas of faults and presets.
enum FaultSchemas {
    static let all: [String: Schema] = [
        "Fault": fault,
        "FaultList": .object(["faults": .list(of: .named("Fault"))]),
        "FaultDraft": draft,
        "FaultMatch": match(isNullable: false), "FaultMatchDraft": match(isNullable: true),
        "FaultTrigger": trigger(isNullable: false), "FaultTriggerDraft": trigger(isNullable: true),
        "FaultAction": FaultActionSchemas.action(isNullable: false),
        "FaultActionDraft": FaultActionSchemas.action(isNullable: true),
        "FaultPresetList": .object(["presets": .list(of: presetShown)]),
        "FaultDryRun": .object([
            "hits": .count.described("How many it would have happened to."),
            "matched": .count.described("How many pushes fit."),
            "pushes": .list(of: .pushID).described("The last 50 that it would have happened to."),
            "journal": .named("Journal"),
            "note": .text.orNull,
        ]),
    ]

    static let preset = Schema.words(FaultPreset.all.map(\.name))

    private static let name = Schema.text(atLeast: 1).described("1 to 100 bytes.")

    private static let fault = Schema.object([
        "id": .faultID,
        "position": .count.described("Its place in the list, from 1."),
        "name": name.orNull,
        "preset": preset.orNull.described("The preset that it was made of."),
        "enabled": .boolean,
        "match": .named("FaultMatch"),
        "when": .named("FaultTrigger"),
        "do": .named("FaultAction"),
        "stats": .object([
            "evaluated": .count.described("How often it was asked."),
            "fired": .count,
            "lastFiredAt": .time.orNull,
            "firedFor": .list(of: .pushID).described("The last pushes that it happened to."),
            "draws": .list(
                of: .object([
                    "number": .count, "for": .words(FaultDraw.Use.self), "value": .number, "fired": .boolean,
                ])
            ).described("The last random numbers."),
        ]),
    ])

    // MARK: Bodies

    private static let draft = Schema.closed(
        [
            "name": name.orNull, "enabled": Schema.boolean.orNull,
            "match": Schema.named("FaultMatchDraft").orNull, "when": Schema.named("FaultTriggerDraft").orNull,
            "do": .named("FaultActionDraft"),
        ],
        required: ["do"]
    )

    /// What of a fault is to change; a part that is given takes the place of the whole part.
    static let change = Schema.closed([
        "name": name, "enabled": .boolean, "match": .named("FaultMatch"), "when": .named("FaultTrigger"),
        "do": .named("FaultAction"),
    ])

    static let rehearsal = Schema.closed([
        "match": Schema.named("FaultMatchDraft").orNull, "when": Schema.named("FaultTriggerDraft").orNull,
    ])

    static let presetBody: Schema = {
        var members: [String: Schema] = [
            "name": name.orNull, "enabled": Schema.boolean.orNull,
            "match": Schema.named("FaultMatchDraft").orNull,
        ]
        for parameter in FaultPreset.all.flatMap(\.parameters) where members[parameter.name] == nil {
            let value: Schema =
                switch parameter.standard {
                case .count: .integer(0...Int(Int32.max))
                case .duration: .duration
                case .fraction: .fraction
                }
            members[parameter.name] = value.orNull.described(parameter.meaning)
        }
        return .closed(members)
    }()

    private static let presetShown = Schema.object([
        "name": preset, "meaning": .text,
        "source": .text.described("Who has seen it, or says that it happens."),
        "parameters": .list(
            of: .object([
                "name": .text, "default": .either(.count, .duration, .fraction), "meaning": .text,
            ])
        ),
    ])

    // MARK: Parts

    /// What a matcher takes, and conditions on the connection.
    private static func match(isNullable: Bool) -> Schema {
        func part(_ schema: Schema) -> Schema { isNullable ? schema.orNull : schema }
        func oneOrMore(_ schema: Schema) -> Schema { part(.either(schema, .list(of: schema))) }
        let connection = Schema.closed([
            "id": oneOrMore(.text("^c[0-9]{1,19}$").example("c7")),
            "remote": oneOrMore(.text(atLeast: 1).example("127.0.0.1")),
            "environment": part(.environment),
        ])
        var members = VerifyOperations.matchMembers
        members["connection"] = members["connection"].map { .either($0, connection) } ?? connection
        return .closed(members).described(
            "Which pushes and connections it is for; everything must hold. Without, all."
        )
    }

    private static func trigger(isNullable: Bool) -> Schema {
        let times = Schema.integer(1...Int(Int32.max))
        let others = Schema.integer(0...Int(Int32.max))
        let members: [String: Schema] = [
            "skip": others.described("So many pass before the first."),
            "times": times.described("So many times at most."),
            "every": times.described("Each, each second, each third."),
            "probability": .fraction.described("How likely."),
            "from": .time.described("Not before this time."),
            "until": .time.described("Not from this time on."),
            "afterIdle": .duration.described("Only after so long without a request on the connection."),
            "afterRequests": others.described("Only after so many requests on the connection."),
        ]
        return .closed(isNullable ? members.mapValues(\.orNull) : members)
            .described("When it fires. Without, always.")
    }
}
