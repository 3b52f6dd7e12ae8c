internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery

/// What happens, as it happens.
enum EventRoutes {
    static let group = RouteGroup(
        "events",
        "What happens, as it happens.",
        [
            .get("/api/v1/events", "Follow what happens", stream)
                .detail(
                    "Server-Sent Events; the data of each is the object that the rest of the API shows,"
                        + " as it is when the event is sent. Last-Event-ID, or after=, continues behind a number;"
                        + " without, the stream begins with what happens next. gap tells of numbers of which events"
                        + " are not kept any more, or were more than maxRate allows."
                )
                .takes(query)
                .example(query: "?types=push.*&after=0")
                .gives(.other(APIResponse.events, "The events, and closed at the end."))
                .fails(.tooManyStreams)
        ]
    )

    private struct Query: Sendable {
        var filter = EventFeed.Filter()
        var after: UInt64?
    }

    private static let query = QueryForm(
        Query(),
        types,
        .searches("Only pushes that a search finds; of other events it says nothing.") {
            $0.filter.condition = $1
        },
        .once("after", .seq, "Begin behind this number; 0 for everything kept.") { $0.after = $1 },
        .once("fields", .word, "How much to say of a push: as in a list, all of it by default.") {
            $0.filter.fields = $1
        },
        .once(
            "maxRate",
            .whole(1...1_000),
            "How many events to tell in a second at most; gap tells of those that are left out."
        ) { $0.filter.maxRate = $1 }
    )

    private static let types: Parameter<Query> = {
        let patterns = EventType.patterns.joined(separator: ", ")
        let row = ParameterRow(
            name: "types",
            schema: Schema.text("^[a-z*.,-]+$").example("push.*,device.*"),
            description: "Kinds of events, with commas between: \(patterns).",
            isRepeatable: true
        )
        return Parameter(row: row) { query, product in
            let lists = query.values(row.name, .text("kinds of events"))
            for pattern in lists.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
                if let types = EventType.types(of: String(pattern)) {
                    product.filter.types.formUnion(types)
                } else {
                    query.complain(
                        row.name,
                        "has '\(pattern)'; expected one of \(patterns)",
                        Suggestion.nearest(to: String(pattern), among: EventType.patterns)
                    )
                }
            }
        }
    }()

    static func stream(_ call: Route.Call) throws(Problem) -> APIResponse {
        var query = try call.read(query)
        // A client that comes back asks as it did at first, and says how far it has got.
        if let text = call.request.lastEventID {
            query.after = UInt64(digits: text)
            guard query.after != nil else {
                let message = "has the value '\(text)'; expected the id of an event"
                throw Problem(
                    kind: .badParameter,
                    detail: "'Last-Event-ID' \(message).",
                    complaints: [Complaint(path: "Last-Event-ID", message: message)]
                )
            }
        }
        guard call.request.method != "HEAD" else { return .events(NoEvents()) }
        return .events(EventFeed(query.filter, after: query.after, in: call.subject))
    }
}
