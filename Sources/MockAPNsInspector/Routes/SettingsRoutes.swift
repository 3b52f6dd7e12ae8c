internal import MockAPNsWorld

/// What can be set while the server runs.
enum SettingsRoutes {
    /// `GET /api/v1/settings`.
    static func show(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(RunTimeSetting.json(call.subject.world.options))
    }

    /// `PATCH /api/v1/settings`.
    static func change(_ call: Route.Call) throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: RunTimeSetting.all.map(\.name))
        let changes = RunTimeSetting.all.compactMap { $0.write(&body, $0.name) }
        try body.finish()
        // All of them at once: no push is judged by half of a change.
        let (_, options) = call.subject.world.changeOptions { options in
            for change in changes { change(&options) }
        }
        return .json(RunTimeSetting.json(options))
    }
}
