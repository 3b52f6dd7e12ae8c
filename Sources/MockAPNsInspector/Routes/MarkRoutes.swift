internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// Marks between pushes, such as the start of a test.
enum MarkRoutes {
    static let routes: [Route] = [
        .get("/api/v1/marks", "List marks", reads: query, list).detail(
            "The newest 1,000, oldest first. Resetting the pushes deletes them."
        ).gives(.json(MarkListShape.self, "The marks.")),
        .post("/api/v1/marks", "Create a mark", reads: draft, add).gives(
            .json(MarkShape.self, "The mark.", status: 201)
        ).fails(.unusableValue),
    ]

    private static let longestText = 200

    private static let query = QueryForm<UInt64>(
        0, .once("after", .seq, "Only marks with this number or a larger one.") { $0 = $1 })

    private static let draft = RequestBody<String>(
        .object("", .required("text", .text("a text")) { $0 = $1 }), example: ["text": "test \"shipsOrder\" started"])

    private static func list(_ call: Route.Call, after: UInt64) throws(Problem) -> APIResponse {
        let marks = call.subject.world.marks.filter { $0.seq >= after }
        return .json(MarkListShape.self, marks)
    }

    private static func add(_ call: Route.Call, _ text: String) throws(Problem) -> APIResponse {
        guard (1...longestText).contains(text.count) else {
            throw .unusable("/text", "has \(text.count) characters; expected 1 to \(longestText)")
        }
        return .json(MarkShape.self, call.subject.world.mark(text), status: 201)
    }
}
