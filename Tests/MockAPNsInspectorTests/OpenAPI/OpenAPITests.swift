import Foundation
import MockAPNsFormats
import MockAPNsRules
import Testing

@testable import MockAPNsAPI
@testable import MockAPNsInspector

/// What the API says of itself, held against the routes that there are.
@Suite struct OpenAPITests {
    private static let description = OpenAPIDocument(groups: RouteGroup.all, version: "1.2.3")
    private static let document = description.json

    // MARK: Against the routes

    @Test func `every route describes its responses, and each parameter once`() {
        for route in DebugAPI.routes {
            let place = "\(route.method) \(route.path)"
            let names = route.parameters.map(\.name)
            #expect(Set(names).count == names.count, "\(place) has a parameter twice")
            #expect(!route.summary.isEmpty && !route.answers.isEmpty, "\(place) is not described")
            for name in route.names {
                #expect(
                    PathParts.all.contains { $0.name == name },
                    "{\(name)} of \(place) is not described: add it to PathParts.all")
            }
        }
    }

    @Test func `every kind of problem belongs to an operation`() {
        // Requests that find no route have the first two.
        var known: [Problem.Kind] = [.unknownPath, .methodNotAllowed]
        for route in DebugAPI.routes { known += OpenAPIDocument.problems(of: route) }
        for kind in Problem.Kind.allCases {
            #expect(known.contains(kind), "no operation names the problem .\(kind): add it to its problems")
        }
    }

    @Test func `names for programs are unique`() {
        let names = DebugAPI.routes.map { OpenAPIDocument.identifier(of: $0) }
        #expect(Set(names).count == names.count)
        let raw = DebugAPI.routes.first { $0.path.hasSuffix("/raw") }
        #expect(raw.map { OpenAPIDocument.identifier(of: $0) } == "getPushesIdRaw")
    }

    @Test func `every schema is defined once and used`() {
        let text = String(decoding: Self.document.text, as: UTF8.self)
        let spoken = Set(text.matches(of: /#\/components\/schemas\/([A-Za-z0-9]+)/).map { String($0.1) })
        let all = Self.description.schemas.keys
        for name in spoken { #expect(all.contains(name), "there is no schema \(name)") }
        for name in all { #expect(spoken.contains(name), "nothing speaks of the schema \(name)") }
        let action = Self.document["components"]?["schemas"]?["FaultAction"]
        #expect(action?["maxProperties"] == 1, "what requests take is described less closely")
    }

    @Test func `lists of words have other names than shapes`() {
        let bodies = DebugAPI.routes.compactMap { $0.body?.schema() }
        let answers = DebugAPI.routes.flatMap(\.answers).flatMap { $0.content().values }
        let shapes = Set((bodies + answers).flatMap { $0.named.keys })
        #expect(shapes.contains("ActivityRefusal"))
        for words in Vocabulary.allCases {
            #expect(!shapes.contains(words.title), "\(words) and a shape are called alike")
        }
    }

    @Test func `every example of a body conforms to its schema`() {
        let checker = SchemaCheck.strict
        for route in DebugAPI.routes {
            guard let body = route.body else { continue }
            if case .string = body.example { continue }  // a file
            let complaints = checker.check(body.example, body.schema().json, at: "")
            #expect(complaints == [], "\(route.method) \(route.path)")
        }
    }

    // MARK: Against the golden files

    /// The schema of each golden file.
    private static let shapes: [String: String] = [
        "activity": "Activity", "activities": "ActivityList", "clock-advanced": "ClockAdvanced",
        "clock-frozen": "Clock", "clock-set": "ClockSet", "connections": "ConnectionPage",
        "device-changed": "DeviceChanged", "device-offline": "Device", "device-stored": "Stored",
        "devices-page": "DevicePage", "devices-put": "DevicesPut", "feedback": "FeedbackList", "inbox": "Inbox",
        "info": "Info", "push-accepted": "Push", "push-delivered-from-storage": "Push", "push-page": "PushPage",
        "push-values": "PushValues", "push-sent": "PushSent", "push-refused-by-transport": "Push",
        "push-rejected-by-auth": "Push", "push-rejected-by-rule": "Push", "ready": "Ready",
        "registration": "Registration", "registration-added": "Registration",
        "registration-changed": "RegistrationChanged", "reset": "ResetDone", "seq": "Seq", "verified": "Verified",
        "faults": "FaultList", "fault": "Fault", "push-faulted": "Push", "fault-presets": "FaultPresetList",
        "fault-dry-run": "FaultDryRun", "key": "Key", "keys": "KeyList", "key-generated": "KeyGenerated",
        "push-summary": "PushSummary", "push-check": "PushCheck", "push-comparison": "PushComparison",
        "push-groups": "PushGroups", "channel": "Channel", "channel-subscribed": "Channel", "channels": "ChannelList",
        "inbox-broadcast": "Inbox", "subscription": "Subscription", "certificate-issued": "CertificateIssued",
        "certificate-issued-p12": "CertificateIssued", "preview-alert": "Preview", "preview-live-activity": "Preview",
        "preview-silent": "Preview", "strings-table": "StringsTable", "strings-list": "StringsList",
        "category": "Category", "categories": "CategoryList", "app": "App", "apps": "AppList",
        "app-schema": "AppSchema", "app-schemas": "AppSchemaList", "app-schema-inferred": "InferredSchema",
        "saved-push": "SavedPush", "saved-pushes": "SavedPushList", "mark": "Mark", "marks": "MarkList",
        "namespace": "Namespace", "namespaces": "NamespaceList", "settings": "Settings",
    ]

    @Test func `every golden file conforms to its schema`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Golden")
        let checker = SchemaCheck.strict
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).filter {
            $0.pathExtension == "json"
        }
        #expect(files.count > 20)
        for file in files {
            let name = file.deletingPathExtension().lastPathComponent
            let isProblem = name.hasPrefix("problem-") || name == "not-ready"
            guard let schema = isProblem ? "Problem" : Self.shapes[name] else {
                Issue.record("Golden/\(name).json has no schema: add \"\(name)\": \"<schema>\" to shapes here")
                continue
            }
            let value = try #require(JSONParser.value(of: Array(Data(contentsOf: file))), "\(name)")
            #expect(checker.complaints(value, as: schema) == [], "Golden/\(name).json as \(schema)")
        }
    }

    // MARK: Its routes

    @Test func `the document is served as JSON and as YAML`() async throws {
        try await withFixture { fixture in
            let json = await fixture.get("/api/v1/openapi.json")
            #expect(json.json == Self.document)
            #expect(json.contentType == "application/json")
            #expect(json.text("openapi") == "3.1.0")
            #expect(json.text("info", "version") == "1.2.3")
            let push = json.json["paths"]?["/api/v1/pushes/{id}"]?["get"]
            #expect(push?.text(["operationId"]) == "getPushesId")
            #expect(push?.text(["parameters", "0", "in"]) == "path")
            #expect(push?.text(["responses", "404", "description"])?.contains("unknown-push") == true)
            let list = json.json["paths"]?["/api/v1/pushes"]?["get"]
            #expect(list?["responses"]?["200"]?["content"]?["application/x-ndjson"] != nil)
            #expect(list?["responses"]?["421"] != nil)
            #expect(json.json["paths"]?["/livez"]?["get"]?["responses"]?["421"] == nil)

            let yaml = await fixture.get("/api/v1/openapi.yaml")
            #expect(yaml.contentType == "application/yaml")
            #expect(yaml.json == Self.document)
        }
    }

    @Test func `the page shows every operation, with nothing from elsewhere and nothing that runs`() async throws {
        try await withFixture { fixture in
            let page = await fixture.get("/docs")
            let html = String(decoding: page.bytes, as: UTF8.self)
            #expect(page.contentType == "text/html; charset=utf-8")
            let policy = try #require(page[header: "Content-Security-Policy"])
            #expect(policy.hasPrefix("default-src 'none'; style-src 'self';"))
            for route in DebugAPI.routes {
                let id = OpenAPIDocument.identifier(of: route)
                #expect(html.contains("<article id=\"\(id)\">"), "\(route.method) \(route.path)")
            }
            for word in ["<script", "javascript:", " style=", " onclick", "src=", "http://www", "https://"] {
                #expect(!html.contains(word), "\(word)")
            }
            let links = html.matches(of: /href="([^"]*)"/).map { String($0.1) }
            for link in Set(links) {
                guard link.hasPrefix("#") else {
                    #expect(
                        [
                            "/docs/style.css", "/docs/lints", "/docs/differences", "/api/v1/openapi.json",
                            "/api/v1/openapi.yaml",
                        ].contains(link))
                    continue
                }
                #expect(html.contains("id=\"\(link.dropFirst())\""), "\(link) leads nowhere")
            }
            #expect(
                html.contains(
                    "curl -s -X PATCH &#39;http://127.0.0.1:8197/api/v1/devices/@alice&#39;"
                        + " -d &#39;{&quot;state&quot;:&quot;offline&quot;}&#39;"))
            let style = await fixture.get("/docs/style.css")
            #expect(style.contentType == "text/css; charset=utf-8")
            #expect(String(decoding: style.bytes, as: UTF8.self).contains("prefers-color-scheme: dark"))
        }
    }

    @Test func `the page escapes all texts of the document`() {
        let evil = "<script>'\"&"
        let document: JSONValue = [
            "info": ["title": .string(evil)], "tags": [["name": .string(evil)]],
            "paths": [
                evil: ["get": ["tags": [.string(evil)], "summary": .string(evil), "operationId": .string(evil)]]
            ], "components": ["schemas": [evil: ["enum": [.string(evil)]]]],
        ]
        let html = DocsPage(document: document, server: evil).html
        #expect(!html.contains("<script"))
        #expect(html.contains("&lt;script&gt;&#39;&quot;&amp;"))
    }
}
