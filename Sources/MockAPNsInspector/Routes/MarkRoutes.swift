internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// Lines between pushes, for people who look: where a test began, say.
enum MarkRoutes {
    static let group = RouteGroup(
        "marks",
        "Lines between pushes, for people who look at them.",
        [
            Route("GET", "/api/v1/marks", "List the marks", answer: list)
                .detail("The latest 1,000, the oldest first. A reset of the pushes takes them away.")
                .takes([
                    Route.Parameter("after", .count, "Only those set behind this number, or with it.")
                ])
                .gives(.json(MarkListShape.self, "The marks.")),
            Route("POST", "/api/v1/marks", "Set a mark", answer: add)
                .reads(
                    Route.Body(
                        schema: .closed(["text": .text(atLeast: 1)], required: ["text"]),
                        example: ["text": "test \"shipsOrder\" started"]
                    )
                )
                .gives(.json(MarkShape.self, "The mark.", status: 201))
                .fails(.unusableValue),
        ]
    )

    /// The longest text, in characters.
    static let longestText = 200

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        var reader = call.query
        let after = reader.value("after", .seqText) ?? 0
        try reader.finish()
        let marks = call.subject.world.marks.filter { $0.seq >= after }
        return .json(APIObject<MarkListShape> { $0.marks = marks.map(APIObject.init) })
    }

    static func add(_ call: Route.Call) throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: ["text"])
        let text = body.required("text", .text("a text")) ?? ""
        try body.finish()
        guard (1...longestText).contains(text.count) else {
            let message = "has \(text.count) characters; expected 1 to \(longestText)"
            throw Problem(
                kind: .unusableValue,
                detail: "'/text' \(message).",
                complaints: [Complaint(path: "/text", message: message)]
            )
        }
        return .json(APIObject<MarkShape>(call.subject.world.mark(text)), status: 201)
    }
}

extension APIObject<MarkShape> {
    /// A mark.
    init(_ mark: Mark) {
        self.init()
        self.at = mark.at.rfc3339
        self.id = "mrk_\(mark.number)"
        self.seq = mark.seq
        self.text = mark.text
    }
}
