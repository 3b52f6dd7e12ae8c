internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsTransport
internal import MockAPNsWorld

/// Back to the state at the start.
enum ResetRoute {
    /// What becomes of the connections to the APNs side.
    private enum Connections: String, CaseIterable {
        case keep
        case close
    }

    /// From so many pushes and devices on, what they leave behind is worth the time to hand it to the system.
    private static let muchCleared = 10_000

    static func reset(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var body = try BodyReader(
            call.request.body,
            known: ["only", "connections"],
            emptyBody: .object([:])
        )
        let only = body.list("only", Form<ResetReport.Part>.word)
        if body.value["only"] == .array([]) {
            body.complain("is an empty list; without it, everything is reset", at: "only")
        }
        let connections = body.optional("connections", Form<Connections>.word) ?? .keep
        try body.finish()

        let world = call.subject.world
        let options = world.options
        let report = world.reset(Set(only ?? ResetReport.Part.allCases))
        if report.pushes + report.devices >= muchCleared { FreeMemory.giveBack() }
        // Afterwards, so that nothing that a connection still sends in between outlives the reset.
        if connections == .close { await call.subject.namespace.closeConnections() }
        let settings = RunTimeSetting.differences(options, world.options)
        let state = connections == .close ? "closed" : "open"
        return .json(APIObject<ResetShape>(report, settings: settings, connections: state))
    }
}
