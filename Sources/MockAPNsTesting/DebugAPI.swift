internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats
internal import NIOCore

/// Sends requests to a debug API.
protocol DebugAPITransport: Sendable {
    func send(_ request: APIRequest, in namespace: String?) async throws -> APIResponse

    /// The URL of the inspector; `nil` as long as it is not served.
    var inspector: String? { get async }

    /// Returns the URL of the inspector, which is served from then on.
    func openInspector() async throws -> String
}

/// The debug API of a server in this process or elsewhere, within a namespace.
///
/// Everything in `APNsMock` is a call of this API, so both kinds of servers behave the same.
struct DebugAPI: Sendable {
    let transport: any DebugAPITransport
    /// `nil` for the default namespace.
    var namespace: String?

    /// Sends a request; `path` follows `/api/v1/` and needs no encoding.
    @discardableResult func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> [UInt8] {
        var request = APIRequest(method, encoded: path)
        request.body = body?.text
        let response = try await transport.send(request, in: namespace)
        if response.isSuccess { return response.body }
        throw APNsMock.Failure(status: response.status, problem: JSONParser.value(of: response.body))
    }

    /// Sends a request, and reads from the response what `use` asks for.
    func call<Content: Shape, Result: Sendable>(
        _ method: String, _ path: String, _ body: JSONValue? = nil, as shape: Content.Type,
        _ use: @Sendable (APIObject<Content>) throws -> Result
    ) async throws -> Result {
        let response = try await call(method, path, body)
        do { return try APIObject<Content>.read(JSONParser.value(of: response) ?? .null, use) } catch let complaint
            as Complaint
        { throw APNsMock.Failure("cannot read the response to \(method) \(path): \(complaint.text)") }
    }

    /// The URL of this namespace's page of the inspector at a URL.
    func page(at url: String) -> String { "\(url)/" + (namespace.map { "?ns=\($0)" } ?? "") }

    /// Gets an object, and reads from it what `use` asks for.
    func get<Content: Shape, Result: Sendable>(
        _ path: String, as shape: Content.Type, _ use: @Sendable (APIObject<Content>) throws -> Result
    ) async throws -> Result { try await call("GET", path, as: shape, use) }
}

/// A server that runs elsewhere, whose debug API is called over HTTP.
struct RemoteServer: DebugAPITransport {
    /// The timeout of a request; longer than the API ever waits before it responds.
    private static let limit = TimeAmount.seconds(70)

    private let client: APIClient

    /// Creates a server from the URL of its debug API, such as `http://127.0.0.1:8197`.
    init(_ url: String, token: String?) throws {
        do throws(APIAddress.Invalid) { client = APIClient(try APIAddress(parsing: url), token: token) } catch {
            throw APNsMock.Failure("invalid URL '\(url)': \(error)")
        }
    }

    var host: String { client.address.host }

    var inspector: String? { openInspector() }

    func openInspector() -> String { client.address.url }

    func send(_ request: APIRequest, in namespace: String?) async throws -> APIResponse {
        var client = client
        client.namespace = namespace
        do { return try await client.send(request.with(\.accept, "*/*"), until: .now() + Self.limit) } catch let error
            where !(error is CancellationError)
        {
            let what = "\(request.method) \(request.target(in: namespace)) at \(client.address.url)"
            throw APNsMock.Failure("\(what) failed (\(error)): is mock-apns running there?")
        }
    }
}

extension APNsMock {
    /// The reason why a call failed.
    public struct Failure: Error, CustomStringConvertible {
        /// The problem, and how to fix it.
        public let description: String
        /// The report, if a verification failed.
        let report: String?

        init(_ description: String) { (self.description, report) = (description, nil) }

        init(status: Int, problem: JSONValue?) {
            let detail = problem?["detail"]?.plainText
            description = detail ?? "the debug API answered with status \(status), without a reason"
            report = problem?["report"]?.plainText
        }
    }
}
