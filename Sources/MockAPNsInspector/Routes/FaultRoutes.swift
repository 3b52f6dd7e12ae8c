internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// What goes wrong on purpose.
enum FaultRoutes {
    static let group = RouteGroup(
        "faults",
        "What goes wrong on purpose. The first fault of the list that fires is the one that happens.",
        [
            .get("/api/v1/faults", "List faults", list)
                .gives(.list(FaultListShape.self, "In the order of the list.")),
            .post("/api/v1/faults", "Add a fault", add)
                .detail("It goes to the end of the list.")
                .reads(draftBody)
                .gives(.json(FaultShape.self, "The fault.", status: 201))
                .fails(.unusableValue, .tooManyFaults),
            .delete("/api/v1/faults", "Delete faults", removeAll)
                .detail("Without a filter it takes all=true.")
                .takes(deletion)
                .example(query: "?all=true")
                .gives(.json(DeletedShape.self, "How many there were.")),
            .put("/api/v1/faults/order", "Put faults in order", reorder)
                .reads(orderBody)
                .gives(.json(FaultListShape.self, "In their new order."))
                .fails(.unknownFault, .unusableValue),
            .get("/api/v1/faults/presets", "List what has gone wrong for others", presets)
                .gives(.json(FaultPresetListShape.self, "The presets.")),
            .post("/api/v1/faults/presets/{name}", "Add the fault of a preset", addPreset)
                .detail("Each preset takes its own parameters besides name, enabled and match.")
                .reads(presetBody(FaultPreset.all.flatMap(\.parameters)))
                .gives(.json(FaultShape.self, "The fault.", status: 201))
                .fails(.unknownPreset, .unusableValue, .tooManyFaults),
            .post("/api/v1/faults/dry-run", "Ask what a fault would have happened to", rehearse)
                .work(.search)
                .detail("Looks at the pushes in the journal; nothing is changed.")
                .reads(rehearsalBody)
                .gives(.json(FaultDryRunShape.self, "The pushes."))
                .fails(.unusableValue),
            .get("/api/v1/faults/{fault}", "Show a fault", one)
                .gives(.json(FaultShape.self, "The fault, and what it has done."))
                .fails(.unknownFault),
            .put("/api/v1/faults/{fault}", "Describe a fault anew", replace)
                .reads(draftBody)
                .gives(.json(FaultShape.self, "The fault."))
                .fails(.unknownFault, .unusableValue),
            .patch("/api/v1/faults/{fault}", "Change parts of a fault", change)
                .reads(changeBody)
                .gives(.json(FaultShape.self, "The fault."))
                .fails(.unknownFault, .unusableValue),
            .delete("/api/v1/faults/{fault}", "Delete a fault", remove)
                .gives(.nothing("It is gone."))
                .fails(.unknownFault),
        ]
    )

    // MARK: Queries and bodies

    /// Which faults are deleted.
    private struct Deletion: Sendable {
        var all = false
        var names: [String] = []
        var presets: [String] = []
    }

    private static let deletion = QueryForm(
        Deletion(),
        .once("all", .yes, "Delete without a filter.") { $0.all = $1 },
        .any("name", .text("the name of faults"), "The name of faults.") { $0.names = $1 },
        .any(
            "preset",
            .words(FaultPreset.all.map(\.name), schema: .word(.faultPreset), \.self),
            "The preset that they were made of."
        ) { $0.presets = $1 }
    )

    private static let draftBody = RequestBody(
        .faultDraft,
        use: .draft,
        example: [
            "name": "two 503 then fine", "match": ["topic": "com.example.app"], "when": ["times": 2],
            "do": ["respond": ["status": 503, "reason": "ServiceUnavailable"]],
        ]
    )
    private static let changeBody = RequestBody(.faultChange, example: ["enabled": false])
    private static let rehearsalBody = RequestBody(
        .faultRehearsal,
        use: .draft,
        example: ["match": ["topic": "com.example.app"], "when": ["every": 3]]
    )
    private static let orderBody = RequestBody<[FaultID]>(
        .object([], .required("order", .list(of: id), "Every id, once.") { $0 = $1 }),
        example: ["order": ["flt_2", "flt_1"]]
    )
    private static let id = Form<FaultID>(ofText: FaultIDText.expected, schema: .faultID) {
        FaultIDText.id($0)
    }

    /// The body that takes the parameters of a preset; in the document, those of all presets.
    private static func presetBody(_ parameters: [FaultPreset.Parameter]) -> RequestBody<FaultDescription> {
        var names: Set<String> = []
        let distinct = parameters.filter { names.insert($0.name).inserted }
        return RequestBody(.faultPreset(distinct), use: .draft, isRequired: false, example: ["times": 1])
    }

    // MARK: Answers

