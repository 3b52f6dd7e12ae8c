package import MockAPNs
internal import NIOHTTP1

/// The debug API of a server in the same process, without a listener: each answer is made by a call.
package struct LocalAPI: Sendable {
    private let api: DebugAPI

    package init(of server: MockAPNsServer, facts: InspectorFacts) {
        let api = DebugAPI(
            subject: InspectedServer(
                server: server, facts: facts, readiness: Readiness(awaiting: []), apiHost: "127.0.0.1", showsPage: false
            ), hosts: HostPolicy(boundHost: "127.0.0.1", allowed: []))
        api.forgetRemovedNamespaces()
        self.api = api
    }

    /// Answers a request; streams and exports are not answered.
    package func answer(_ method: String, _ target: String, _ body: [UInt8]) async -> (status: Int, body: [UInt8]) {
        var request = APIRequest(method: method, target: target)
        request.headers.add(name: "Host", value: "127.0.0.1")
        request.body = body
        let response = await api.answer(request)
        guard case .bytes(let bytes) = response.body else {
            response.endEvents()
            return (status: 406, body: [])
        }
        return (response.status, bytes)
    }
}
