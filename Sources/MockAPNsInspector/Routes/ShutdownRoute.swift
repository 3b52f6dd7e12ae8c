internal import MockAPNsAPI
internal import MockAPNsFormats

/// The end of the server.
enum ShutdownRoute {
    /// Nothing can be said about it.
    static let body = RequestBody<Void>(.object((), []), isRequired: false, example: [:])

    static func shutDown(_ call: Route.Call) throws(Problem) -> APIResponse {
        try call.read(body)
        guard let onShutdown = call.subject.onShutdown else {
            throw Problem(
                kind: .shutdownNotAllowed,
                detail: "To allow it, start with --allow-shutdown (MOCK_APNS_ALLOW_SHUTDOWN=true)."
            )
        }
        // What stops the server waits until this answer is written.
        onShutdown()
        return .json(APIObject<StoppingShape> { $0.stopping = true }, status: 202)
    }
}
