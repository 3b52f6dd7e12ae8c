internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// The connections to the APNs side, those that failed in the TLS handshake included.
enum ConnectionRoutes {

    /// Whether a connection is still there.
    enum State: String, CaseIterable {
        case open
        case closed
    }

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        var query = call.query
        let states = query.values("state", Form<State>.word)
        let order = query.value("order", Form<PushQuery.Order>.word) ?? .descending
        let limit = query.value("limit", .limit) ?? 50
        try query.finish()

        let known = call.subject.journal.connections
        let matching = known.filter { connection in
            states.isEmpty || states.contains(connection.closedAt == nil ? .open : .closed)
        }
        let page = order == .ascending ? Array(matching.prefix(limit)) : matching.suffix(limit).reversed()
        let headers = [("X-Mock-APNs-Matched", String(matching.count))]
        let connections = page.map(APIObject<ConnectionShape>.init)
        return .list(connections, call.request, headers: headers) { connections in
            APIObject<ConnectionPageShape> {
                $0.connections = connections
                $0.matched = matching.count
                $0.open = known.count { $0.closedAt == nil }
                $0.total = UInt64(call.subject.journal.connectionCount)
            }
        }
    }
}
