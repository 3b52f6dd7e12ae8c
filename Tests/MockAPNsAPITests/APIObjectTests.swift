import Testing

@testable import MockAPNsAPI
@testable import MockAPNsFormats

/// What a sample is made from.
private struct Sample {
    var name = "a\"b"
    var count: UInt64?
    var state: String?
    var badge: Int64??
    var most = 7
}

/// An object with a member of each kind.
private final class SampleShape: Shape {
    typealias Source = Sample
    static let definition = Definition(SampleShape(), "Sample")
    let name = Member<String>("Its name.") { $0.name }
    let count = Member<UInt64?> { $0.count }
    let state = OptionalMember<String>(.words(["on", "off"])) { $0.state }
    let badge = OptionalMember<Int64?> { $0.badge }
    let entries = Member<[APIObject<EntryShape>]> { _ in [APIObject(0.5), APIObject(1)] }
    let limits = Part<LimitsShape> { $0.most }
}

/// A shape that is described where it is used.
private final class EntryShape: Shape {
    typealias Source = Double
    static let definition = Definition(EntryShape())
    let `for` = Member<Double>(.fraction) { $0 }
}

/// Members that several shapes have.
private final class LimitsShape: Shape {
    typealias Source = Int
    static let definition = Definition(LimitsShape())
    let most = Member<Int> { $0 }
}

/// A shape that requests may send back, with a member that is JSON already.
private final class DraftShape: Shape {
    typealias Source = String
    static let definition = Definition(DraftShape(), "Something", use: .request)
    let label = OptionalMember<String> { _ in nil }
    let kind = Member<String>.json { .written(Array($0.utf8)) }
}

@Suite struct APIObjectTests {
    @Test func `writes members in the order of their names and leaves out what is absent`() {
        let text = #"{"count":null,"entries":[{"for":0.5},{"for":1}],"most":7,"name":"a\"b"}"#
        #expect(String(decoding: APIObject<SampleShape>(Sample()).serialized, as: UTF8.self) == text)
        let more = APIObject<SampleShape>(Sample(state: "on", badge: .some(nil)))
        #expect(String(decoding: more.serialized, as: UTF8.self).contains(#"{"badge":null,"count""#))
        #expect(String(decoding: APIObject<DraftShape>(#""x""#).serialized, as: UTF8.self) == #"{"kind":"x"}"#)
    }

    @Test func `an object has its members before it is written and after it was read`() throws {
        func check(_ object: APIObject<SampleShape>) {
            #expect(object.name == "a\"b" && object.count == nil && object.state == nil && object.badge == nil)
            #expect(object.entries.map(\.for) == [0.5, 1] && object.limits.most == 7)
        }
        let sample = APIObject<SampleShape>(Sample())
        check(sample)
        try APIObject<SampleShape>.read(sample.json, check)
        #expect(try APIObject<SampleShape>.read(sample.json, \.serialized) == sample.serialized)
        #expect(APIObject<DraftShape>(#""x""#).kind == "x")
    }

    @Test func `an object of another version needs to have only what is asked for`() throws {
        let json: JSONValue = ["name": "a", "entries": 7, "later": 3]
        #expect(try APIObject<SampleShape>.read(json) { $0.name } == "a")
        #expect(try APIObject<SampleShape>.read(json) { $0.ifGiven(\.count) } == nil)
        #expect(throws: Complaint.self) { try APIObject<SampleShape>.read(json) { $0.limits.most } }
        #expect(throws: Complaint.self) { try APIObject<SampleShape>.read(json) { $0.entries.count } }
    }

    @Test(arguments: [
        ("[]", "; expected an object"), (#"{"name":"a"}"#, "'/entries' is missing"),
        (#"{"count":-1,"entries":[],"most":1,"name":"a"}"#, "'/count' is the number -1; expected a whole number"),
        (#"{"count":1,"entries":[{}],"most":1,"name":"a"}"#, "'/entries/0/for' is missing"),
        (#"{"count":1,"entries":[],"most":"1","name":"a"}"#, "'/most' is "),
        (#"{"badge":true,"count":1,"entries":[],"most":1,"name":"a"}"#, "'/badge' is true"),
    ]) func `an unexpected value is reported with its path`(_ text: String, _ words: String) throws {
        let json = try #require(JSONParser.value(of: Array(text.utf8)))
        let complaint = #expect(throws: Complaint.self) {
            try APIObject<SampleShape>.read(json) { object in
                _ = (object.name, object.entries.map(\.for), object.count, object.badge, object.limits.most)
            }
        }
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
