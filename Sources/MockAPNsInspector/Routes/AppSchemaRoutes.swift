internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// The schemas of apps, with which pushes are checked.
enum AppSchemaRoutes {
    /// Operations in the group of apps.
    static let routes: [Route] = [
        .get("/api/v1/apps/{topic}/schemas", "List the schemas of an app", list).gives(
            .list(AppSchemaListShape.self, "The schemas.")),
        .get("/api/v1/apps/{topic}/schemas/{schema}", "Get a schema", schemas.one).gives(
            .json(AppSchemaShape.self, "The schema.")
        ).fails(.unknownSchema),
        .put("/api/v1/apps/{topic}/schemas/{schema}", "Store a schema", schemas.put).detail(
            "A push that does not fit gets the warning app-schema. The body is a JSON Schema (2020-12) of up to"
                + " \(JSONSchema.largest >> 10) KiB; docs/api.md lists the keywords."
        ).reads(draft).gives(
            .json(AppSchemaSummaryShape.self, "The schema was replaced."),
            .json(AppSchemaSummaryShape.self, "The schema is new.", status: 201),
        ).fails(.tooManySchemas),
        .delete("/api/v1/apps/{topic}/schemas/{schema}", "Delete a schema", schemas.remove).gives(.nothing("Deleted."))
            .fails(.unknownSchema),
        .get("/api/v1/apps/{topic}/schemas/{schema}/inferred", "Make a schema from recorded pushes", infer).work(
            .search
        ).detail("Types, members, and the members that all have, of the accepted pushes in memory. All of them fit it.")
            .gives(.json(InferredSchemaShape.self, "The schema.")).fails(.tooMuchWork),
    ]

    private static let schemas = NamedRoutes<AppKey<AppSchemaName>, JSONSchema, AppSchemaShape, AppSchemaSummaryShape>(
        path: "/api/v1/apps/{topic}/schemas", absence: (.unknownSchema, "There is no schema", "is not a schema"),
        refusals: (.tooManySchemas, .bodyTooLarge), table: \.schemas, name: name, text: { "\($0.app)/\($0.key)" },
        value: schema, whole: { ($0, $1) }, summary: { ($0, $1) })

    private static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        let app = try AppPath.bundleID(call)
        let own = call.subject.world.schemas.all.filter { $0.name.app == app }
        return .list(\AppSchemaListShape.schemas, of: own.map { ($0.name, $0.value) }, call.request)
    }

    private static func infer(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let name = try name(call)
        let inference = try await call.search { (scan) async throws(SearchFailure) in
            try await scan.inference(of: name, call.subject.journal, in: call.subject.context)
        }
        guard let schema = inference.schema() else {
            throw Problem(.tooMuchWork, "The schema of these pushes would be larger than a schema may be.")
        }
        return .json(InferredSchemaShape.self, (name, schema, inference.count))
    }

    private static func name(_ call: Route.Call) throws(Problem) -> AppKey<AppSchemaName> {
        let app = try AppPath.bundleID(call)
        let given = call.pathParts["schema"] ?? ""
        if let name = AppSchemaName(given) { return AppKey(app: app, key: name) }
        throw Problem(.badPath, "'\(given)' is not the name of a schema; expected \(AppSchemaName.expected).")
    }

    /// Returns the schema, whose text is kept exactly as it was sent.
    private static func schema(_ call: Route.Call) throws(Problem) -> JSONSchema {
        // Complains of what is not JSON as for other bodies.
        _ = try draft.read(call)
        do throws(JSONSchema.Refusal) { return try JSONSchema(call.request.body) } catch {
            var reader = FormReader(use: .request, now: call.now)
            for complaint in error.complaints { reader.adopt(complaint) }
            try reader.finish(.badBody)
            throw .badBody("is not a schema")
        }
    }

    private static let draft = RequestBody(
        Form<JSONValue>(expected: "a JSON Schema", schema: .jsonSchema) { given in
            switch given {
            case .object, .bool: given
            default: nil
            }
        },
        example: [
            "type": "object", "required": ["orderID"],
            "properties": ["orderID": ["type": "string"], "total": ["type": "number", "minimum": 0]],
        ])
}
