internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// One operation of the API: its requests, its answers, and the function that makes them.
///
/// To add one: add a row to the routes of its resource under `Routes`, and its function beside it. The OpenAPI document and
/// `/docs` are made from the rows.
struct Route: Sendable {
    /// The end of a part that takes the rest of the path.
    static let restMark = "...}"

    /// The largest body of a request, in bytes, unless its route sets another limit.
    static let largestBody = 1 << 20
    /// The largest body that describes many things at once, in bytes.
    static let largestList = 64 << 20

    typealias Handler = @Sendable (Call) async throws(Problem) -> APIResponse

    /// A request that has found its route.
    struct Call: Sendable {
        let request: APIRequest
        /// The variable parts of the path, by the names in braces.
        let pathParts: [String: String]
        let subject: InspectedServer
        let presence: ClientPresence
        let scan: Scan

        /// The time that searches count from.
        var now: Timestamp { subject.world.clock.read().system }
    }

    /// Makes the routes of a method.
    struct Method: Sendable {
        fileprivate let name: String

        func callAsFunction(_ path: String, _ summary: String, _ answer: @escaping Handler) -> Route {
            Route(name, path, summary, answer: answer)
        }

        /// A route whose query or body is read before `answer` is called.
        func callAsFunction<Input: RouteInput>(
            _ path: String, _ summary: String, reads input: Input,
            _ answer: @escaping @Sendable (Call, Input.Value) async throws(Problem) -> APIResponse
        ) -> Route {
            let route = Route(name, path, summary) { (call) async throws(Problem) in
                try await answer(call, try input.read(call))
            }
            return input.describe(route)
        }
    }

    enum Work: Sendable {
        /// On Swift's own threads: for probes, which must never wait. Must not take long.
        case prompt
        /// On the threads for answers.
        case usual
        /// On the threads for answers, a few requests at a time: searches through pushes.
        case search
    }

    /// How a request uses the world of its namespace.
    enum Use: Sendable {
        /// Uses nothing of it that other servers can change: answered at once, even while the world cannot be kept.
        case ignores
        /// Reads it, and may wait for something to happen.
        case reads
        /// Changes it, and must not wait for other requests.
        case changes
        /// Reads a long body first, then calls `Call.beginChange` and changes it.
        case changesLater
    }

    /// A path that takes GET takes HEAD as well.
    let method: String
    /// The path, with a name in braces for each variable part; `{name...}` at its end takes the rest.
    let path: String
    /// The names of the variable parts, in the order of the path.
    let names: [String]
    let summary: String
    let answer: Handler
    /// For probes, which use all sorts of host names.
    private(set) var isForAnyHost = false
    /// Whether it is a path of the inspector's page, which reads the query in the browser.
    private(set) var isPlaceOfThePage = false
    /// Whether a request changes something.
    private(set) var isWrite: Bool
    private(set) var use: Use
    private(set) var work = Work.usual
    /// In bytes.
    private(set) var largestBody = Route.largestBody
    private(set) var detail = ""
    private(set) var exampleQuery = ""
    private(set) var parameters: [ParameterRow] = []
    private(set) var body: Body?
    /// The answers that are not problems.
    private(set) var answers: [Answer] = []
    /// The problems of this route, besides those of all routes.
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
        use = !path.hasPrefix("/api/") ? .ignores : isWrite ? .changes : .reads
    }
}

// MARK: Rows

extension Route {
    static let get = Method(name: "GET")
    static let post = Method(name: "POST")
    static let put = Method(name: "PUT")
    static let patch = Method(name: "PATCH")
    static let delete = Method(name: "DELETE")

    func forAnyHost() -> Route { with(\.isForAnyHost, true) }

    func forThePage() -> Route { with(\.isPlaceOfThePage, true) }

    /// A GET request that changes something.
    func writes() -> Route { with(\.isWrite, true).uses(.changes) }

    func uses(_ use: Use) -> Route { with(\.use, use) }

    func work(_ work: Work) -> Route { with(\.work, work) }

    func largestBody(_ count: Int) -> Route { with(\.largestBody, count) }

    func detail(_ text: String) -> Route { with(\.detail, text) }

    func example(query: String) -> Route { with(\.exampleQuery, query) }

