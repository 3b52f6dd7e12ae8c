internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery

enum EventRoutes {
    static let group = RouteGroup(
        "events",
        "A live stream of everything that happens.",
        [
            .get("/api/v1/events", "Stream events", stream)
                .detail(
                    "Server-Sent Events. The data is the same object that other operations return, as of now."
                        + " Last-Event-ID or after= resumes after a number; by default, the stream starts with the"
                        + " next event. A gap event reports numbers whose events were evicted, or left out because"
                        + " of maxRate."
                )
                .takes(query)
                .example(query: "?types=push.*&after=0")
                .gives(.other(APIResponse.events, "The events; closed is the last."))
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
        .searches("Only pushes that match a search. Does not affect other events.") {
            $0.filter.condition = $1
        },
        .once("after", .seq, "Start after this number; 0 for everything in the journal.") {
            $0.after = $1
        },
        .once("fields", .word, "Level of detail of pushes; full by default.") {
            $0.filter.fields = $1
        },
        .once(
            "maxRate",
            .whole(1...1_000),
            "Maximum number of events per second; gap events report what is left out."
        ) { $0.filter.maxRate = $1 }
    )

    private static let types: Parameter<Query> = {
        let patterns = EventType.patterns.joined(separator: ", ")
        let row = ParameterRow(
            name: "types",
            schema: Schema.text("^[a-z*.,-]+$").example("push.*,device.*"),
            description: "Kinds of events, separated by commas: \(patterns).",
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
        // A reconnecting client repeats its first query and adds the last number it received.
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
