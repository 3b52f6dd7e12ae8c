import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsQuery
@testable import MockAPNsWorld

@Suite struct AppSchemaLintTests {
    private static let order = #"""
        {"required":["orderID"],"properties":{"orderID":{"type":"string"},"total":{"minimum":0}}}
        """#

    /// The schemas of the app, a push, and the pointers and texts of its findings.
    struct Row: Sendable, CustomTestStringConvertible {
        let schemas: [String: String]
        var type = "alert"
        let body: String
        var found: [String] = []
        /// What the push fits.
        var fits: [String] = []
        var testDescription: String { "\(schemas.keys.sorted()) \(type) \(body.prefix(80))" }
    }

    static let rows = [
        Row(schemas: ["payload": order], body: #"{"aps":{"alert":"Hi"},"orderID":"1"}"#, fits: ["payload"]),
        Row(
            schemas: ["payload": order], body: #"{"aps":{"alert":"Hi"},"orderID":1,"total":-3}"#,
            found: [
                #"/orderID orderID is 1; expected a string (schema payload)"#,
                #"/total total is -3; expected at least 0 (schema payload)"#,
            ]),
        Row(
            schemas: ["payload": order], body: #"{"aps":{"alert":"Hi"}}"#,
            found: [" the payload is an object without 'orderID'; expected this member (schema payload)"]),
        Row(schemas: ["payload": order], body: "not JSON"), Row(schemas: [:], body: #"{"aps":{"alert":"Hi"}}"#),
        Row(
            schemas: ["payload": order, "content-state:A": #"{"required":["eta"]}"#], type: "liveactivity",
            body: #"{"aps":{"timestamp":1,"event":"update","content-state":{}}}"#,
            found: [
                "/aps/content-state aps.content-state is an object without 'eta'; expected this member (schema content-state:A)"
            ]),
        Row(
            schemas: [
                "content-state:A": #"{"required":["eta"]}"#, "attributes:A": #"{"properties":{"n":{"const":1}}}"#,
            ], type: "liveactivity",
            body: #"{"aps":{"event":"start","attributes-type":"A","attributes":{"n":2},"content-state":{"eta":1}}}"#,
            found: ["/aps/attributes/n aps.attributes.n is 2; expected 1 (schema attributes:A)"],
            fits: ["content-state:A"]),
        Row(
            schemas: ["content-state:A": "true", "attributes:A": "true"], type: "liveactivity",
            body: #"{"aps":{"event":"start","attributes-type":"A","attributes":{},"content-state":{}}}"#,
            fits: ["attributes:A", "content-state:A"]),
    ]

    private static func world(_ row: Row) throws -> World {
        let world = try World(ruleset: Ruleset())
        for (name, text) in row.schemas {
            let key = AppKey(app: "com.example.app", key: try #require(AppSchemaName(name)))
            _ = try world.schemas.put(try JSONSchema(Array(text.utf8)), as: key)
        }
        var draft = PushDraft.clean.of(row.type)
        draft.body = Array(row.body.utf8)
        world.publish([draft])
        return world
    }

    @Test(arguments: rows) func `a push that does not fit has a warning with the place`(_ row: Row) throws {
        let world = try Self.world(row)
        let record = try #require(world.journal.pushes(PushQuery()).pushes.first)
        let found = PushContext(world).lints(of: PushFacts(record)).filter { $0.lint == .appSchema }
        #expect(found.map { "\($0.pointer ?? "-") \($0.message)" } == row.found)
        #expect(found.allSatisfy { $0.severity == .warning && !$0.fix.isEmpty })
    }

    @Test(arguments: rows) func `searches and matchers ask which schemas a push fits`(_ row: Row) throws {
        let world = try Self.world(row)
        for name in ["payload", "content-state:A", "attributes:A", "attributes:B"] {
            let matchers = [
                #"{"fits":"\#(name)"}"#, #"{"fits":{"in":["\#(name)"]}}"#, #"{"fits":{"contains":"\#(name)"}}"#,
                #"{"q":"fits:\#(name)"}"#,
            ]
            for matcher in matchers {
                #expect(try Self.matches(matcher, in: world) == row.fits.contains(name), "\(matcher)")
            }
            let other = #"{"fits":{"not":"\#(name)"}}"#
            #expect(try Self.matches(other, in: world) != row.fits.contains(name), "\(other)")
        }
        #expect(try Self.matches(#"{"fits":{"absent":true}}"#, in: world) == row.fits.isEmpty)
    }

    private static func matches(_ text: String, in world: World) throws -> Bool {
        var complaints: [Complaint] = []
        let json = try #require(JSONParser.value(of: Array(text.utf8)))
        let matcher = PushMatcher.read(json, at: "", now: Timestamp(seconds: 0), complaints: &complaints)
        #expect(complaints == [])
        var query = PushQuery()
        query.condition = try #require(matcher).query(in: PushContext(world), StepBudget(.max))
        return world.journal.pushes(query).matched == 1
    }

    @Test(arguments: [
        (#"{"fits":"paylod"}"#, "is 'paylod'; expected payload, content-state:TYPE or attributes:TYPE"),
        (#"{"q":"fits:order"}"#, "'order' is not payload, content-state:TYPE or attributes:TYPE"),
    ]) func `the name of a schema is checked`(_ text: String, _ message: String) throws {
        var complaints: [Complaint] = []
        let json = try #require(JSONParser.value(of: Array(text.utf8)))
        #expect(PushMatcher.read(json, at: "", now: Timestamp(seconds: 0), complaints: &complaints) == nil)
        #expect(complaints.first?.message.contains(message) == true, "\(complaints)")
    }

    @Test func `a check that takes too long is told`() throws {
        let levels = (0..<30).map {
            ##""a\##($0)":{"anyOf":[{"$ref":"#/$defs/a\##($0 + 1)"},{"$ref":"#/$defs/a\##($0 + 1)"}]}"##
        }
        let document = ##"{"$ref":"#/$defs/a0","$defs":{\##(levels.joined(separator: ",")),"a30":false}}"##
        let world = try Self.world(Row(schemas: ["payload": document], body: #"{"aps":{"alert":"Hi"}}"#))
        let record = try #require(world.journal.pushes(PushQuery()).pushes.first)
        let found = PushContext(world).lints(of: PushFacts(record)).filter { $0.lint == .appSchema }
        #expect(found.map(\.message) == ["the check ended after 50000 steps, without a result (schema payload)"])
    }

    @Test func `the part of a push is what a schema of its name describes`() throws {
        let start = #"{"aps":{"event":"start","attributes-type":"A","attributes":{"n":2},"content-state":{"eta":1}}}"#
        let update = #"{"aps":{"event":"update","content-state":{"eta":2}}}"#
        let parts: [(body: String, type: String, name: String, part: String?)] = [
            (start, "liveactivity", "content-state:A", #"{"eta":1}"#),
            (start, "liveactivity", "attributes:A", #"{"n":2}"#), (start, "liveactivity", "attributes:B", nil),
            (start, "liveactivity", "payload", nil), (update, "liveactivity", "content-state:B", #"{"eta":2}"#),
            (update, "liveactivity", "attributes:A", nil), (#"{"a":1}"#, "alert", "payload", #"{"a":1}"#),
            (#"{"a":1}"#, "alert", "attributes:A", nil), ("no JSON", "alert", "payload", nil),
        ]
        for row in parts {
            var draft = PushDraft.clean.of(row.type)
            draft.body = Array(row.body.utf8)
            let name = try #require(AppSchemaName(row.name))
            let found = draft.withCandidate { $0.part(describedBy: name, of: "com.example.app") }
            #expect(found.map { String(decoding: $0.text, as: UTF8.self) } == row.part, "\(row)")
            #expect(draft.withCandidate { $0.part(describedBy: name, of: "com.other") } == nil)
        }
    }
}
