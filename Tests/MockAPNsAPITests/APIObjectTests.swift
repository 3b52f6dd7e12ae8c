import Testing

@testable import MockAPNsAPI
@testable import MockAPNsFormats

/// An object with a member of each kind.
private final class SampleShape: Shape {
    static let definition = Definition(SampleShape(), "Sample")
    let name = Member<String>("Its name.")
    let count = Member<UInt64?>()
    let state = OptionalMember<String>(.words(["on", "off"]))
    let badge = OptionalMember<Int64?>()
    let entries = Member<[APIObject<EntryShape>]>()
    let limits = Part<LimitsShape>()
}

/// A shape that is described where it is used.
private final class EntryShape: Shape {
    static let definition = Definition(EntryShape())
    let `for` = Member<Double>(.fraction)
}

/// Members that several shapes have.
private final class LimitsShape: Shape {
    static let definition = Definition(LimitsShape())
    let most = Member<Int>()
}

/// A shape that requests may send back.
private final class DraftShape: Shape {
    static let definition = Definition(DraftShape(), "Something", use: .request)
    let label = OptionalMember<String>()
    let kind = Member<String>()
}

@Suite struct APIObjectTests {
    private static func sample() -> APIObject<SampleShape> {
        APIObject {
            $0.name = "a\"b"
            $0.count = nil
            $0.entries = [APIObject { $0.for = 0.5 }, APIObject { $0.for = 1 }]
            $0.limits = APIObject { $0.most = 7 }
        }
    }

    @Test func `writes members in the order of their names and leaves out what is absent`() {
        let text = #"{"count":null,"entries":[{"for":0.5},{"for":1}],"most":7,"name":"a\"b"}"#
        #expect(String(decoding: Self.sample().serialized, as: UTF8.self) == text)
        var more = Self.sample()
        more.badge = .some(nil)
        more.state = "on"
        #expect(String(decoding: more.serialized, as: UTF8.self).contains(#"{"badge":null,"count""#))
    }

    @Test func `reads what it writes`() throws {
        let sample = Self.sample()
        let read = try APIObject<SampleShape>(json: sample.json)
        #expect(read.name == "a\"b" && read.count == nil && read.state == nil && read.badge == nil)
        #expect(read.entries.map(\.for) == [0.5, 1] && read.limits.most == 7)
        #expect(read.serialized == sample.serialized)
    }

    @Test func `ignores members of later versions`() throws {
        let json: JSONValue = ["name": "a", "count": 1, "entries": [], "most": 2, "later": 3]
        #expect(try APIObject<SampleShape>(json: json).count == 1)
    }

    @Test(arguments: [
        ("[]", "; expected an object"), ("{}", "'/count' is missing"),
        (#"{"count":-1,"entries":[],"most":1,"name":"a"}"#, "'/count' is the number -1; expected a whole number"),
        (#"{"count":1,"entries":[{}],"most":1,"name":"a"}"#, "'/entries/0/for' is missing"),
        (#"{"count":1,"entries":[],"most":"1","name":"a"}"#, "'/most' is "),
        (#"{"badge":true,"count":1,"entries":[],"most":1,"name":"a"}"#, "'/badge' is true"),
    ]) func `an unexpected value is reported with its path`(_ text: String, _ words: String) throws {
        let json = try #require(JSONParser.value(of: Array(text.utf8)))
        let complaint = #expect(throws: Complaint.self) { try APIObject<SampleShape>(json: json) }
        #expect(complaint?.text.contains(words) == true, "\(complaint?.text ?? "")")
    }

    // MARK: Schemas

    @Test func `a schema lists members with their types and descriptions`() {
        let schema = SampleShape.definition.schema(.response).json
        let required: JSONValue = ["count", "entries", "most", "name"]
        #expect(schema["required"] == required)
        #expect(schema["properties"]?["name"] == ["type": "string", "description": "Its name."])
        #expect(schema["properties"]?["count"]?["type"] == ["integer", "null"])
        #expect(schema["properties"]?["state"]?["enum"] == ["on", "off"])
        #expect(schema["properties"]?["entries"]?["items"]?["properties"]?["for"] != nil)
    }

    @Test func `a shape with a title is a reference that has its schema`() {
        #expect(APIObject<SampleShape>.schema(nil, .response).json == Schema.named("Sample").json)
        #expect([APIObject<SampleShape>?].schema(nil, .response).json["items"]?["anyOf"] != nil)
        let named = [APIObject<SampleShape>].schema(nil, .response).named
        #expect(named == ["Sample": SampleShape.definition.schema(.response).json])
    }

    @Test func `a request takes no other members, and a draft takes null for one that may be absent`() {
        let request = DraftShape.definition.schema(.request).json
        #expect(request["additionalProperties"] == false && request["required"] == ["kind"])
        #expect(request["properties"]?["label"]?["type"] == "string")
        let draft = DraftShape.definition.schema(.draft).json
        #expect(draft["properties"]?["label"]?["type"] == ["string", "null"])
        #expect(APIObject<DraftShape>.schema(nil, .draft) == .named("SomethingDraft"))
    }

    @Test func `Base64 is bytes, and whole numbers have no fraction`() throws {
        #expect(try Base64Bytes(json: "AQI=").bytes == [1, 2])
        #expect(throws: Complaint.self) { try Base64Bytes(json: "?") }
        #expect(Base64Bytes([1, 2]).json.read == "AQI=")
        #expect(2.0.json == 2 && 0.5.json == .number(0.5))
    }
}
