internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// What can be set while the server runs.
enum SettingsRoutes {
    static let group = RouteGroup(
        "settings",
        "What can be set while the server runs.",
        [
            Route("GET", "/api/v1/settings", "Show the settings", answer: show)
                .gives(.json(.named("Settings"), "The settings.")),
            Route("PATCH", "/api/v1/settings", "Change settings", answer: change)
                .detail(
                    "All at once, or none: no push is judged by half of a change. strict comes first, as it sets others."
                )
                .reads(Route.Body(schema: .closed(schemas), example: ["unknownTokens": "reject"]))
                .gives(.json(.named("Settings"), "The settings.")),
        ],
        schemas: ["Settings": .object(schemas)]
    )

    private static let schemas = Dictionary(
        uniqueKeysWithValues: RunTimeSetting.all.map { ($0.name, $0.schema) }
    )

    static func show(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(RunTimeSetting.json(call.subject.world.options))
    }

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
