internal import MockAPNsAPI
internal import MockAPNsPreview
internal import MockAPNsQuery
internal import MockAPNsWorld

enum PreviewRoutes {
    static let routes: [Route] = [
        .get("/api/v1/pushes/{id}/preview", "Preview a push", reads: dataQuery, show).gives(
            .json(PreviewShape.self, "What iOS shows, and in which states of the app.")
        ).fails(.unknownPush),
        .get("/api/v1/pushes/{id}/preview.svg", "Render a preview", reads: pictureQuery, picture).detail(
            "SVG without scripts, styles or links. The same push always gives the same bytes."
        ).example(query: "?view=lock-screen&appearance=dark").gives(.other(APIResponse.picture, "The picture.")).fails(
            .unknownPush),
    ]

    private struct Query: Sendable {
        var view: PreviewView?
        var appearance = PreviewAppearance.light
        var crop = PreviewCrop.device
        var timeZone = UTCOffset.utc
        var setting = PreviewSetting()
        var appState: AppState?
    }

    private static let device: [Parameter<Query>] = [
        .once(
            "language", StringsRoutes.languages,
            "Languages that the user prefers, with commas, the first most; by default the app's development language."
        ) { $0.setting.languages = $1 },
        .once("family", .word, "Kind of the device; by default iphone.") { $0.setting.family = $1 },
        .once("appState", .appState, "State of the app; by default its state when the push arrived.") {
            $0.appState = $1
        },
    ]

    private static let timeZone = Form<UTCOffset>(
        ofText: "an offset from UTC, such as +02:00, -05:30 or Z; names of time zones are not known here",
        schema: .utcOffset
    ) { UTCOffset($0) }

    private static let dataQuery = QueryForm(Query(), device)
    private static let pictureQuery = QueryForm(
        Query(),
        [
            .once(
                "view", .word(.previewView),
                "Where it is shown; by default the lock screen. Notification Center has its current content."
            ) { $0.view = $1 }, .once("appearance", .word, "Appearance.") { $0.appearance = $1 },
            .once("crop", .word, "The whole device, which is the default, or only the notification.") { $0.crop = $1 },
            .once(
                "timeZone", timeZone,
                "Offset of the times shown from UTC, with + written as %2B; by default Z, which is UTC."
            ) { $0.timeZone = $1 },
        ] + device)

    /// No scripts and nothing loaded but icons, which are in the picture, wherever a browser shows the picture.
    private static let safety = APIResponse.safety(
        "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; sandbox")

    private static func show(_ call: Route.Call, _ query: Query) async throws(Problem) -> APIResponse {
        let preview = preview(PushFacts(try await PushRoute.record(call)), call, query.setting)
        return .json(PreviewShape.self, ShownPreview(preview, appState: query.appState))
    }

    private static func picture(_ call: Route.Call, _ query: Query) async throws(Problem) -> APIResponse {
        let preview = preview(PushFacts(try await PushRoute.record(call)), call, query.setting)
        var scene = PreviewScene(preview: preview, appState: query.appState, timeZone: query.timeZone)
        if query.view == .notificationCenter { fill(&scene, call, query.setting) }
        let svg = scene.picture(query.view ?? .usual(for: preview.kind), query.appearance, crop: query.crop)
        return .text(svg, as: APIResponse.picture, headers: safety)
    }

    private static func preview(
        _ facts: PushFacts, _ call: Route.Call, _ setting: PreviewSetting
    ) -> NotificationPreview {
        let world = call.subject.world
        return NotificationPreview(
            facts, strings: world.strings, categories: world.categories, apps: world.apps, setting: setting)
    }

    /// Adds the Notification Center of the push's device, if the device exists.
    private static func fill(_ scene: inout PreviewScene, _ call: Route.Call, _ setting: PreviewSetting) {
        let devices = call.subject.world.devices
        guard let token = scene.preview.facts.token, let device = try? devices.device(.token(token)),
            let arrived = try? devices.arrived(.token(token))
        else { return }
        scene.group(Inbox(of: device, arrived, in: call.subject.shown).shown) { preview($0, call, setting) }
    }
}
