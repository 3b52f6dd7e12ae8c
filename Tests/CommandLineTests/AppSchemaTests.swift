import Foundation
import MockAPNsFormats
import MockAPNsWorld
import Testing

@testable import mock_apns

/// `serve --app-schema` and `check --schema`.
@Suite struct AppSchemaTests {
    private static let order = #"{"required":["orderID"]}"#

    private static func withFile<Result>(_ text: String, _ use: (String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try use(file.path)
    }

    private static func schemas(_ texts: [String]) throws -> [AppKey<AppSchemaName>: JSONSchema] {
        try ServeSettings(ServeOptions.parse(texts.flatMap { ["--app-schema", $0] }), environment: [:]).configuration
            .schemas
    }

    @Test func `serve reads schemas of apps`() throws {
        try Self.withFile(Self.order) { path in
            let schemas = try Self.schemas([
                "com.example.app:payload=\(path)", "com.example.app.voip:content-state:A=\(path)",
            ])
            #expect(
                schemas.keys.sorted().map { "\($0.app) \($0.key)" } == [
                    "com.example.app content-state:A", "com.example.app payload",
                ])
            #expect(schemas.values.allSatisfy { $0.text == Self.order })
        }
    }

    @Test(arguments: [
        "", "payload=FILE", "com.a:FILE", "com.a:payloads=FILE", "com.a:attributes=FILE", "com.a:payload=",
        ":payload=FILE",
    ]) func `serve refuses other forms`(_ text: String) throws {
        try Self.withFile(Self.order) { path in
            let text = text.replacingOccurrences(of: "FILE", with: path)
            let failure = #expect(throws: CommandFailure.self) { try Self.schemas([text]) }
            #expect(failure?.status == .badConfiguration)
            #expect(
                failure?.message.hasPrefix("invalid --app-schema '\(text)': expected ") == true,
                "\(failure?.message ?? "")")
        }
    }

    @Test func `a file that is not a schema is told with the place`() throws {
        try Self.withFile(#"{"properties":{"a":{"minimun":3}}}"#) { path in
            let failure = #expect(throws: CommandFailure.self) { try Self.schemas(["com.a:payload=\(path)"]) }
            let expected =
                "invalid --app-schema '\(path)': /properties/a/minimun is not a keyword that this server checks; did you mean minimum?"
            #expect(failure?.message == expected)
        }
        try Self.withFile(Self.order) { path in
            let failure = #expect(throws: CommandFailure.self) {
                try Self.schemas(["com.a:payload=\(path)", "com.a.voip:payload=\(path)"])
            }
            #expect(failure?.message == "--app-schema is given twice for com.a:payload")
        }
    }

    /// A payload, options with FILE for a schema, the exit code, and a part of the output or the errors.
    static let checks: [(String, [String], Int32, String)] = [
        (#"{"aps":{"alert":"Hi"},"orderID":1}"#, ["--schema", "FILE"], 0, "No warnings."),
        (#"{"aps":{"alert":"Hi"}}"#, ["--schema", "FILE"], 0, "warning: app-schema, the payload"),
        (#"{"aps":{"alert":"Hi"}}"#, ["--schema", "payload=FILE", "--strict"], 1, "without 'orderID'"),
        (#"{"aps":{"alert":"Hi"}}"#, ["--schema", "attributes:A=FILE"], 64, "--schema attributes:A does not apply"),
        (#"{"aps":{"alert":"Hi"}}"#, ["--schema", "FILE", "--schema", "payload=FILE"], 64, "given twice for payload"),
        (
            #"{"aps":{"timestamp":1,"event":"update","content-state":{}}}"#,
            ["--push-type", "liveactivity", "--schema", "content-state:A=FILE"], 1,
            "warning: app-schema, aps.content-state"
        ),
    ]

    @Test(arguments: checks) func `check compares a payload with a schema`(
        _ payload: String, _ options: [String], _ status: Int32, _ words: String
    ) throws {
        try Self.withFile(payload) { file in
            try Self.withFile(Self.order) { schema in
                let options = options.map { $0.replacingOccurrences(of: "FILE", with: schema) }
                let outcome = try Program.run(["check", file] + options)
                #expect(outcome.status == status, "\(outcome)")
                #expect((outcome.output + outcome.errors).contains(words), "\(outcome)")
            }
        }
    }
}
