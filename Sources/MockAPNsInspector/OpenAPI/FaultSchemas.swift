internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// The schemas of faults and presets.
enum FaultSchemas {
    static let all: [String: Schema] = [
        "FaultDraft": draft,
        "FaultMatch": match(isNullable: false), "FaultMatchDraft": match(isNullable: true),
        "FaultTriggerDraft": FaultTriggerShape.definition.schema(.draft),
        "FaultAction": action(.request), "FaultActionDraft": action(.draft),
    ]

    static let preset = Schema.word(.faultPreset)

    private static let name = Schema.text(atLeast: 1).described("1 to 100 bytes.")

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
        var members = VerifyRoutes.matchMembers
        members["connection"] = members["connection"].map { .either($0, connection) } ?? connection
        return .closed(members).described(
            "Which pushes and connections it is for; everything must hold. Without, all."
        )
    }

    private static func action(_ use: SchemaUse) -> Schema {
        FaultActionShape.definition.schema(use).exactlyOneMember.described("Exactly one action.")
    }
}
