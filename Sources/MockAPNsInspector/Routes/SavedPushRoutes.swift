internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsObjects
internal import MockAPNsWorld

/// Pushes that are kept under names, to be sent with `POST /api/v1/pushes/send`.
enum SavedPushRoutes {
    /// Operations in the group of pushes.
    static let routes: [Route] = [
        .get("/api/v1/saved-pushes", "List saved pushes", list)
            .gives(.list(SavedPushListShape.self, "The pushes, by name.")),
        .get("/api/v1/saved-pushes/{savedPush}", "Get a saved push", one)
            .gives(.json(SavedPushShape.self, "The push."))
            .fails(.unknownSavedPush),
        .put("/api/v1/saved-pushes/{savedPush}", "Save a push", put)
            .detail("The body is that of POST /api/v1/pushes/send. Nothing is sent.")
            .reads(SendBody.body)
            .gives(
                .json(SavedPushShape.self, "The push was replaced."),
                .json(SavedPushShape.self, "The push is new.", status: 201),
            )
            .fails(.tooManySavedPushes, .bodyTooLarge),
        .delete("/api/v1/saved-pushes/{savedPush}", "Delete a saved push", remove)
            .gives(.nothing("Deleted."))
            .fails(.unknownSavedPush),
    ]

    private static func list(_ call: Route.Call) -> APIResponse {
        let saved = call.subject.world.savedPushes.all.sorted { $0.key < $1.key }
        return .list(saved.map(object), call.request, in: \SavedPushListShape.savedPushes)
    }

    private static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        guard let push = call.subject.world.savedPushes[name] else { throw unknown(name, call) }
        return .json(object(name, push))
    }

    private static func put(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        _ = try SendBody.body.read(call)
        let given = call.request.body
        // Kept as written: the order of a payload's members is part of what is sent.
        let push = given.isEmpty ? "{}" : String(decoding: given, as: UTF8.self)
        do throws(SavedPushes.Refusal) {
            let isNew = try call.subject.world.savedPushes.put(push, as: name)
            return isNew ? .created(object(name, push), at: call.request.path) : .json(object(name, push))
        } catch {
            switch error {
            case .tooMany:
                throw Problem(
                    .tooManySavedPushes,
                    "There are already \(SavedPushes.most) saved pushes, the maximum; delete one first."
                )
            case .tooLarge(let size):
                throw Problem(
                    .bodyTooLarge,
                    "The push has \(size) bytes; a saved push may have \(SavedPushes.largest)."
                )
            }
        }
    }

    private static func remove(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        guard call.subject.world.savedPushes.remove(name) else { throw unknown(name, call) }
        return .done
    }

    private static func object(_ name: String, _ push: String) -> APIObject<SavedPushShape> {
        APIObject {
            $0.name = name
            $0.push = .written(Array(push.utf8))
        }
    }

    /// Any text, because people choose it.
    private static func name(_ call: Route.Call) throws(Problem) -> String {
        let name = call.pathParts["savedPush"] ?? ""
        let length = name.unicodeScalars.count
        if (1...SavedPushes.longestName).contains(length) { return name }
        throw Problem(
            .badPath,
            "The name of the saved push has \(length) characters; expected 1 to \(SavedPushes.longestName)."
        )
    }

    private static func unknown(_ name: String, _ call: Route.Call) -> Problem {
        .unknown(
            .unknownSavedPush,
            "There is no saved push '\(name)'",
            name,
            "is not the name of a saved push",
            among: Array(call.subject.world.savedPushes.all.keys),
            list: "/api/v1/saved-pushes"
        )
    }
}
