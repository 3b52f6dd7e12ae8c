internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats

/// An answer of the API.
struct APIResponse: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// A body that is too long for the memory: returns the next piece, which may be empty, or `nil` at the end.
        ///
        /// If it throws, the response is cut off. Not safe to call concurrently.
        case pieces(@Sendable () async throws -> Piece?)
        case events(any EventSource)
    }

    /// Makes a piece of a response; safe to call on any thread, in parallel with other pieces.
    typealias Piece = @Sendable () -> [UInt8]

    static let json = "application/json"
    static let lines = "application/x-ndjson"
    static let problem = "application/problem+json"
    static let events = "text/event-stream"
    static let text = "text/plain; charset=utf-8"
    static let picture = "image/svg+xml"

    static let done = APIResponse(status: 204, body: .bytes([]))

    var status = 200
    var contentType = APIResponse.json
    /// Headers besides those that every answer has.
    var headers: [(name: String, value: String)] = []
    var body: Body
    /// The namespace that events are about: not idle while the stream is open, which ends when it is removed.
    var namespace: Namespace?

    /// Must be called once for a response with events, which are over or will not be sent.
    func endEvents() {
        guard case .events(let source) = body else { return }
        source.close()
        namespace?.endCall()
    }

    static func json(_ value: JSONValue, status: Int = 200) -> APIResponse {
        APIResponse(status: status, body: .bytes(value.text + "\n".utf8))
    }

    static func json(_ object: APIObject<some Shape>, status: Int = 200) -> APIResponse {
        APIResponse(status: status, body: .bytes(object.serialized + "\n".utf8))
    }

    /// An object that a request created, and its path.
    static func created(_ object: APIObject<some Shape>, at path: String) -> APIResponse {
        let body = object.serialized + "\n".utf8
        return APIResponse(status: 201, headers: [("Location", path)], body: .bytes(body))
    }

    /// One object of a shape.
    static func json<Content: Shape>(_ shape: Content.Type, _ source: Content.Source, status: Int = 200) -> APIResponse
    { json(APIObject<Content>(source), status: status) }

    /// A list: the entries of a member, one per line, if the request asks for that, or else the whole object.
    static func list<Entry: ShapeValue, Page: Shape>(
        _ entries: KeyPath<Page, ShapeMember<Page.Source, [Entry]>>, of source: Page.Source, _ request: APIRequest,
        headers: [(name: String, value: String)] = []
    ) -> APIResponse {
        let page = APIObject<Page>(source)
        if request.wantsLines { return lines(page[dynamicMember: entries].map(\.json), headers: headers) }
        return APIResponse(headers: headers, body: .bytes(page.serialized + "\n".utf8))
    }

    /// One JSON value per line.
    static func lines(_ values: [JSONValue], headers: [(name: String, value: String)] = []) -> APIResponse {
        APIResponse(contentType: lines, headers: headers, body: .bytes(values.flatMap { $0.text + "\n".utf8 }))
    }

    static func text(
        _ text: String, as contentType: String = Self.text, status: Int = 200,
        headers: [(name: String, value: String)] = []
    ) -> APIResponse {
        APIResponse(status: status, contentType: contentType, headers: headers, body: .bytes(Array(text.utf8)))
    }

    static func events(_ source: any EventSource) -> APIResponse {
        APIResponse(contentType: events, body: .events(source))
    }

    /// Headers for what a browser shows, with a content security policy.
    static func safety(_ policy: String) -> [(name: String, value: String)] {
        [
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ]
    }

    /// A problem, in the form that a request accepts: a document, a report, or a page.
    static func problem(_ problem: Problem, to request: APIRequest) -> APIResponse {
        let status = problem.kind.row.status
        if request.wantsText, let report = problem.details.report { return .text(report, status: status) }
        var response = json(APIObject<ProblemShape>(problem), status: status)
        response.contentType = Self.problem
        if problem.kind == .notAuthorized {
            response.headers.append(("WWW-Authenticate", "Bearer realm=\"mock-apns\""))
        }
        if problem.kind == .tooBusy || problem.kind == .cannotRead || problem.kind == .tooManyStreams {
            response.headers.append(("Retry-After", "1"))
        }
        if !problem.allowedMethods.isEmpty {
            response.headers.append(("Allow", problem.allowedMethods.joined(separator: ", ")))
        }
        guard request.wantsPage else { return response }
        response.contentType = HTMLText.contentType
        response.headers += ProblemPage.headers
        response.body = .bytes(Array(ProblemPage.html(problem, to: request).utf8))
        return response
    }
}
