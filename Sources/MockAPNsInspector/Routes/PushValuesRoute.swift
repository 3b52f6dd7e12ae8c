internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// The routes for completing a search: the keys of the search syntax, and the values of a key.
enum PushValuesRoute {
    static let route: Route = .get("/api/v1/pushes/values", "List the values of a field", reads: query, values).work(
        .search
    ).detail(
        "The values that the selected pushes have for a key of the search syntax, for completion. Values of"
            + " more than 256 bytes are left out."
    ).example(query: "?field=topic&prefix=com.").gives(.json(PushValuesShape.self, "The values.")).fails(
        .unknownDevice, .badPath)

    static let keysRoute: Route = .get("/api/v1/search-keys", "List the keys of the search syntax", keys).gives(
        .json(SearchKeysShape.self, "The keys, with what completes their values."))

    private static func keys(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(SearchKeysShape.self, SearchWord.all)
    }

    private struct Query: Sendable {
        var word = SearchWord.all[0]
        var prefix = ""
        var limit = 20
        var selection = PushSelection()
    }

    private static let word: Form<SearchWord> = {
        let names = SearchWord.all.filter { $0.values != nil }.map { $0.names[0] }
        return Form(ofText: "a key such as topic", candidates: names, schema: .words(names)) { text in
            SearchWord.named(text).flatMap { $0.values == nil ? nil : $0 }
        }
    }()

    private static let query = QueryForm(
        Query(),
        [
            Parameter<Query>.once("field", word, "The key in a search.") { $0.word = $1 }.checked { query in
                if query.texts("field").isEmpty { query.complain("field", "is missing; expected field=topic") }
            },
            .once("prefix", .text("a text"), "Only values that begin with this, in upper or lower case.") {
                $0.prefix = $1
            }, .once("limit", .whole(1...1_000), "Maximum number of values.", default: 20) { $0.limit = $1 },
        ] + PushSelection.parameters.map { $0.part(of: \.selection) })

    private static func values(_ call: Route.Call, _ query: Query) async throws(Problem) -> APIResponse {
        let selection = try query.selection.resolved(call)
        let values = try await call.search { (scan) async throws(SearchFailure) in
            try await scan.values(of: query.word, call.subject.journal, selection.query, in: call.subject.context)
        }
        let most = values.most(query.limit, prefix: query.prefix).map { (value: $0.0, count: $0.1) }
        return .json(PushValuesShape.self, (query.word.names[0], most))
    }
}

extension Route.Call {
    /// Returns similar searches that match, if a search of the whole journal matches nothing.
    func suggestions(for page: PushPage, _ selection: PushSelection) async throws(Problem) -> [SearchSuggestion] {
        guard page.matched == 0, selection.searches.count == 1, let search = selection.searches.first,
            selection.query.after == 0, selection.query.before == nil
        else { return [] }
        let query = try selection.withoutSearches.resolved(self).query
        return try await self.search { (scan) async throws(SearchFailure) in
            try await scan.suggestions(for: search, subject.journal, query, in: subject.context, now: now)
        }
    }
}
