internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// The connections to the APNs side, those that failed in the TLS handshake included.
enum ConnectionRoutes {
    /// Whether a connection is still there.
    private enum State: String, CaseIterable, Sendable {
        case open
        case closed
    }

    private struct Query: Sendable {
        var states: [State] = []
        var order = PushQuery.Order.descending
        var limit = 50
    }

    private static let query = QueryForm(
        Query(),
        .any("state", .word, "Open or closed.") { $0.states = $1 },
        .order { $0.order = $1 },
        .limit { $0.limit = $1 }
    )

    static let route = Route(
        "GET",
        "/api/v1/connections",
        "List connections to the APNs side",
        answer: list
    )
    .takes(query)
    .gives(.list(ConnectionPageShape.self, "The connections."))

    private static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        let query = try call.read(query)
        let known = call.subject.journal.connections
        let matching = known.filter { connection in
            query.states.isEmpty || query.states.contains(connection.closedAt == nil ? .open : .closed)
        }
        let page =
            query.order == .ascending
            ? Array(matching.prefix(query.limit)) : matching.suffix(query.limit).reversed()
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
