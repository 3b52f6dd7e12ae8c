internal import MockAPNsFormats
internal import MockAPNsQuery

/// What happens, as it happens.
enum EventRoutes {
    static let parameters = ["types", "q", "after", "fields", "maxRate"]

    /// `GET /api/v1/events`.
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
