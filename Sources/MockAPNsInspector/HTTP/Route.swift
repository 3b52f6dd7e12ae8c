internal import MockAPNsFormats
internal import MockAPNsVerifying

/// One path of the API.
///
/// To add one: write its function in the file of its resource under `Routes`, and add a row to `API.routes`.
struct Route: Sendable {
    /// The end of a part that stands for all of the rest of the path.
    static let restMark = "...}"

    /// Answers a request to the path.
    typealias Answer = @Sendable (Call) async throws(Problem) -> APIResponse

    /// A request that has found its route.
    struct Call: Sendable {
        /// The request.
        let request: APIRequest
        /// The parts of the path that stand for something, by the names in braces.
        let pathParts: [String: String]
        /// The parameters that the route knows.
        let parameters: [String]
        /// What there is to show.
        let subject: InspectedServer
        /// Whether the client is still there.
        let presence: ClientPresence
        /// The request's search through pushes.
        let scan: Scan

        /// Reads the query.
        var query: QueryReader { QueryReader(request.query, known: parameters) }
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
    /// The names of the query parameters.
    let parameters: [String]
    /// Whether the route answers whatever host is asked for: for probes, which use all sorts of names.
    let isForAnyHost: Bool
    /// Whether it is a place of the inspector's page, which reads the query itself, in the browser.
    let isPlaceOfThePage: Bool
    /// The largest body that a request may have, in bytes.
    let largestBody: Int
    /// How requests are answered.
    let work: Work
    /// Whether a request changes something.
    let isWrite: Bool
    /// What answers.
    let answer: Answer
    /// The names of the parts that vary, in the order of the path.
    let names: [String]

    init(
        _ method: String,
        _ path: String,
        parameters: [String] = [],
        isForAnyHost: Bool = false,
        isPlaceOfThePage: Bool = false,
        largestBody: Int = API.largestBody,
        work: Work = .usual,
        isWrite: Bool? = nil,
        answer: @escaping Answer
    ) {
        self.method = method
        self.path = path
        names = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part in
            String(part.dropFirst().dropLast(part.hasSuffix(Self.restMark) ? Self.restMark.count : 1))
        }
        self.parameters = parameters
        self.isForAnyHost = isForAnyHost
        self.isPlaceOfThePage = isPlaceOfThePage
        self.largestBody = largestBody
        self.work = work
        self.isWrite = isWrite ?? (method != "GET")
        self.answer = answer
    }
}
