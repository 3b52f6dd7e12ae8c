import MockAPNsFormats
import MockAPNsWorld
import Testing

@testable import MockAPNsInspector

@Suite struct AppSchemaRoutesTests {
    private static let list = "/api/v1/apps/com.example.app/schemas"
    private static let path = "\(list)/content-state:OrderAttributes"
    private static let order = #"{ "type" : "object", "required" : ["orderID"], "properties": {} }"#

    @Test func `a schema is stored, shown, replaced and deleted`() async throws {
        try await withFixture { fixture in
            let new = await fixture.send("PUT", Self.path, Self.order)
            #expect(new.status == 201, "\(new.json)")
            #expect(new[header: "Location"] == Self.path)
            _ = await fixture.send("PUT", "/api/v1/apps/com.other/schemas/payload", "true")
            try Golden.expect(await fixture.get(Self.path), is: "app-schema")
            try Golden.expect(await fixture.get(Self.list), is: "app-schemas")
            let shown = await fixture.get(Self.path)
            #expect(String(decoding: shown.bytes, as: UTF8.self).contains(Self.order))

            let voip = "/api/v1/apps/com.example.app.voip/schemas/content-state:OrderAttributes"
            #expect(await fixture.send("PUT", voip, "{}").status == 200)
            #expect(await fixture.get(Self.path).text("schema") == "{}")
            #expect(await fixture.send("DELETE", Self.path).status == 204)
            let gone = await fixture.get(Self.path)
            #expect(gone.status == 404 && gone.text("type")?.hasSuffix("unknown-schema") == true)
            #expect(await fixture.send("DELETE", Self.path).status == 404)
            #expect(await fixture.get(Self.list).json["schemas"].entries.isEmpty)
            #expect(await fixture.send("POST", "/api/v1/reset").text("cleared", "schemas") == "1")
        }
    }

    /// A body, and the place and the text of the first mistake.
    static let mistakes: [(String, String, String)] = [
        ("", "", "is empty; expected JSON"), ("[]", "", "expected a JSON Schema"), ("3", "", "expected a JSON Schema"),
        (#"{"properties":{"a":{"minimun":3}}}"#, "/properties/a/minimun", "is not a keyword"),
        (#"{"type":"text"}"#, "/type", #"has the string "text""#),
        (##"{"$ref":"#/$defs/a"}"##, "/$ref", "where the document has no schema"),
    ]

    @Test(arguments: mistakes) func `a schema that cannot be checked is refused with the place`(
        _ body: String, _ pointer: String, _ message: String
    ) async throws {
        try await withFixture { fixture in
            let refused = await fixture.send("PUT", Self.path, body)
            #expect(refused.status == 400)
            #expect(refused.text("errors", "0", "path") == pointer)
            #expect(refused.text("errors", "0", "message")?.contains(message) == true, "\(refused.json)")
            #expect(await fixture.get(Self.path).status == 404)
        }
    }

    @Test func `refuses other names, large documents and more than 100 schemas`() async throws {
        try await withFixture { fixture in
            for name in ["payloads", "content-state", "attributes:a%20b", "attributes:%FF", "payload:x"] {
                let refused = await fixture.send("PUT", "\(Self.list)/\(name)", "{}")
                #expect(refused.status == 400 && refused.text("type")?.hasSuffix("bad-path") == true, "\(name)")
            }
            let large = #"{"title":"\#(String(repeating: "a", count: JSONSchema.largest))"}"#
            #expect(await fixture.send("PUT", Self.path, large).status == 400)
            for number in 0..<AppSchema.most {
                #expect(await fixture.send("PUT", "\(Self.list)/attributes:A\(number)", "{}").status == 201)
            }
            let tooMany = await fixture.send("PUT", Self.path, "{}")
            #expect(tooMany.status == 422 && tooMany.text("type")?.hasSuffix("too-many-schemas") == true)
        }
    }

    private static func send(_ payload: String, to fixture: Fixture) async {
        let body = #"{"topic":"com.example.app","payload":\#(payload)}"#
        #expect(await fixture.send("POST", "/api/v1/pushes/send", body).status == 201)
    }

    @Test func `a push that does not fit has a warning, and is not found by what fits`() async throws {
        try await withFixture { fixture in
            #expect(await fixture.send("PUT", "\(Self.list)/payload", Self.order).status == 201)
            await Self.send(#"{"aps":{"alert":"Hi"}}"#, to: fixture)
            await Self.send(#"{"aps":{"alert":"Hi"},"orderID":"1"}"#, to: fixture)
            let unfit = await fixture.get("/api/v1/pushes?q=lint:app-schema&fields=full")
            #expect(unfit.text("matched") == "1")
            let finding = unfit.json["pushes"].entries.first?["lints"].entries.first
            #expect(finding?["message"]?.string?.contains("without 'orderID'; expected this member") == true)
            #expect(await fixture.get("/api/v1/pushes/count?q=fits:payload").text("count") == "1")
            let missed = await fixture.send("POST", "/api/v1/pushes/verify", #"{"match":{"fits":"payload"},"count":2}"#)
            #expect(missed.status == 409)
            #expect(
                String(decoding: missed.bytes, as: UTF8.self).contains("does not fit: the payload is an object without")
            )
        }
    }

    @Test func `a schema follows from the accepted pushes`() async throws {
        try await withFixture { fixture in
            let path = "\(Self.list)/payload/inferred"
            #expect(await fixture.get(path).text("pushes") == "0")
            await Self.send(#"{"aps":{"alert":"Hi"},"orderID":"1","total":3}"#, to: fixture)
            await Self.send(#"{"aps":{"alert":"Hi"},"orderID":"2","total":4.5,"note":null}"#, to: fixture)
            let inferred = await fixture.get(path)
            try Golden.expect(inferred, is: "app-schema-inferred")
            let schema = try #require(inferred.json["schema"])
            let text = String(decoding: schema.text, as: UTF8.self)
            #expect(await fixture.send("PUT", "\(Self.list)/payload", text).status == 201)
            #expect(await fixture.get("/api/v1/pushes/count?q=fits:payload").text("count") == "2")
            #expect(await fixture.get("\(Self.list)/attributes:A/inferred").text("pushes") == "0")
        }
    }
}
