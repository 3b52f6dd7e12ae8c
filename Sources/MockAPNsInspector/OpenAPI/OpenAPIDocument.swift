internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// The API as an OpenAPI 3.1 document, generated from the table of routes.
///
/// https://spec.openapis.org/oas/v3.1.0
struct OpenAPIDocument: Sendable {
    /// The problems that any request can have.
    private static let problemsOfAll: [Problem.Kind] = [.badParameter, .repeatedHeader, .requestTimeout]
    /// The problems that any request to the API can have, except for probes.
    private static let commonProblems: [Problem.Kind] =
        problemsOfAll + [.notAuthorized, .originNotAllowed, .hostNotAllowed, .cannotKeep]

    /// An extension of OpenAPI: an example query.
    static let exampleQuery = "x-example-query"

    private static let introduction = """
        HTTP/1.1 and JSON. Names are camelCase; times are RFC 3339 in UTC with microseconds; durations go in as \
        500ms, 5s, 2m, 1h or 30d; device tokens are hexadecimal. Errors are problem documents (RFC 9457). A \
        parameter or member that does not exist is an error, never ignored. Every answer but a probe's has X-Mock-APNs-Seq, the \
        number of the newest event: take it before you act, and ask with after= afterwards. A path that takes GET \
        takes HEAD. Every path under /api/v1 exists also under /api/v1/namespaces/{ns}, for that namespace.
        """

    /// In the order in which `/docs` shows them.
    let groups: [RouteGroup]
    let version: String

    /// The schemas by name: of words, of request bodies and of responses.
    var schemas: [String: JSONValue] {
        let routes = groups.flatMap(\.routes)
        let bodies = routes.compactMap { $0.body?.schema() }
        let answers = routes.flatMap(\.answers).flatMap { $0.content().values }
        let problem = APIObject<ProblemShape>.schema(nil, .response)
        // Bodies first: the schema of a request is more precise than that of a response with the same name.
        return (bodies + answers + [problem]).reduce(into: Vocabulary.schemas) { schemas, schema in
            schemas.merge(schema.named) { first, _ in first }
        }
    }

