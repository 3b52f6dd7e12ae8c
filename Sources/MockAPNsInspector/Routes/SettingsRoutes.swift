internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// What can be set while the server runs.
enum SettingsRoutes {
    static let group = RouteGroup(
        "settings",
        "What can be set while the server runs.",
        [
            .get("/api/v1/settings", "Show the settings", show)
                .gives(settings),
            .patch("/api/v1/settings", "Change settings", change)
                .detail(
                    "All at once, or none: no push is judged by half of a change. strict comes first, as it sets others."
                )
                .reads(changes)
                .gives(settings),
        ]
    )

    private static let settings: Route.Answer = {
        let members = RunTimeSetting.all.map { ($0.name, $0.field.schema(.request)) }
        let names = members.map(\.0).sorted()
        let schema = Schema.object(Dictionary(uniqueKeysWithValues: members), required: names)
        return .json(schema.named("Settings"), "The settings.")
    }()

    private static let changes = RequestBody<[RunTimeSetting.Change]>(
        .object([], RunTimeSetting.all.map(\.field)),
        example: ["unknownTokens": "reject"]
    )

    static func show(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(RunTimeSetting.json(call.subject.world.options))
    }

    static func change(_ call: Route.Call) throws(Problem) -> APIResponse {
        let changes = try call.read(changes)
        // All of them at once: no push is judged by half of a change.
        let (_, options) = call.subject.world.changeOptions { options in
            for change in changes { change(&options) }
        }
        return .json(RunTimeSetting.json(options))
    }
}
