internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsTransport
internal import MockAPNsWorld

/// Back to the state at the start.
enum ResetRoute {
    /// What becomes of the connections to the APNs side.
    enum Connections: String, CaseIterable, Sendable {
        case keep
        case close
    }

    /// From so many pushes and devices on, what they leave behind is worth the time to hand it to the system.
    private static let muchCleared = 10_000

    /// What is reset.
    struct Draft: Sendable {
        var parts = ResetReport.Part.allCases
        var connections = Connections.keep
    }

    static let body = RequestBody<Draft>(
        .object(
            Draft(),
            .optional("only", .list(of: .word, emptyHint: "without it, everything is reset")) {
                $0.parts = $1
            },
            .optional("connections", .word) { $0.connections = $1 }
        ),
        isRequired: false,
        example: ["only": ["pushes"]]
    )

    static func reset(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let draft = try call.read(body)
        let world = call.subject.world
        let options = world.options
        let report = world.reset(Set(draft.parts))
        if report.pushes + report.devices >= muchCleared { FreeMemory.giveBack() }
        // Afterwards, so that nothing that a connection still sends in between outlives the reset.
        if draft.connections == .close { await call.subject.namespace.closeConnections() }
        let settings = RunTimeSetting.differences(options, world.options)
        let state = draft.connections == .close ? "closed" : "open"
        return .json(APIObject<ResetShape>(report, settings: settings, connections: state))
    }
}
