internal import MockAPNsFormats

/// What probes ask.
enum HealthRoutes {
    /// `GET /livez`: the process runs.
    static func live(_ call: Route.Call) throws(Problem) -> APIResponse { .json(["alive": true]) }

    /// `GET /readyz`: every listener is bound, and the server is not going down.
    static func ready(_ call: Route.Call) throws(Problem) -> APIResponse {
        let state = call.subject.readiness.state
        let listeners = JSONValue.array(
            state.listeners.map { ["name": .string($0.name), "bound": .bool($0.isBound)] }
        )
        if state.isReady { return .json(["ready": true, "listeners": listeners]) }
        let missing = state.listeners.filter { !$0.isBound }.map(\.name)
        throw Problem(
            kind: .notReady,
            detail: state.isStopping
                ? "The server is stopping."
                : "Not bound yet: \(missing.joined(separator: ", ")).",
            members: ["ready": false, "stopping": .bool(state.isStopping), "listeners": listeners]
        )
    }
}
