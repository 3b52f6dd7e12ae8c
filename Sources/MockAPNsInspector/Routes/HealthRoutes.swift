internal import MockAPNsAPI
internal import MockAPNsFormats

/// What probes ask.
enum HealthRoutes {
    /// `GET /livez`: the process runs.
    static func live(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(APIObject<AliveShape> { $0.alive = true })
    }

    /// `GET /readyz`: every listener is bound, and the server is not going down.
    static func ready(_ call: Route.Call) throws(Problem) -> APIResponse {
        let state = call.subject.readiness.state
        let listeners = state.listeners.map { listener in
            APIObject<BoundListenerShape> {
                $0.bound = listener.isBound
                $0.name = listener.name
            }
        }
        if state.isReady {
            return .json(
                APIObject<ReadyShape> {
                    $0.listeners = listeners
                    $0.ready = true
                }
            )
        }
        let missing = state.listeners.filter { !$0.isBound }.map(\.name)
        throw Problem(
            kind: .notReady,
            detail: state.isStopping
                ? "The server is stopping."
                : "Not bound yet: \(missing.joined(separator: ", ")).",
            details: APIObject {
                $0.listeners = listeners
                $0.ready = false
                $0.stopping = state.isStopping
            }
        )
    }
}
