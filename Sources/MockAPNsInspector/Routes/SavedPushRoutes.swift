internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// Pushes that are kept under names, to be sent with `POST /api/v1/pushes/send`.
enum SavedPushRoutes {
    /// Operations in the group of pushes.
    static let routes: [Route] = [
        .get("/api/v1/saved-pushes", "List saved pushes", list).gives(
            .list(SavedPushListShape.self, "The pushes, by name.")),
        .put("/api/v1/saved-pushes", "Replace all saved pushes", putAll).largestBody(8 << 20).detail(
            "All or nothing. The body is what the list returns; pushes that it does not have are deleted."
        ).reads(collection).gives(.json(SavedPushListShape.self, "The pushes, by name.")).fails(.unusableValue),
        .get("/api/v1/saved-pushes/{savedPush}", "Get a saved push", saved.one).gives(
            .json(SavedPushShape.self, "The push.")
        ).fails(.unknownSavedPush),
        .put("/api/v1/saved-pushes/{savedPush}", "Save a push", saved.put).detail(
            "The body is that of POST /api/v1/pushes/send. Nothing is sent."
        ).reads(SendBody.body).gives(
            .json(SavedPushShape.self, "The push was replaced."),
            .json(SavedPushShape.self, "The push is new.", status: 201),
        ).fails(.tooManySavedPushes, .bodyTooLarge),
        .delete("/api/v1/saved-pushes/{savedPush}", "Delete a saved push", saved.remove).gives(.nothing("Deleted."))
            .fails(.unknownSavedPush),
    ]

    /// The names of the pushes; the pushes are checked, and kept as they are written.
    private static let collection = RequestBody<[String]>(
        .object([], .required("savedPushes", .list(of: entry, atMost: SavedPush.most)) { $0 = $1 }) { names, _, body in
            if names.count > SavedPush.most {
                body.complain("has \(names.count) entries; expected \(SavedPush.most) at most", at: "savedPushes")
            }
            var known: Set<String> = []
            for name in names where !known.insert(name).inserted {
                body.complain("has two entries with the name '\(name)'; expected each name once", at: "savedPushes")
            }
        }, use: .draft, example: ["savedPushes": [["name": "Order shipped", "push": ["title": "Order shipped"]]]])

    private static let entry = Form<String>.object(
        "",
        .required(
            "name",
            Form<String>(
                ofText: "a name of 1 to \(SavedPush.longestName) characters", schema: .text(1...SavedPush.longestName)
            ) { isName($0) ? $0 : nil }
        ) { $0 = $1 }, .required("push", SendBody.body.form, "The body of POST /api/v1/pushes/send.") { _, _ in })

    private static let saved = NamedRoutes<String, String, SavedPushShape, SavedPushShape>(
        path: "/api/v1/saved-pushes",
        absence: (.unknownSavedPush, "There is no saved push", "is not the name of a saved push"),
        refusals: (.tooManySavedPushes, .bodyTooLarge), table: \.savedPushes, name: name, text: { $0 }, value: push,
        whole: shown, summary: shown)

    private static func list(_ call: Route.Call) -> APIResponse {
        saved.list(call, in: \SavedPushListShape.savedPushes)
    }

    private static func putAll(_ call: Route.Call) throws(Problem) -> APIResponse {
        let names = try collection.read(call)
        let pushes = JSONParser.parts(of: call.request.body[...]).first { $0.name == "savedPushes" }
        let texts = JSONParser.parts(of: pushes?.text ?? []).map { entry in
            let push = JSONParser.parts(of: entry.text).first { $0.name == "push" }
            return String(decoding: push?.text ?? [], as: UTF8.self)
        }
        for (position, text) in texts.enumerated() where text.utf8.count > SavedPush.largest {
            throw .unusable(
                "/savedPushes/\(position)/push",
                "has \(text.utf8.count) bytes; expected \(SavedPush.largest) at most, as for any saved push")
        }
        do throws(TableRefusal) {
            try call.subject.world.savedPushes.replaceAll(with: Dictionary(zip(names, texts)) { $1 })
        } catch { throw saved.problem(error) }
        return list(call)
    }

    /// Returns the body exactly as it was sent, because the members of a payload have to keep their order.
    private static func push(_ call: Route.Call) throws(Problem) -> String {
        _ = try SendBody.body.read(call)
        let given = call.request.body
        return given.isEmpty ? "{}" : String(decoding: given, as: UTF8.self)
    }

    private static func shown(_ name: String, _ push: String) -> SavedPushShape.Source { (name, push) }

    /// Any text, because people choose it.
    private static func name(_ call: Route.Call) throws(Problem) -> String {
        let name = call.pathParts["savedPush"] ?? ""
        if isName(name) { return name }
        throw Problem(
            .badPath,
            "The name of the saved push has \(name.unicodeScalars.count) characters; expected 1 to"
                + " \(SavedPush.longestName).")
    }

    private static func isName(_ text: String) -> Bool {
        (1...SavedPush.longestName).contains(text.unicodeScalars.count)
    }
}
