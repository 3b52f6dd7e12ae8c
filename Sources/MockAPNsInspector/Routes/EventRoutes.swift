internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery

/// What happens, as it happens.
enum EventRoutes {
    static let group = RouteGroup(
        "events",
        "What happens, as it happens.",
        [
            Route("GET", "/api/v1/events", "Follow what happens", answer: stream)
                .detail(
                    "Server-Sent Events; the data of each is the object that the rest of the API shows,"
                        + " as it is when the event is sent. Last-Event-ID, or after=, continues behind a number;"
                        + " without, the stream begins with what happens next. gap tells of numbers of which events"
                        + " are not kept any more, or were more than maxRate allows."
                )
                .takes([
                    Route.Parameter(
                        "types",
                        Schema.text("^[a-z*.,-]+$").example("push.*,device.*"),
                        "Kinds of events, with commas between: "
                            + EventType.patterns.joined(separator: ", ") + ".",
                        isRepeatable: true
                    ),
                    Route.Parameter(
                        "q",
                        .text(atLeast: 1),
                        "Only pushes that a search finds; of other events it says nothing.",
                        isRepeatable: true
                    ),
                    Route.Parameter("after", .count, "Begin behind this number; 0 for everything kept."),
                    Route.Parameter(
                        "fields",
                        .words(["summary", "full"]),
                        "How much to say of a push: as in a list, all of it by default."
                    ),
                    Route.Parameter(
                        "maxRate",
                        Schema.integer(1...1_000),
                        "How many events to tell in a second at most; gap tells of those that are left out."
                    ),
                ])
                .example(query: "?types=push.*&after=0")
                .gives(.other(APIResponse.events, "The events, and closed at the end."))
                .fails(.tooManyStreams)
        ]
    )

    static func stream(_ call: Route.Call) throws(Problem) -> APIResponse {
        var reader = call.query
        var filter = EventFeed.Filter()
        for text in reader.values("types", .text("kinds of events")) {
            for pattern in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
                if let types = EventType.types(of: pattern) {
                    filter.types.formUnion(types)
                } else {
                    reader.complain(
                        "types",
                        "has '\(pattern)'; expected one of \(EventType.patterns.joined(separator: ", "))",
                        Suggestion.nearest(to: pattern, among: EventType.patterns)
                    )
                }
            }
        }
        var searches: [Condition] = []
        for text in reader.values("q", .text("a search")) {
            do throws(SearchText.Failure) {
                searches.append(try SearchText(text, now: call.now).condition)
            } catch {
                reader.complain("q", error.message(in: text), error.suggestion)
            }
        }
        if !searches.isEmpty { filter.condition = .any(searches) }
        var after = reader.value("after", .seqText)
        // A client that comes back asks as it did at first, and says how far it has got.
        if let text = call.request.lastEventID {
            after = UInt64(digits: text)
            if after == nil {
                reader.complain("Last-Event-ID", "has the value '\(text)'; expected the id of an event")
            }
        }
        if let fields = reader.value("fields", Form<PushRoutes.Fields>.word) {
            filter.fields = fields
        }
        filter.maxRate = reader.value("maxRate", .limit)
        try reader.finish()
        guard call.request.method != "HEAD" else { return .events(NoEvents()) }
        return .events(EventFeed(filter, after: after, in: call.subject))
    }
}
