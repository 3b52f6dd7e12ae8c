internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats

/// An answer of the API.
struct APIResponse: Sendable {
    /// What follows the headers.
    enum Body: Sendable {
        case bytes([UInt8])
        /// What is too long to be in memory at once.
        case pieces(any PieceSource)
        /// Events as they happen, until somebody ends the stream.
        case events(any EventSource)
    }

    static let json = "application/json"
    static let lines = "application/x-ndjson"
    static let problem = "application/problem+json"
    static let events = "text/event-stream"
    static let text = "text/plain; charset=utf-8"
    static let picture = "image/svg+xml"

    /// What was asked for is done, and there is nothing to say.
    static let done = APIResponse(status: 204, body: .bytes([]))

    var status = 200
    var contentType = APIResponse.json
    /// Headers besides those that every answer has.
    var headers: [(name: String, value: String)] = []
    var body: Body
    /// The namespace that events are about, which they end with.
    var namespace: Namespace?

    /// One JSON value.
    static func json(_ value: JSONValue, status: Int = 200) -> APIResponse {
        APIResponse(status: status, body: .bytes(value.text + "\n".utf8))
    }

    /// One object.
    static func json(_ object: APIObject<some Shape>, status: Int = 200) -> APIResponse {
        var text = object.serialized
        text.append(UInt8(ascii: "\n"))
        return APIResponse(status: status, body: .bytes(text))
    }

    /// An object that a request created, and its path.
    static func created(_ object: APIObject<some Shape>, at path: String) -> APIResponse {
        var response = json(object, status: 201)
        response.headers.append(("Location", path))
        return response
    }

    /// A list: one entry per line if the request asks for that, or else a page made of the entries.
    static func list<Entry: Shape>(
        _ entries: [APIObject<Entry>],
        _ request: APIRequest,
        headers: [(name: String, value: String)] = [],
        _ page: ([APIObject<Entry>]) -> APIObject<some Shape>
    ) -> APIResponse {
        request.wantsLines ? lines(entries.map(\.json), headers: headers) : json(page(entries))
    }

    /// One JSON value per line.
    static func lines(_ values: [JSONValue], headers: [(name: String, value: String)] = []) -> APIResponse {
        APIResponse(
            contentType: lines,
            headers: headers,
            body: .bytes(values.flatMap { $0.text + "\n".utf8 })
        )
    }

    /// A text for people.
    static func text(_ text: String, status: Int = 200) -> APIResponse {
        APIResponse(status: status, contentType: Self.text, body: .bytes(Array(text.utf8)))
    }

    /// Events as they happen.
    static func events(_ source: any EventSource) -> APIResponse {
        APIResponse(contentType: events, body: .events(source))
    }

    /// A problem, in the form that a request asks for: a document, a report, or a page.
    static func problem(_ problem: Problem, to request: APIRequest) -> APIResponse {
        var response = Self.problem(problem, asText: request.wantsText)
        guard request.wantsPage else { return response }
        response.contentType = ProblemPage.contentType
        response.headers += ProblemPage.safety
        response.body = .bytes(Array(ProblemPage(problem, to: request).html.utf8))
        return response
    }

    /// A problem document.
    ///
    /// Who asks for text gets the report of a problem that has one.
    static func problem(_ problem: Problem, asText: Bool = false) -> APIResponse {
        if asText, let report = problem.report { return .text(report, status: problem.kind.row.status) }
        var response = json(problem.document, status: problem.kind.row.status)
        response.contentType = Self.problem
        if problem.kind == .notAuthorized {
            response.headers.append(("WWW-Authenticate", "Bearer realm=\"mock-apns\""))
        }
        if problem.kind == .tooBusy || problem.kind == .tooManyStreams {
            response.headers.append(("Retry-After", "1"))
        }
        if !problem.allowedMethods.isEmpty {
            response.headers.append(("Allow", problem.allowedMethods.joined(separator: ", ")))
        }
        return response
    }
}

/// The source of a response that is too long to hold in memory at once.
///
/// Serves one client.
protocol PieceSource: Sendable {
    /// Makes a piece of the response. Safe to call on any thread, in parallel with other pieces.
    typealias Piece = @Sendable () -> [UInt8]

    /// Returns the next piece, which may be empty, or `nil` at the end. Not safe to call concurrently.
    func next() -> Piece?
}
