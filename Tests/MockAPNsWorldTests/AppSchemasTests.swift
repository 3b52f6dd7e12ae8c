import MockAPNsFormats
import MockAPNsRules
import Testing

@testable import MockAPNsWorld

@Suite struct AppSchemasTests {
    private static let app = "com.example.app"

    private static func schema(_ text: String) throws -> JSONSchema { try JSONSchema(Array(text.utf8)) }

    private static func name(_ text: String) throws -> AppKey<AppSchemaName> {
        AppKey(app: app, key: try #require(AppSchemaName(text)))
    }

    @Test func `names are read and written`() throws {
        let longest = String(repeating: "a", count: AppSchemaName.longestType)
        for text in ["payload", "content-state:Order_1.State", "attributes:\(longest)"] {
            #expect(AppSchemaName(text)?.description == text)
        }
        for text in [
            "", "payloads", "payload:", "payload:A", "content-state", "content-state:", "attributes:a b",
            "attributes:a:b", "attributes:\(longest)a", "attributes:\u{e9}", "Payload",
        ] { #expect(AppSchemaName(text) == nil, "\(text)") }
    }

    @Test func `a schema is stored, replaced and removed, and the ruleset has it`() throws {
        let world = try World(ruleset: Ruleset())
        let payload = try Self.name("payload")
        #expect(world.ruleset.schemas.isEmpty)
        #expect(try world.schemas.put(Self.schema("{}"), as: payload))
        #expect(try !world.schemas.put(Self.schema(#"{"type":"object"}"#), as: payload))
        #expect(
            world.ruleset.schemas.checks(of: [], isActivity: false, topic: Self.app).map(\.outcome.isFit) == [false])
        #expect(world.schemas.remove(payload) && !world.schemas.remove(payload))
        #expect(world.ruleset.schemas.isEmpty)
    }

    @Test func `keeps at most 100 schemas`() throws {
        let schemas = try World(ruleset: Ruleset()).schemas
        for number in 0..<AppSchema.most {
            #expect(try schemas.put(Self.schema("{}"), as: Self.name("attributes:A\(number)")))
        }
        let refusal = TableRefusal(.tooMany, "There are already 100 schemas, the maximum; delete one first.")
        #expect(throws: refusal) { try schemas.put(Self.schema("{}"), as: Self.name("payload")) }
        #expect(try !schemas.put(Self.schema("true"), as: Self.name("attributes:A0")))
    }

    /// The schemas of an app, a push, and the names of the schemas that it was checked with, with the result.
    static let rows: [(schemas: [String], push: String, isActivity: Bool, results: [String])] = [
        (["payload"], #"{"id":1}"#, false, ["payload fits"]), (["payload"], #"{"id":"1"}"#, false, ["payload differs"]),
        (["payload"], #"{"aps":{"content-state":{"id":"1"}}}"#, true, []),
        (["content-state:A"], #"{"id":1}"#, false, []), (["content-state:A"], #"{"aps":{}}"#, true, []),
        (["content-state:A"], #"{"aps":{"content-state":{"id":1}}}"#, true, ["content-state:A fits"]),
        (["content-state:A"], #"{"aps":{"content-state":{"id":""}}}"#, true, ["content-state:A differs"]),
        (["content-state:A"], #"{"aps":{"content-state":{"id":""},"attributes-type":"B"}}"#, true, []),
        (["content-state:A", "content-state:B"], #"{"aps":{"content-state":{"id":""}}}"#, true, []),
        (
            ["content-state:A", "content-state:B"], #"{"aps":{"content-state":{"id":""},"attributes-type":"B"}}"#, true,
            ["content-state:B differs"]
        ),
        (
            ["content-state:A", "attributes:A", "payload"],
            #"{"aps":{"content-state":{"id":1},"attributes":{"id":""},"attributes-type":"A"}}"#, true,
            ["content-state:A fits", "attributes:A differs"]
        ), (["attributes:A"], #"{"aps":{"content-state":{"id":""},"attributes-type":"A"}}"#, true, []),
    ]

    @Test(arguments: rows) func `each part of a push is checked with its schema`(
        _ names: [String], _ push: String, _ isActivity: Bool, _ results: [String]
    ) throws {
        let document = try Self.schema(#"{"properties":{"id":{"type":"integer"}}}"#)
        let never = AppKey(app: "com.other", key: AppSchemaName.payload)
        var table = [never: try Self.schema("false")]
        for name in names { table[try Self.name(name)] = document }
        let payload = try #require(JSONParser.value(of: Array(push.utf8)))
        let topic = Self.app + (isActivity ? ".push-type.liveactivity" : "")
        let checks = AppSchemas(table).checks(of: payload, isActivity: isActivity, topic: topic)
        #expect(checks.map { "\($0.name) \($0.outcome.isFit ? "fits" : "differs")" } == results)
    }

    @Test func `the data of a Live Activity can be checked without a push`() throws {
        let schemas = AppSchemas([
            try Self.name("content-state:A"): try Self.schema(#"{"type":"object"}"#),
            try Self.name("attributes:A"): try Self.schema("false"),
        ])
        #expect(schemas.check(contentState: [:], of: "A", topic: Self.app) == .fits)
        #expect(schemas.check(contentState: 3, of: nil, topic: Self.app)?.isFit == false)
        #expect(schemas.check(contentState: 3, of: "B", topic: Self.app) == nil)
        #expect(schemas.check(contentState: 3, of: "A", topic: "com.other") == nil)
        #expect(schemas.check(attributes: 3, of: "A", topic: Self.app + ".push-type.liveactivity")?.isFit == false)
    }

    // MARK: Start and reset

    private static func startUp(_ schemas: [String: String]) throws -> World.StartUp {
        var startUp = World.StartUp()
        for (name, text) in schemas { startUp.schemas[try Self.name(name)] = try schema(text) }
        return startUp
    }

    private static func stored(_ world: World) -> [String: String] {
        Dictionary(uniqueKeysWithValues: world.schemas.all.map { ($0.name.key.description, $0.value.text) })
    }

    @Test func `a reset restores the schemas of the start`() throws {
        let world = try World(ruleset: Ruleset(), startUp: Self.startUp(["payload": "true"]))
        #expect(Self.stored(world) == ["payload": "true"])
        #expect(!world.ruleset.schemas.isEmpty)
        _ = try world.schemas.put(Self.schema("{}"), as: Self.name("payload"))
        _ = try world.schemas.put(Self.schema("{}"), as: Self.name("attributes:A"))
        let others = Set(ResetReport.Part.allCases).subtracting([.schemas])
        #expect(world.reset(others).cleared[.schemas] == 0)
        #expect(world.reset([.schemas]).cleared[.schemas] == 2)
        #expect(Self.stored(world) == ["payload": "true"])
    }

    @Test func `another start applies what it changes, and keeps what was stored at run time`() throws {
        let world = try World(
            ruleset: Ruleset(),
            startUp: Self.startUp(["payload": "true", "attributes:Gone": "true", "attributes:A": "{}"]))
        _ = try world.schemas.put(Self.schema("false"), as: Self.name("attributes:A"))
        _ = try world.schemas.put(Self.schema("false"), as: Self.name("attributes:B"))
        let start = WorldState.Start(
            world: try Self.startUp(["payload": "false", "attributes:A": "{}", "attributes:New": "{}"]),
            ruleset: Ruleset(), devices: Devices.Options())
        world.commit(SetStart(start: start))
        #expect(
            Self.stored(world) == [
                "payload": "false", "attributes:A": "false", "attributes:B": "false", "attributes:New": "{}",
            ])
    }
}