    func takes(_ parameters: [ParameterRow]) -> Route { with(\.parameters, parameters) }

    func reads(_ body: Body) -> Route { with(\.body, body) }

    /// A request has a JSON body, or one of another media type.
    func reads<Value>(_ body: RequestBody<Value>, or alternatives: [String: Schema] = [:]) -> Route {
        reads(
            Body(
                schema: { body.form.schema(body.use) }, example: body.example, isRequired: body.isRequired,
                alternatives: alternatives))
    }

    func gives(_ answers: Answer...) -> Route { with(\.answers, answers) }

    func fails(_ problems: Problem.Kind...) -> Route { with(\.problems, problems) }

    private func with<Value>(_ path: WritableKeyPath<Route, Value>, _ value: Value) -> Route {
        var route = self
        route[keyPath: path] = value
        return route
    }
}

/// What a route reads of a request: its query or its body.
protocol RouteInput: Sendable {
    associatedtype Value

    func read(_ call: Route.Call) throws(Problem) -> Value

    /// Adds it to the description of a route.
    func describe(_ route: Route) -> Route
}

extension QueryForm: RouteInput {
    func read(_ call: Route.Call) throws(Problem) -> Product { try read(call.request.query, now: call.now) }

    func describe(_ route: Route) -> Route { route.takes(parameters.map(\.row)) }
}

extension RequestBody: RouteInput {
    func read(_ call: Route.Call) throws(Problem) -> Value {
        // A client that has left may still read the response; a server that stops waits for nothing.
        try read(call.request.body, now: call.now) { [presence = call.presence] in presence.watch().cause == .shutdown }
    }

    func describe(_ route: Route) -> Route { route.reads(self) }
}

struct RouteGroup: Sendable {
    let name: String
    let description: String
    let routes: [Route]

    init(_ name: String, _ description: String, _ routes: [Route]) {
        (self.name, self.description, self.routes) = (name, description, routes)
    }
}

extension Route {
    /// The description of the body of a request.
    ///
    /// Schemas are made when the document is: a start does not need them, and they would take half of its time.
    struct Body: Sendable {
        let schema: @Sendable () -> Schema
        let example: JSONValue
        /// Whether a request without a body is refused.
        var isRequired = true
        var contentType = APIResponse.json
        /// Other media types that the operation takes as well.
        var alternatives: [String: Schema] = [:]
    }

    /// The description of an answer that is not a problem.
    struct Answer: Sendable {
        typealias Content = @Sendable () -> [String: Schema]

        let status: Int
        let description: String
        /// By media type.
        let content: Content

        init(status: Int = 200, description: String, content: @autoclosure @escaping Content = [:]) {
            (self.status, self.description, self.content) = (status, description, content)
        }

        static func json<Content: Shape>(_ shape: Content.Type, _ description: String, status: Int = 200) -> Answer {
            json(APIObject<Content>.schema(nil, .response), description, status: status)
        }

        /// An object of one of two shapes.
        static func either<First: Shape, Second: Shape>(
            _ first: First.Type, _ second: Second.Type, _ description: String
        ) -> Answer {
            json(
                .either(APIObject<First>.schema(nil, .response), APIObject<Second>.schema(nil, .response)), description)
        }

        /// The answer, or one of another media type, whose bytes no schema describes.
        func or(_ contentType: String) -> Answer { or(contentType, .text) }

        private func or(_ contentType: String, _ schema: Schema) -> Answer {
            Answer(status: status, description: description, content: [contentType: schema].merging(content()) { $1 })
        }

        static func json(
            _ schema: @autoclosure @escaping @Sendable () -> Schema, _ description: String, status: Int = 200
        ) -> Answer { Answer(status: status, description: description, content: [APIResponse.json: schema()]) }

        /// A list, as one value or as one value per line.
        static func list<Page: Shape>(_ page: Page.Type, _ description: String) -> Answer {
            json(page, description).or(
                APIResponse.lines, Schema.text.described("One JSON value per line: the entries of the list."))
        }

        /// A body of another media type, whose bytes no schema describes.
        static func other(_ contentType: String, _ description: String, status: Int = 200) -> Answer {
            Answer(status: status, description: description, content: [contentType: .text])
        }

        static func nothing(_ description: String) -> Answer { Answer(status: 204, description: description) }
    }
}