    /// The most pushes that a rehearsal names.
    private static let mostNamed = 50

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        .list(shapes(call.subject.world.faults.all, call), call.request) { faults in
            APIObject<FaultListShape> { $0.faults = faults }
        }
    }

    static func add(_ call: Route.Call) throws(Problem) -> APIResponse {
        try created(try draft(call), call)
    }

    static func removeAll(_ call: Route.Call) throws(Problem) -> APIResponse {
        let query = try call.read(deletion)
        guard query.all || !query.names.isEmpty || !query.presets.isEmpty else {
            throw Problem(
                kind: .badParameter,
                detail: "Say which faults: name=, preset=, or all=true for every one.",
                complaints: [
                    Complaint(
                        path: "all",
                        message: "is missing; expected true, or a filter"
                    )
                ]
            )
        }
        let count = call.subject.world.faults.removeAll { draft in
            (query.names.isEmpty || draft.name.map(query.names.contains) == true)
                && (query.presets.isEmpty || draft.preset.map(query.presets.contains) == true)
        }
        return .json(APIObject<DeletedShape> { $0.deleted = count })
    }

    static func reorder(_ call: Route.Call) throws(Problem) -> APIResponse {
        let order = try call.read(orderBody)
        let faults = try call.withFaults { faults throws(FaultError) in try faults.reorder(order) }
        return .json(APIObject<FaultListShape> { $0.faults = shapes(faults, call) })
    }

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let id = try call.faultID()
        return try shown(call) { faults throws(FaultError) in try faults.fault(id) }
    }

    static func replace(_ call: Route.Call) throws(Problem) -> APIResponse {
        let id = try call.faultID()
        let draft = try draft(call)
        return try shown(call) { faults throws(FaultError) in try faults.replace(id, with: draft) }
    }

    static func change(_ call: Route.Call) throws(Problem) -> APIResponse {
        let id = try call.faultID()
        let description = try call.read(changeBody)
        try description.checkAction()
        var change = Faults.Change()
        change.name = description.name
        change.isEnabled = description.isEnabled
        change.match = description.match.map { ($0.pushes, $0.connections) }
        change.when = description.when
        change.action = description.action
        return try shown(call) { faults throws(FaultError) in try faults.change(id, change) }
    }

    static func remove(_ call: Route.Call) throws(Problem) -> APIResponse {
        let id = try call.faultID()
        try call.withFaults { faults throws(FaultError) in try faults.remove(id) }
        return .done
    }

    // MARK: Presets

    static func presets(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(APIObject<FaultPresetListShape> { $0.presets = FaultPreset.all.map(APIObject.init) })
    }

    static func addPreset(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = call.pathParts["name"] ?? ""
        guard let preset = FaultPreset.named(name) else {
            throw Problem.unknown(
                .unknownPreset,
                "There is not a preset '\(name)'",
                name,
                "is not a preset",
                among: FaultPreset.all.map(\.name)
            )
        }
        let description = try call.read(presetBody(preset.parameters))
        return try created(
            try drafting { () throws(FaultError) in
                try preset.draft(
                    description.choices,
                    name: description.name,
                    isEnabled: description.isEnabled ?? true,
                    match: description.match?.pushes,
                    connections: description.match?.connections ?? FaultDraft.Connections()
                )
            },
            call
        )
    }

    // MARK: Rehearsal

    static func rehearse(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let description = try call.read(rehearsalBody)
        // What it does makes no difference.
        let draft = try draft(description, action: .lose)
        var query = PushQuery()
        query.order = .ascending
        query.limit = .max
        query.condition = draft.match?.condition
        let page = try await call.page(query)
        let (matched, hits) = call.subject.world.faults.rehearse(draft, on: page.pushes)
        return .json(
            APIObject<FaultDryRunShape> {
                $0.hits = hits.count
                $0.journal = APIObject(page.extent)
                $0.matched = matched
                $0.note = note(page.extent.evicted)
                $0.pushes = hits.suffix(mostNamed).map { call.subject.pushID($0) }
            }
        )
    }

    private static func note(_ evicted: UInt64) -> String? {
        guard evicted > 0 else { return nil }
        return "\(evicted) pushes are not in the journal any more, and were not looked at."
    }

    // MARK: Drafts

    private static func draft(_ call: Route.Call) throws(Problem) -> FaultDraft {
        let description = try call.read(draftBody)
        try description.checkAction()
        // There is one action, which was read.
        return try draft(description, action: description.action ?? .lose)
    }

    private static func draft(
        _ description: FaultDescription,
        action: FaultAction
    ) throws(Problem) -> FaultDraft {
        try drafting { () throws(FaultError) in
            try FaultDraft(
                name: description.name,
                isEnabled: description.isEnabled ?? true,
                match: description.match?.pushes,
                connections: description.match?.connections ?? FaultDraft.Connections(),
                when: description.when ?? FaultTrigger(),
                action: action
            )
        }
    }

    private static func drafting(
        _ make: () throws(FaultError) -> FaultDraft
    ) throws(Problem) -> FaultDraft {
        do {
            return try make()
        } catch {
            throw Problem(error)
        }
    }

    // MARK: Responses

    private static func shapes(_ faults: [Fault], _ call: Route.Call) -> [APIObject<FaultShape>] {
        faults.map { APIObject<FaultShape>($0, in: call.subject) }
    }

    private static func shown(
        _ call: Route.Call,
        _ use: (Faults) throws(FaultError) -> Fault
    )
        throws(Problem) -> APIResponse
    {
        .json(APIObject<FaultShape>(try call.withFaults(use), in: call.subject))
    }

    private static func created(_ draft: FaultDraft, _ call: Route.Call) throws(Problem) -> APIResponse {
        let fault = try call.withFaults { faults throws(FaultError) in try faults.add(draft) }
        let shape = APIObject<FaultShape>(fault, in: call.subject)
        return .created(shape, at: "/api/v1/faults/\(shape.id)")
    }
}
