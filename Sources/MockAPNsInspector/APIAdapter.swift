internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// Hands requests from Hummingbird to the API, and answers back.
struct APIAdapter: Sendable {
    let api: API
    let connections: OpenConnections

    /// Answers a request that came on `channel`.
    func respond(
        to request: Request,
        on channel: any Channel,
        _ writer: consuming ResponseWriter
    ) async throws {
        connections.requestBegan()
        defer { connections.requestEnded() }
        let asked = Self.asked(request, on: channel)
        let answer: APIResponse
        do {
            // No route looks at a body yet; reading it keeps the connection usable, up to a bound.
            _ = try await request.body.collect(upTo: API.largestBody)
            answer = await api.answer(asked)
        } catch is NIOTooManyBytesError {
            answer = api.refuseBody()
        }
        let head = HTTPResponse(status: .init(code: answer.status), headerFields: Self.fields(of: answer))
        if asked.method == "HEAD" {
            try await writer.writeResponse(head)
        } else {
            let body = ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
            try await writer.write(response: head, body: body)
        }
    }

    private static func asked(_ request: Request, on channel: any Channel) -> APIRequest {
        var asked = APIRequest(method: request.method.rawValue, target: request.head.path ?? "")
        // The library takes the first Host header for the authority and leaves a second one where it was.
        asked.hosts = [request.head.authority].compactMap { $0 } + values(of: "host", in: request)
        asked.origins = values(of: "origin", in: request)
        asked.accept = values(of: "accept", in: request).joined(separator: ",")
        asked.localAddress = channel.localAddress?.ipAddress
        asked.localPort = channel.localAddress?.port
        return asked
    }

    private static func values(of name: String, in request: Request) -> [String] {
        request.headers.filter { $0.name.canonicalName == name }.map(\.value)
    }

    private static func fields(of answer: APIResponse) -> HTTPFields {
        var fields = HTTPFields()
        fields[.contentType] = answer.contentType
        fields[.contentLength] = String(answer.body.count)
        for header in answer.headers {
            guard let name = HTTPFields.Element.Name(header.name) else { continue }
            fields[name] = header.value
        }
        return fields
    }
}
