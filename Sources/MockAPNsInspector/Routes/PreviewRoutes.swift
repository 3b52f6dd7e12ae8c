internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsPreview
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// What iOS would show of a push: as data, and as a picture.
enum PreviewRoutes {
    static let parameters = ["language", "appState"]
    static let pictureParameters = ["view", "appearance"] + parameters

    /// Nothing from elsewhere and nothing that runs, wherever a browser shows the picture.
    private static let safety = [
        (
            name: "Content-Security-Policy",
            value: "default-src 'none'; base-uri 'none'; form-action 'none'; sandbox"
        ),
        (name: "X-Content-Type-Options", value: "nosniff"),
        (name: "Referrer-Policy", value: "no-referrer"),
    ]

    /// `GET /api/v1/pushes/{id}/preview`.
    static func show(_ call: Route.Call) throws(Problem) -> APIResponse {
        var reader = call.query
        let language = reader.value("language", Self.language)
        let appState = reader.value("appState", Self.appState)
        try reader.finish()
        return .json(APIObject<PreviewShape>(try preview(call, language), appState: appState))
    }

    /// `GET /api/v1/pushes/{id}/preview.svg`.
    static func picture(_ call: Route.Call) throws(Problem) -> APIResponse {
        var reader = call.query
        let view = reader.value("view", Form<PreviewView>.word)
        let appearance = reader.value("appearance", Form<PreviewAppearance>.word) ?? .light
        let language = reader.value("language", Self.language)
        let appState = reader.value("appState", Self.appState)
        try reader.finish()
        let preview = try preview(call, language)
        var scene = PreviewScene(preview: preview, appState: appState)
        if view == .notificationCenter { fill(&scene, call, language) }
        let svg = PreviewPicture(scene, view: view ?? .usual(for: preview.kind), appearance: appearance).svg
        return APIResponse(
            contentType: APIResponse.picture,
            headers: safety,
            body: .bytes(Array(svg.utf8))
        )
    }

    private static let language = Form<LanguageTag>(ofText: StringsRoutes.expected) {
        LanguageTag($0)
    }

    private static let appState = Form<AppState>.words(Array(AppState.allCases), \.name)

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
