@testable import MockAPNsInspector

extension Fixture {
    /// Tells the API something, as a client on the same machine would.
    func send(_ method: String, _ target: String, _ body: String = "", contentType: String? = nil) async -> APIResponse
    { await send(method, target, bytes: Array(body.utf8), contentType: contentType) }

    /// Tells the API something that need not be text.
    func send(_ method: String, _ target: String, bytes: [UInt8], contentType: String?) async -> APIResponse {
        var request = APIRequest(method: method, target: target)
        request.set("Host", "127.0.0.1:8197")
        request.set("Content-Type", contentType)
        request.body = bytes
        return await api.answer(request)
    }
}
