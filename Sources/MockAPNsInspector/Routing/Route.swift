internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// One operation of the API: what a request has, the function that answers it, and what it answers.
///
/// To add one: add a row to the group of its resource under `Routes`, and its function beside it. The OpenAPI document and
/// `/docs` are made from the rows.
struct Route: Sendable {
    /// The end of a part that stands for all of the rest of the path.
    static let restMark = "...}"

    /// The largest body of a request, in bytes, where its route says nothing else.
    static let largestBody = 1 << 20
    /// The largest body that describes many things at once, in bytes.
    static let largestList = 64 << 20

    /// Answers a request.
    typealias Handler = @Sendable (Call) async throws(Problem) -> APIResponse

    /// A request that has found its route.
    struct Call: Sendable {
        /// The request.
        let request: APIRequest
        /// The parts of the path that stand for something, by the names in braces.
        let pathParts: [String: String]
        /// What there is to show.
        let subject: InspectedServer
        /// Whether the client is still there.
        let presence: ClientPresence
        /// The request's search through pushes.
        let scan: Scan

        /// The time that searches count from.
        var now: Timestamp { subject.world.clock.read().system }

        /// Reads the query.
        ///
        /// - Throws: `Problem` with every mistake.
        func read<Value>(_ form: QueryForm<Value>) throws(Problem) -> Value {
            var reader = QueryReader(request.query, known: form.rows.map(\.name), now: now)
            let value = form.read(&reader)
            try reader.finish()
            return value
        }

        /// Reads the body.
        ///
        /// - Throws: `Problem` for a body that is not JSON, or has another form.
        func read<Value>(_ body: RequestBody<Value>) throws(Problem) -> Value {
            try body.read(request.body, now: now)
        }
    }

    /// How a request is answered.
    enum Work: Sendable {
        /// On one of Swift's own threads: for probes, which must never wait. Nothing here may take long.
        case prompt
        /// On the threads for answers.
        case usual
        /// On the threads for answers, a few requests at a time: searches through pushes.
        case search
    }

    /// The method; a path that takes GET takes HEAD as well.
    let method: String
    /// The path, with a name in braces for each part that varies; `{name...}` at its end is all of the rest.
    let path: String
    /// The names of the parts that vary, in the order of the path.
    let names: [String]
    /// What the operation does, in a few words.
    let summary: String
    /// What answers.
    let answer: Handler
    /// Whether the route answers whatever host is asked for: for probes, which use all sorts of names.
    private(set) var isForAnyHost = false
    /// Whether it is a place of the inspector's page, which reads the query itself, in the browser.
    private(set) var isPlaceOfThePage = false
    /// Whether a request changes something.
    private(set) var isWrite: Bool
    /// How requests are answered.
    private(set) var work = Work.usual
    /// The largest body that a request may have, in bytes.
    private(set) var largestBody = Route.largestBody
    /// More about the operation; empty for nothing.
    private(set) var detail = ""
    /// A query worth showing; empty for none.
    private(set) var exampleQuery = ""
    /// The query parameters.
    private(set) var parameters: [ParameterRow] = []
    /// What a request carries.
    private(set) var body: Body?
    /// The answers that are not problems.
    private(set) var answers: [Answer] = []
    /// The problems that only some requests have; what every request can have is added.
    private(set) var problems: [Problem.Kind] = []

    init(_ method: String, _ path: String, _ summary: String = "", answer: @escaping Handler) {
        self.method = method
        self.path = path
        self.summary = summary
        self.answer = answer
        names = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part in
            String(part.dropFirst().dropLast(part.hasSuffix(Self.restMark) ? Self.restMark.count : 1))
        }
        isWrite = method != "GET"
    }
}

// MARK: Rows

extension Route {
    static func get(_ path: String, _ summary: String, _ answer: @escaping Handler) -> Route {
        Route("GET", path, summary, answer: answer)
    }

    static func post(_ path: String, _ summary: String, _ answer: @escaping Handler) -> Route {
        Route("POST", path, summary, answer: answer)
    }

    static func put(_ path: String, _ summary: String, _ answer: @escaping Handler) -> Route {
        Route("PUT", path, summary, answer: answer)
    }

    static func patch(_ path: String, _ summary: String, _ answer: @escaping Handler) -> Route {
        Route("PATCH", path, summary, answer: answer)
    }

    static func delete(_ path: String, _ summary: String, _ answer: @escaping Handler) -> Route {
        Route("DELETE", path, summary, answer: answer)
    }

    /// The route answers whatever host is asked for.
    func forAnyHost() -> Route { with(\.isForAnyHost, true) }

    /// The route is a place of the inspector's page.
    func forThePage() -> Route { with(\.isPlaceOfThePage, true) }

    /// A request changes something, though it is a GET.
    func writes() -> Route { with(\.isWrite, true) }

    /// Requests are answered in this way.
    func work(_ work: Work) -> Route { with(\.work, work) }

    /// The body may have so many bytes.
    func largestBody(_ count: Int) -> Route { with(\.largestBody, count) }

    /// Says more about the operation.
    func detail(_ text: String) -> Route { with(\.detail, text) }

    /// A query worth showing.
    func example(query: String) -> Route { with(\.exampleQuery, query) }

    /// The query may have these parameters.
    func takes<Value>(_ query: QueryForm<Value>) -> Route { with(\.parameters, query.rows) }

    /// A request has a body.
    func reads(_ body: Body) -> Route { with(\.body, body) }

    /// A request has a JSON body, or one of another media type.
    func reads<Value>(_ body: RequestBody<Value>, or alternatives: [String: Schema] = [:]) -> Route {
        let schema = body.form.schema
        var schemas: [String: Schema] = [:]
        schema.collect(body.use, into: &schemas)
        return reads(
            Body(
                schema: schema.reference(body.use),
                schemas: schemas,
                example: body.example,
                isRequired: body.isRequired,
                alternatives: alternatives
            )
        )
    }

    /// The answers that are not problems.
    func gives(_ answers: Answer...) -> Route { with(\.answers, answers) }

    /// The problems that only some requests have.
    func fails(_ problems: Problem.Kind...) -> Route { with(\.problems, problems) }

    private func with<Value>(_ path: WritableKeyPath<Route, Value>, _ value: Value) -> Route {
        var route = self
        route[keyPath: path] = value
        return route
    }
}

/// The operations on one resource.
struct RouteGroup: Sendable {
    /// The word that stands over them.
    let name: String
    let description: String
    let routes: [Route]

    init(_ name: String, _ description: String, _ routes: [Route]) {
        (self.name, self.description, self.routes) = (name, description, routes)
    }
}
