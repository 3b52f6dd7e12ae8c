internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

enum FaultRoutes {
    static let routes: [Route] = [
        .get("/api/v1/faults", "List faults", list).gives(.list(FaultListShape.self, "The faults, in order.")),
        .post("/api/v1/faults", "Create a fault", reads: draftBody, add).detail("Appended to the list.").gives(
            .json(FaultShape.self, "The fault.", status: 201)
        ).fails(.unusableValue, .tooManyFaults),
        .delete("/api/v1/faults", "Delete faults", reads: deletion, removeAll).detail("Requires a filter or all=true.")
            .example(query: "?all=true").gives(.json(DeletedShape.self, "The number of deleted faults.")),
        .put("/api/v1/faults/order", "Reorder faults", reads: orderBody, reorder).gives(
            .json(FaultListShape.self, "The faults, in their new order.")
        ).fails(.unknownFault, .unusableValue),
        .get("/api/v1/faults/presets", "List fault presets") { _ in .json(FaultPresetListShape.self, FaultPreset.all) }
            .gives(.json(FaultPresetListShape.self, "The presets.")),
        .post("/api/v1/faults/presets/{name}", "Create a fault from a preset", addPreset).detail(
            "Besides name, enabled and match, each preset has its own parameters."
        ).reads(presetBody(FaultPreset.all.flatMap(\.parameters))).gives(
            .json(FaultShape.self, "The fault.", status: 201)
        ).fails(.unknownPreset, .unusableValue, .tooManyFaults),
        .post("/api/v1/faults/dry-run", "Dry-run a fault", reads: rehearsalBody, rehearse).work(.search).uses(.reads)
            .detail("Finds the recorded pushes for which the fault would have fired; changes nothing.").gives(
                .json(FaultDryRunShape.self, "The pushes.")
            ).fails(.unusableValue),
        .get("/api/v1/faults/{fault}", "Get a fault", one).gives(
            .json(FaultShape.self, "The fault, with its statistics.")
        ).fails(.unknownFault),
        .put("/api/v1/faults/{fault}", "Replace a fault", replace).reads(draftBody).gives(
            .json(FaultShape.self, "The fault.")
        ).fails(.unknownFault, .unusableValue),
        .patch("/api/v1/faults/{fault}", "Update a fault", change).reads(changeBody).gives(
            .json(FaultShape.self, "The fault.")
        ).fails(.unknownFault, .unusableValue),
        .delete("/api/v1/faults/{fault}", "Delete a fault", remove).gives(.nothing("Deleted.")).fails(.unknownFault),
    ]

    private struct Deletion: Sendable {
        var all = false
        var names: [String] = []
        var presets: [String] = []
    }

    private static let deletion = QueryForm(
        Deletion(), .once("all", .yes, "Delete all faults.") { $0.all = $1 },
        .any("name", .text("the name of faults"), "Name of the faults.") { $0.names = $1 },
        .any(
            "preset", .words(FaultPreset.all.map(\.name), schema: .word(.faultPreset), \.self), "Preset of the faults."
        ) { $0.presets = $1 })

    private static let draftBody = RequestBody(
        .faultDraft, use: .draft,
        example: [
            "name": "two 503 then fine", "match": ["topic": "com.example.app"], "when": ["times": 2],
            "do": ["respond": ["status": 503, "reason": "ServiceUnavailable"]],
        ])
    private static let changeBody = RequestBody(.faultChange, example: ["enabled": false])
    private static let rehearsalBody = RequestBody(
        .faultRehearsal, use: .draft, example: ["match": ["topic": "com.example.app"], "when": ["every": 3]])
    private static let orderBody = RequestBody<[FaultID]>(
        .object([], .required("order", .list(of: id), "Every id once.") { $0 = $1 }),
        example: ["order": ["flt_2", "flt_1"]])
    private static let id = Form<FaultID>(ofText: FaultIDText.expected, schema: .faultID) { FaultIDText.id($0) }

