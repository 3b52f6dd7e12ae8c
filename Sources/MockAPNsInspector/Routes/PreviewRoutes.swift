internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsPreview
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// What iOS would show of a push: as data, and as a picture.
enum PreviewRoutes {
    static let group = RouteGroup(
        "previews",
        "What iOS would show of a push: an approximation, as data and as a picture.",
        [
            .get("/api/v1/pushes/{id}/preview", "Show what iOS would show of a push", show)
                .takes(dataQuery)
                .gives(.json(PreviewShape.self, "What would be shown, and in which states of the app."))
                .fails(.unknownPush),
            .get("/api/v1/pushes/{id}/preview.svg", "Take a picture of what iOS would show", picture)
                .detail("SVG without script, style or link; the same push gives the same bytes.")
                .takes(pictureQuery)
                .example(query: "?view=lock-screen&appearance=dark")
                .gives(.other(APIResponse.picture, "The picture."))
                .fails(.unknownPush),
            .get("/api/v1/strings", "List strings tables", StringsRoutes.list)
                .gives(.list(StringsListShape.self, "The tables.")),
            .get("/api/v1/strings/{topic}/{language}", "Show a strings table", StringsRoutes.one)
                .gives(.json(StringsTableShape.self, "The texts, by their keys."))
                .fails(.unknownStrings),
            .put(
                "/api/v1/strings/{topic}/{language}",
                "Upload the texts of an app in one language",
                StringsRoutes.put
            )
            .detail(
                "The whole table: an object of keys and texts, or with Content-Type: text/plain an Apple"
                    + " .strings file."
            )
            .reads(StringsRoutes.draft, or: ["text/plain": .text])
            .gives(
                .json(StringsSummaryShape.self, "The table was replaced."),
                .json(StringsSummaryShape.self, "The table is new.", status: 201),
            )
            .fails(.tooManyStrings),
            .delete("/api/v1/strings/{topic}/{language}", "Delete a strings table", StringsRoutes.remove)
                .gives(.nothing("It is gone."))
                .fails(.unknownStrings),
        ]
    )

    private struct Query: Sendable {
        var view: PreviewView?
        var appearance = PreviewAppearance.light
        var language: LanguageTag?
        var appState: AppState?
    }

    private static let device: [Parameter<Query>] = [
        .once(
            "language",
            StringsRoutes.language,
            "The language of the device; without it en, where the app has it."
        ) { $0.language = $1 },
        .once(
            "appState",
            .appState,
            "What the app is doing; without it, what it was doing when the push reached it."
        ) { $0.appState = $1 },
    ]

    private static let dataQuery = QueryForm(Query(), device)
    private static let pictureQuery = QueryForm(
        Query(),
        [
            .once(
                "view",
                .word(.previewView),
                "Where; without it, the lock screen. Notification Center is that of now."
            ) { $0.view = $1 },
            .once("appearance", .word, "Light or dark.") { $0.appearance = $1 },
        ] + device
    )

    /// Nothing from elsewhere and nothing that runs, wherever a browser shows the picture.
    private static let safety = [
        (
            name: "Content-Security-Policy",
            value: "default-src 'none'; base-uri 'none'; form-action 'none'; sandbox"
        ),
        (name: "X-Content-Type-Options", value: "nosniff"),
        (name: "Referrer-Policy", value: "no-referrer"),
    ]

    static func show(_ call: Route.Call) throws(Problem) -> APIResponse {
        let query = try call.read(dataQuery)
        return .json(APIObject<PreviewShape>(try preview(call, query.language), appState: query.appState))
    }

    static func picture(_ call: Route.Call) throws(Problem) -> APIResponse {
        let query = try call.read(pictureQuery)
        let preview = try preview(call, query.language)
        var scene = PreviewScene(preview: preview, appState: query.appState)
        if query.view == .notificationCenter { fill(&scene, call, query.language) }
        let svg = PreviewPicture(
            scene,
            view: query.view ?? .usual(for: preview.kind),
            appearance: query.appearance
        ).svg
        return APIResponse(
            contentType: APIResponse.picture,
            headers: safety,
            body: .bytes(Array(svg.utf8))
        )
    }

    private static func preview(
        _ call: Route.Call,
        _ language: LanguageTag?
    ) throws(Problem) -> NotificationPreview {
        let facts = PushFacts(try PushRoute.record(call))
        return preview(facts, call, language)
    }

    private static func preview(
        _ facts: PushFacts,
        _ call: Route.Call,
        _ language: LanguageTag?
    ) -> NotificationPreview {
        let world = call.subject.world
        return NotificationPreview(
            facts,
            strings: world.strings,
            categories: world.categories,
            language: language
        )
    }

    /// Notification Center of the push's device; nothing for a device that is not there.
    private static func fill(_ scene: inout PreviewScene, _ call: Route.Call, _ language: LanguageTag?) {
        let devices = call.subject.world.devices
        guard let token = scene.preview.facts.token else { return }
        let found: (device: Device, arrived: [PushRecord])
        do throws(DeviceError) {
            found = (try devices.device(.token(token)), try devices.arrived(.token(token)))
        } catch {
            // It was never there, or was forgotten.
            return
        }
        scene.group(Inbox(found.device, arrived: found.arrived, in: call.subject).shown) {
            preview($0, call, language)
        }
    }
}
