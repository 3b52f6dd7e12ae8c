internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient

struct PreviewCommand: ClientTask {
    static let configuration = command(
        "Show what iOS would show for a push, as text or as a picture.",
        discussion: "Without -o it prints text. With -o it writes an SVG picture, which is an approximation.",
        examples: "mock-apns preview latest", "mock-apns preview latest --view banner --appearance dark -o banner.svg")

    @Argument(help: PushArgument.help) var push: PushArgument

    @Option("view", "With -o: lock-screen, banner, notification-center, watch or live-activity.") var view: String?

    @Option("appearance", "With -o: light or dark.") var appearance: String?

    @Option("crop", "With -o: notification, or device for the whole screen.") var crop: String?

    @Option("offset", "With -o: the offset of the times shown from UTC, such as +02:00.") var timeZone: String?

    @Option("languages", "The languages that the user prefers, such as de or pt-BR,es.") var language: String?

    @Option("family", "The kind of the device: iphone, ipad, applewatch, mac ...") var family: String?

    @Option("state", "The state of the app: foreground, background, terminated or forceQuit.") var appState: String?

    @Option("file", "The file for the picture; - is standard output.", name: .shortAndLong) var output: String?

    func validate() throws {
        guard output == nil, [view, appearance, crop, timeZone].contains(where: { $0 != nil }) else { return }
        throw ValidationError("--view, --appearance, --crop and --time-zone need -o: they apply to a picture.")
    }

    func run(_ client: ClientOptions) async throws {
        let id = try await push.id(client.api)
        let query = [
            (name: "language", value: language), (name: "family", value: family), (name: "appState", value: appState),
        ]
        guard let output else {
            let request = APIRequest("GET", ["pushes", id, "preview"], query: query)
            return try await client.show(request, as: PreviewShape.self) { $0.text }
        }
        let form =
            query + [
                (name: "view", value: view), (name: "appearance", value: appearance), (name: "crop", value: crop),
                (name: "timeZone", value: timeZone),
            ]
        let request = APIRequest("GET", ["pushes", id, "preview.svg"], query: form)
        let response = try await client.ask(request.with(\.accept, "image/svg+xml"))
        if output == "-" {
            Console.write(response.body)
        } else {
            try AtomicFile.save(response.body, to: output, access: .everyone)
            Console.note("wrote \(output)")
        }
    }
}

extension APIObject<PreviewShape> {
    var text: String {
        func words(_ text: APIObject<PreviewShape.Text>?) -> String? {
            text.map { $0.text + ($0.source == "key-not-found" ? " (key not found)" : "") }
        }
        let isShown = ["alert", "quiet", "live-activity"].contains(self.kind)
        let rows: [(name: String, value: String?)] = [
            ("kind", "\(self.kind): \(self.headline)"), ("app", "\(self.app.name) (\(self.app.bundleId))"),
            ("language", self.language), ("title", words(self.title)), ("subtitle", words(self.subtitle)),
            ("body", words(self.body)), ("badge", isShown ? self.badge.meaning : nil),
            ("sound", isShown ? self.sound.meaning : nil), ("level", isShown ? self.interruptionLevel.meaning : nil),
            ("seen", isShown ? nil : self.summary),
        ]
        let sheet = Table.sheet(rows + self.appStates.map { ($0.appState, $0.summary) })
        return ([sheet] + self.notes.map { Terminal.output.paragraph("note: \($0)", hanging: 2) }).joined(
            separator: "\n")
    }
}
