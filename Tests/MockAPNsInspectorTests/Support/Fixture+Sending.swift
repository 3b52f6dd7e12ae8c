@testable import MockAPNsInspector

extension Fixture {
    /// Tells the API something, as a client on the same machine would.
    func send(_ method: String, _ target: String, _ body: String = "") async -> APIResponse {
        var request = APIRequest(method: method, target: target)
        request.hosts = ["127.0.0.1:8197"]
        request.body = Array(body.utf8)
        return await api.answer(request)
    }
}