    var json: JSONValue {
        var paths: [String: [String: JSONValue]] = [:]
        for group in groups {
            for route in group.routes {
                paths[route.path, default: [:]][route.method.lowercased()] = shape(route, of: group)
            }
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "mock-apns debug and control API", "version": .string(version),
                "description": .string(Self.introduction),
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ], "servers": [["url": "/"]],
            "tags": .array(
                groups.map { group -> JSONValue in
                    ["name": .string(group.name), "description": .string(group.description)]
                }), "paths": .object(paths.mapValues { .object($0) }),
            "components": [
                "schemas": .object(schemas),
                "securitySchemes": [
                    "token": [
                        "type": "http", "scheme": "bearer",
                        "description": "The value of --api-token, if the server was started with one.",
                    ]
                ],
            ], "security": [[:], ["token": []]],
        ]
    }

    private func shape(_ route: Route, of group: RouteGroup) -> JSONValue {
        var shown: [String: JSONValue] = [
            "operationId": .string(Self.identifier(of: route)), "summary": .string(route.summary),
            "tags": [.string(group.name)], "responses": responses(of: route),
        ]
        if !route.detail.isEmpty { shown["description"] = .string(route.detail) }
        if !route.exampleQuery.isEmpty { shown[Self.exampleQuery] = .string(route.exampleQuery) }
        let parameters =
            Self.pathParts(of: route).map { Self.shape($0, in: "path") }
            + route.parameters.map { Self.shape($0, in: "query") }
        if !parameters.isEmpty { shown["parameters"] = .array(parameters) }
        if let body = route.body {
            var content = body.alternatives.mapValues { JSONValue.object(["schema": $0.json]) }
            content[body.contentType] = ["schema": body.schema().json, "example": body.example]
            shown["requestBody"] = ["required": .bool(body.isRequired), "content": .object(content)]
        }
        return .object(shown)
    }

    /// A name for programs: `GET /api/v1/pushes/{id}/raw` is `getPushesIdRaw`.
    static func identifier(of route: Route) -> String {
        let path = route.path.replacing("/api/v1", with: "")
        let words = path.split { !$0.isLetter && !$0.isNumber }
        return route.method.lowercased() + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    static func pathParts(of route: Route) -> [ParameterRow] {
        route.names.compactMap { name in PathParts.all.first { $0.name == name } }
    }

    private static func shape(_ parameter: ParameterRow, in place: String) -> JSONValue {
        var shown: [String: JSONValue] = [
            "name": .string(parameter.name), "in": .string(place), "required": .bool(place == "path"),
            "description": .string(parameter.description), "schema": parameter.schema.json,
        ]
        if parameter.name.hasSuffix(QueryReader.familyMark) {
            shown["name"] = .string(String(parameter.name.dropLast(QueryReader.familyMark.count)))
            shown["style"] = "deepObject"
            shown["explode"] = true
        } else if parameter.isRepeatable {
            shown["schema"] = Schema.list(of: parameter.schema).json
            shown["style"] = "form"
            shown["explode"] = true
        }
        return .object(shown)
    }

    private func responses(of route: Route) -> JSONValue {
        var shown: [String: JSONValue] = [:]
        for answer in route.answers {
            var response: [String: JSONValue] = ["description": .string(answer.description)]
            let content = answer.content()
            if !content.isEmpty { response["content"] = .object(content.mapValues { ["schema": $0.json] }) }
            shown[String(answer.status)] = .object(response)
        }
        let problems = Self.problems(of: route)
        for (status, kinds) in Dictionary(grouping: problems, by: { $0.row.status }) {
            var content: [String: JSONValue] = [APIResponse.problem: ["schema": Schema.named("Problem").json]]
            if kinds.contains(.verificationFailed) { content[APIResponse.text] = ["schema": Schema.text.json] }
            shown[String(status)] = [
                "description": .string(kinds.map { "\($0.row.code): \($0.row.title)." }.joined(separator: " ")),
                "content": .object(content),
            ]
        }
        return .object(shown)
    }

    /// The problems that a request to a route can have, each once.
    static func problems(of route: Route) -> [Problem.Kind] {
        var kinds = route.isForAnyHost ? problemsOfAll : commonProblems
        if !pathParts(of: route).isEmpty { kinds.append(.badPath) }
        if route.body != nil { kinds += [.badBody, .bodyTooLarge] }
        if route.largestBody == Route.largestList { kinds.append(.notReady) }
        if route.work == .search { kinds += [.tooMuchWork, .tooBusy, .cannotRead, .notReady] }
        // Other reads of stored pushes.
        if route.path.hasPrefix("/api/v1/pushes/{id}"), route.work != .search { kinds.append(.cannotRead) }
        for kind in route.problems where !kinds.contains(kind) { kinds.append(kind) }
        return kinds
    }
}

/// The descriptions of the variable parts of paths.
enum PathParts {
    static let all: [ParameterRow] = [
        row("id", push, "The push: its id psh_…, seq: and its number, or apns: and the apns-id of its response."),
        row("other", push, "The push to compare with, by the same ids."),
        row(
            "device", .text("^(@[^/]+|([0-9a-fA-F]{2}){1,100}|dev_[0-9a-f]{16})$").example("@alice"),
            "The device: @ and its label, any of its device tokens, or its id dev_…."),
        row("activity", .activityID, "The id of the Live Activity."),
        row("token", .tokenGiven, "The device token, in hexadecimal digits."),
        row(
            "channel", .text("^[A-Za-z0-9+/_-]{22}(==)?$").example("ASNFZ4mrze_-3LqYdlQyEA"),
            "The id of the channel, in Base64 or Base64URL."), row("fault", .faultID, "The id of the fault."),
        row("name", .word(.faultPreset), "The preset."),
        row("savedPush", .text(1...SavedPush.longestName).example("Order shipped"), "The name of the saved push."),
        row(
            "serial", .text("^[0-9A-Fa-f]{1,64}$").example("5F3A9C0012345678"),
            "The serial number of a certificate, in hexadecimal digits."),
        row("schema", .appSchemaName, "What the schema describes."), row("topic", .topicPart, "The topic of the app."),
        row("language", .languageTag, "The language, such as en, pt-BR or zh-Hans."),
        row(
            "category", Schema.text(1...NotificationCategory.longestText).example("ORDER"),
            "The category, as aps.category names it."), row("keyId", .keyID, "The identifier of the key."),
        row("namespace", .namespaceName, "The name of the namespace."),
    ]

    static let push = Schema.text(
        "^(psh_[0-9A-HJKMNP-TV-Z]{16}|seq:[0-9]{1,18}|apns:[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$"
    ).example("seq:1")

    private static func row(_ name: String, _ schema: Schema, _ description: String) -> ParameterRow {
        ParameterRow(name: name, schema: schema, description: description)
    }
}