    /// The document lists the parameters of all presets.
    private static func presetBody(_ parameters: [FaultPreset.Parameter]) -> RequestBody<FaultBody> {
        var names: Set<String> = []
        let distinct = parameters.filter { names.insert($0.name).inserted }
        return RequestBody(.faultPreset(distinct), use: .draft, isRequired: false, example: ["times": 1])
    }

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        .list(\FaultListShape.faults, of: (call.faults.all, call.subject.shown), call.request)
    }

    static func add(_ call: Route.Call, _ description: FaultBody) throws(Problem) -> APIResponse {
        try created(try draft(description, call), call)
    }

    private static func removeAll(_ call: Route.Call, _ query: Deletion) throws(Problem) -> APIResponse {
        guard query.all || !query.names.isEmpty || !query.presets.isEmpty else {
            throw Problem(
                .badParameter, "Say which faults: name=, preset=, or all=true for every one.",
                complaints: [Complaint(path: "all", message: "is missing; expected true, or a filter")])
        }
        let count = call.faults.removeAll { draft in
            (query.names.isEmpty || draft.name.map(query.names.contains) == true)
                && (query.presets.isEmpty || draft.preset.map(query.presets.contains) == true)
        }
        return .json(DeletedShape.self, count)
    }

    static func reorder(_ call: Route.Call, _ order: [FaultID]) throws(Problem) -> APIResponse {
        let faults = try call.withFaults(try call.faults.reorder(order))
        return .json(FaultListShape.self, (faults, call.subject.shown))
    }

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse { shown(try call.fault(Faults.fault), call) }

    static func replace(_ call: Route.Call) throws(Problem) -> APIResponse {
        let id = try call.faultID()
        let draft = try draft(try draftBody.read(call), call)
        return shown(try call.withFaults(try call.faults.replace(id, with: draft)), call)
    }

    static func change(_ call: Route.Call) throws(Problem) -> APIResponse {
        let id = try call.faultID()
        let description = try changeBody.read(call)
        try description.checkAction()
        return shown(try call.withFaults(try call.faults.change(id, description.change)), call)
    }

    static func remove(_ call: Route.Call) throws(Problem) -> APIResponse {
        try call.fault(Faults.remove)
        return .done
    }

    static func addPreset(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = call.pathParts["name"] ?? ""
        guard let preset = FaultPreset.named(name) else {
            throw Problem.unknown(
                .unknownPreset, "Preset '\(name)' not found", name, "is not a preset",
                among: FaultPreset.all.map(\.name))
        }
        let description = try presetBody(preset.parameters).read(call)
        let draft = try call.withFaults(
            try preset.draft(
                description.choices, name: description.change.name, isEnabled: description.change.isEnabled ?? true,
                match: description.change.match?.match,
                connections: description.change.match?.connections ?? FaultDraft.Connections()))
        return try created(draft, call)
    }

    static func rehearse(_ call: Route.Call, _ description: FaultBody) async throws(Problem) -> APIResponse {
        let draft = try draft(description, call)
        var query = PushQuery()
        query.order = .ascending
        query.limit = .max
        query.condition = draft.match?.condition
        let page = try await call.page(query)
        let (matched, hits) = call.faults.rehearse(draft, on: page.pushes)
        return .json(FaultDryRunShape.self, (hits, matched, page.extent))
    }

    private static func draft(_ description: FaultBody, _ call: Route.Call) throws(Problem) -> FaultDraft {
        try description.checkAction()
        let change = description.change
        return try call.withFaults(
            try FaultDraft(
                name: change.name, isEnabled: change.isEnabled ?? true, match: change.match?.match,
                connections: change.match?.connections ?? FaultDraft.Connections(), when: change.when ?? FaultTrigger(),
                // Only in a dry run is there none, and there it makes no difference.
                action: change.action ?? .lose))
    }

    private static func shown(_ fault: Fault, _ call: Route.Call) -> APIResponse {
        .json(FaultShape.self, (fault, call.subject.shown))
    }

    private static func created(_ draft: FaultDraft, _ call: Route.Call) throws(Problem) -> APIResponse {
        let fault = try call.withFaults(try call.faults.add(draft))
        let shape = APIObject<FaultShape>((fault, call.subject.shown))
        return .created(shape, at: "/api/v1/faults/\(shape.id)")
    }
}
