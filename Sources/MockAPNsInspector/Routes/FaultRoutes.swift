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
            Route("GET", "/api/v1/faults", "List faults", answer: list)
                .gives(.list(FaultListShape.self, "In the order of the list.")),
            Route("POST", "/api/v1/faults", "Add a fault", answer: add)
                .detail("It goes to the end of the list.")
                .reads(Route.Body(schema: .named("FaultDraft"), example: draft))
                .gives(.json(FaultShape.self, "The fault.", status: 201))
                .fails(.unusableValue, .tooManyFaults),
            Route("DELETE", "/api/v1/faults", "Delete faults", answer: removeAll)
                .detail("Without a filter it takes all=true.")
                .takes([
                    Route.Parameter("all", .words(["true"]), "Delete without a filter."),
                    Route.Parameter("name", .text(atLeast: 1), "The name of faults.", isRepeatable: true),
                    Route.Parameter(
                        "preset",
                        FaultSchemas.preset,
                        "The preset that they were made of.",
                        isRepeatable: true
                    ),
                ])
                .example(query: "?all=true")
                .gives(.json(DeletedShape.self, "How many there were.")),
            Route("PUT", "/api/v1/faults/order", "Put faults in order", answer: reorder)
                .reads(
                    Route.Body(
                        schema: .closed(
                            ["order": .list(of: .faultID).described("Every id, once.")],
                            required: ["order"]
                        ),
                        example: ["order": ["flt_2", "flt_1"]]
                    )
                )
                .gives(.json(FaultListShape.self, "In their new order."))
                .fails(.unknownFault, .unusableValue),
            Route("GET", "/api/v1/faults/presets", "List what has gone wrong for others", answer: presets)
                .gives(.json(FaultPresetListShape.self, "The presets.")),
            Route("POST", "/api/v1/faults/presets/{name}", "Add the fault of a preset", answer: addPreset)
                .detail("Each preset takes its own parameters besides name, enabled and match.")
                .reads(
                    Route.Body(
                        schema: FaultSchemas.presetBody,
                        example: ["times": 1],
                        isRequired: false
                    )
                )
                .gives(.json(FaultShape.self, "The fault.", status: 201))
                .fails(.unknownPreset, .unusableValue, .tooManyFaults),
            Route(
                "POST",
                "/api/v1/faults/dry-run",
                "Ask what a fault would have happened to",
                answer: rehearse
            )
            .work(.search)
            .detail("Looks at the pushes in the journal; nothing is changed.")
            .reads(
                Route.Body(
                    schema: FaultSchemas.rehearsal,
                    example: ["match": ["topic": "com.example.app"], "when": ["every": 3]]
                )
            )
            .gives(.json(FaultDryRunShape.self, "The pushes."))
            .fails(.unusableValue),
            Route("GET", "/api/v1/faults/{fault}", "Show a fault", answer: one)
                .gives(.json(FaultShape.self, "The fault, and what it has done."))
                .fails(.unknownFault),
            Route("PUT", "/api/v1/faults/{fault}", "Describe a fault anew", answer: replace)
                .reads(Route.Body(schema: .named("FaultDraft"), example: draft))
                .gives(.json(FaultShape.self, "The fault."))
                .fails(.unknownFault, .unusableValue),
            Route("PATCH", "/api/v1/faults/{fault}", "Change parts of a fault", answer: change)
                .reads(Route.Body(schema: FaultSchemas.change, example: ["enabled": false]))
                .gives(.json(FaultShape.self, "The fault."))
                .fails(.unknownFault, .unusableValue),
            Route("DELETE", "/api/v1/faults/{fault}", "Delete a fault", answer: remove)
                .gives(.nothing("It is gone."))
                .fails(.unknownFault),
        ],
        schemas: FaultSchemas.all
    )

    private static let draft: JSONValue = [
        "name": "two 503 then fine", "match": ["topic": "com.example.app"], "when": ["times": 2],
        "do": ["respond": ["status": 503, "reason": "ServiceUnavailable"]],
    ]

    /// The most pushes that a rehearsal names.
    private static let mostNamed = 50

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        .list(shapes(call.subject.world.faults.all, call), call.request) { faults in
            APIObject<FaultListShape> { $0.faults = faults }
        }
    }

    static func add(_ call: Route.Call) throws(Problem) -> APIResponse {
        try created(try FaultBody.draft(call.request.body, in: call.subject), call)
    }

    static func removeAll(_ call: Route.Call) throws(Problem) -> APIResponse {
        var query = call.query
        let all = query.value(
            "all",
            Form(ofText: "true", candidates: ["true"]) { $0 == "true" ? true : nil }
        )
        let names = query.values("name", .text("the name of faults"))
        let presets = query.values("preset", .words(FaultPreset.all.map(\.name), \.self))
        try query.finish()
        guard all == true || !names.isEmpty || !presets.isEmpty else {
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
            (names.isEmpty || draft.name.map(names.contains) == true)
                && (presets.isEmpty || draft.preset.map(presets.contains) == true)
        }
        return .json(APIObject<DeletedShape> { $0.deleted = count })
    }

    static func reorder(_ call: Route.Call) throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: ["order"])
        let form = Form<FaultID>(expected: FaultIDText.expected) { value in
            guard case .string(let text) = value else { return nil }
            return FaultIDText.id(text)
        }
        let order = body.list("order", form)
        if !body.has("order") { body.complain("is missing; expected a list of ids", at: "order") }
        try body.finish()
        let faults = try call.withFaults { faults throws(FaultError) in try faults.reorder(order ?? []) }
        return .json(APIObject<FaultListShape> { $0.faults = shapes(faults, call) })
    }

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let id = try call.faultID()
        return try shown(call) { faults throws(FaultError) in try faults.fault(id) }
    }

    static func replace(_ call: Route.Call) throws(Problem) -> APIResponse {
        let id = try call.faultID()
        let draft = try FaultBody.draft(call.request.body, in: call.subject)
        return try shown(call) { faults throws(FaultError) in try faults.replace(id, with: draft) }
    }

    static func change(_ call: Route.Call) throws(Problem) -> APIResponse {
        let id = try call.faultID()
        let change = try FaultBody.change(call.request.body, in: call.subject)
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
                "There is no preset '\(name)'",
                name,
                "is no preset",
                among: FaultPreset.all.map(\.name)
            )
        }
        return try created(try FaultPresetBody.draft(of: preset, call.request.body, in: call.subject), call)
    }

    // MARK: Rehearsal

    static func rehearse(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: ["match", "when"], null: .absent)
        let match = FaultBody.match(&body, in: call.subject) ?? FaultBody.Match()
        let trigger = FaultBody.trigger(&body) ?? FaultTrigger()
        try body.finish()
        let draft: FaultDraft
        do {
            // What it does makes no difference.
            draft = try FaultDraft(
                match: match.pushes,
                connections: match.connections,
                when: trigger,
                action: .lose
            )
        } catch {
            throw Problem(error)
        }
        var query = PushQuery()
        query.order = .ascending
        query.limit = .max
        query.condition = match.pushes?.condition
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
