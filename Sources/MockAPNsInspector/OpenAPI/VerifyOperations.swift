internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery

/// What the API says of verifications.
enum VerifyOperations {
    private static let titleMatch: JSONValue = [
        "topic": "com.example.app", "payload": ["at": "/aps/alert/title", "equals": "Hi"],
    ]

    static let table = OperationTable(
        name: "verify",
        description: "Assertions: 200 when they hold, 409 with the nearest misses when they do not. With"
            + " Accept: text/plain, the report alone.",
        operations: [
            Operation(
                "POST",
                "/api/v1/pushes/verify",
                "Verify that pushes have arrived",
                description: "within waits for enough; settle goes on watching for one too many.",
                body: Operation.Body(
                    schema: .named("Verification"),
                    example: ["match": titleMatch, "count": ["exactly": 1], "after": 0, "within": "5s"]
                ),
                answers: [.json(VerifiedShape.self, "They have.")],
                problems: [.verificationFailed, .namespaceGone, .notReady]
            ),
            Operation(
                "POST",
                "/api/v1/pushes/verify-sequence",
                "Verify that pushes have arrived one after the other",
                body: Operation.Body(
                    schema: .closed(
                        [
                            "steps": .listWithEntries(of: .named("Match")),
                            "strict": .boolean.described("Whether no other push may come between."),
                            "after": .count, "within": .wait,
                        ],
                        required: ["steps"]
                    ),
                    example: ["steps": [titleMatch, ["pushType": "background"]], "after": 0]
                ),
                answers: [.json(VerifiedShape.self, "They have.")],
                problems: [.verificationFailed, .namespaceGone, .notReady]
            ),
            Operation(
                "POST",
                "/api/v1/pushes/verify-none-unverified",
                "Verify that every push was matched by a verification",
                body: Operation.Body(
                    schema: .closed(["after": .count, "match": .named("Match")]),
                    example: ["after": 0],
                    isRequired: false
                ),
                answers: [.json(NoneUnverifiedShape.self, "Every one was.")],
                problems: [.verificationFailed]
            ),
            Operation(
                "POST",
                "/api/v1/pushes/explain",
                "Explain why a push matches or does not",
                body: Operation.Body(
                    schema: .closed(
                        [
                            "match": .named("Match"),
                            "id": PathParts.all[0].schema.described("The push."),
                        ],
                        required: ["match", "id"]
                    ),
                    example: ["match": titleMatch, "id": "seq:1"]
                ),
                answers: [
                    Operation.Answer(
                        description: "Each condition, with what was expected and what is.",
                        content: [APIResponse.json: .named("Explanation"), APIResponse.text: .text],
                        shapes: [APIObject<ExplanationShape>.self]
                    )
                ],
                problems: [.unknownPush, .badPath]
            ),
        ],
        schemas: [
            "Match": match,
            "Operators": operators,
            "Verification": verification,
        ]
    )

    private static let verification = Schema.closed(
        [
            "match": .named("Match"),
            "count": .either(
                .count,
                .closed(["exactly": .count], required: ["exactly"]),
                .closed(["atLeast": .count, "atMost": .count]),
                .closed(["never": .constant(true)], required: ["never"])
            ),
            "after": .count.described("Only pushes with a larger number."),
            "before": .count.described("Only pushes with a smaller number."),
            "within": .wait.described("How long to wait for enough."),
            "settle": .wait.described("How long to go on watching for one too many."),
        ],
        required: ["match"]
    )

    /// A bare value means equals; an object is operators.
    private static let value = Schema.either(.text, .number, .boolean, .named("Operators"))

    /// Of a field with words of its own, no other word is taken.
    private static func value(of field: PushField) -> Schema {
        let words = field.row.values
        return words.isEmpty || field == .pushType ? value : .either(.words(words), .named("Operators"))
    }

    private static let operators = Schema.closedWithMembers(operatorMembers)

    private static let operatorMembers: [String: Schema] = Dictionary(
        uniqueKeysWithValues: Comparison.Operator.allCases.map { ($0.rawValue, operand(of: $0)) }
    )

    private static func operand(of kind: Comparison.Operator) -> Schema {
        let schema: Schema =
            switch kind {
            case .equals, .equalsJSON, .includes, .not: .anything
            case .contains, .startsWith, .endsWith, .matches: .text
            case .in: .list(of: .anything)
            case .gt, .gte, .lt, .lte: .number
            case .present, .absent: .boolean
            }
        return schema.described("Takes \(kind.expects).")
    }

    /// The members of a matcher.
    static let matchMembers: [String: Schema] = {
        var members: [String: Schema] = [:]
        for field in PushField.allCases where !PushField.verdictFields.contains(field) {
            members[field.rawValue] = value(of: field)
        }
        members["headers"] = Schema.dictionary(of: value, names: "^[^A-Z]*$").described(
            "Headers, by their names in lower case."
        )
        let payload = Schema.closed(
            operatorMembers.merging([
                "at": Schema.text("^(/([^~/]|~[01])*)*$").described(
                    "A JSON Pointer; the whole payload without."
                )
            ]) {
                first,
                _ in first
            }
        )
        members["payload"] = .either(payload, .list(of: payload))
        members["verdict"] = .closed(
            Dictionary(uniqueKeysWithValues: PushField.verdictFields.map { ($0.rawValue, value(of: $0)) })
        )
        members["lint"] = Schema.either(.word(.lint), .named("Operators")).described(
            "A lint that finds something, or operators on the list of those that do."
        )
        members["q"] = Schema.text("\\S", example: "type:alert is:delivered").described(
            "A search, as in the parameter q."
        )
        return members
    }()

    private static let match = Schema.closed(matchMembers).described(
        "What a push has to be; everything must hold."
    )
}
