internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery

enum EventRoutes {
    static let routes: [Route] = [
        .get("/api/v1/events", "Stream events", reads: query, stream).detail(
            "Server-Sent Events. The data is the same object that other operations return, as of now."
                + " Last-Event-ID or after= resumes after a number; by default, the stream starts with the"
                + " next event. A gap event reports numbers whose events were evicted, or left out because"
                + " of maxRate."
        ).example(query: "?types=push.*&after=0").gives(.other(APIResponse.events, "The events; closed is the last."))
            .fails(.tooManyStreams)
    ]

    private struct Query: Sendable {
        var filter = EventFeed.Filter()
        var after: UInt64?
    }

    private static let query = QueryForm(
        Query(), types,
        .searches("Only pushes that match a search. Does not affect other events.") {
            $0.filter.condition = .any($1.map(\.condition))
        }, .once("after", .seq, "Start after this number; 0 for everything in the journal.") { $0.after = $1 },
        .once("fields", .word, "Level of detail of pushes; full by default.") { $0.filter.fields = $1 },
        .once("maxRate", .whole(1...1_000), "Maximum number of events per second; gap events report what is left out.")
        { $0.filter.maxRate = $1 },
        .once("past", .yes, "Only the events so far: the stream ends after the newest.") { $0.filter.isPast = $1 })

    private static let types: Parameter<Query> = {
        let patterns = EventType.patterns.joined(separator: ", ")
        let row = ParameterRow(
            name: "types", schema: Schema.text("^[a-z*.,-]+$").example("push.*,device.*"),
            description: "Kinds of events, separated by commas: \(patterns).", isRepeatable: true)
        return Parameter(row: row) { query, product in
            let lists = query.values(row.name, .text("kinds of events"))
            for pattern in lists.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
                if let types = EventType.types(of: String(pattern)) {
                    product.filter.types.formUnion(types)
                } else {
                    query.complain(
                        row.name, "has '\(pattern)'; expected one of \(patterns)",
                        Suggestion.nearest(to: String(pattern), among: EventType.patterns))
                }
            }
        }
    }()

    private static func stream(_ call: Route.Call, _ query: Query) throws(Problem) -> APIResponse {
        var after = query.after
        // A reconnecting client repeats its first query and adds the last number it received.
        if let text = call.request["Last-Event-ID"].last {
            guard let last = UInt64(digits: text) else {
                let message = "has the value '\(text)'; expected the id of an event"
                throw Problem(.badParameter, at: "Last-Event-ID", message)
            }
            after = last
        }
        guard call.request.method != "HEAD" else { return .events(NoEvents()) }
        return .events(EventFeed(query.filter, after: after, in: call.subject))
    }
}
