import MockAPNsWorld
import Testing

@testable import MockAPNsInspector

@Suite struct SavedPushRoutesTests {
    private static let path = "/api/v1/saved-pushes/Order%20shipped%2Fpaid"
    private static let push = #"""
        {"topic": "com.a", "payload": {"b": 1.50, "a": {"c": null}}, "headers": {"apns-id": null}}
        """#

    @Test func `a push is saved, shown, replaced, sent and deleted`() async throws {
        try await withFixture { fixture in
            let new = await fixture.send("PUT", Self.path, Self.push)
            #expect(new.status == 201, "\(new.json)")
            #expect(new[header: "Location"] == Self.path)
            #expect(await fixture.send("PUT", "/api/v1/saved-pushes/A", "").status == 201)
            try Golden.expect(await fixture.get(Self.path), is: "saved-push")
            try Golden.expect(await fixture.get("/api/v1/saved-pushes"), is: "saved-pushes")
            #expect(String(decoding: new.bytes, as: UTF8.self).contains(#""b": 1.50, "a""#))
            #expect(await fixture.get("/api/v1/saved-pushes/A").text("push") == "{}")

            let shown = await fixture.get(Self.path).text("push") ?? ""
            #expect(await fixture.send("POST", "/api/v1/pushes/send", shown).status == 201)
            #expect(await fixture.send("PUT", Self.path, #"{"title":"Hi"}"#).status == 200)
            #expect(await fixture.get(Self.path).text("push", "title") == "Hi")
            #expect(await fixture.send("DELETE", Self.path).status == 204)
            let gone = await fixture.get(Self.path)
            #expect(gone.status == 404 && gone.text("type")?.hasSuffix("unknown-saved-push") == true)
            #expect(await fixture.send("DELETE", Self.path).status == 404)
            #expect(await fixture.send("POST", "/api/v1/reset").text("cleared", "saved-pushes") == "1")
        }
    }

    @Test func `refuses invalid pushes, long names and more than 64 KiB`() async throws {
        try await withFixture { fixture in
            let mistaken = await fixture.send("PUT", Self.path, #"{"titel":"Hi"}"#)
            #expect(mistaken.status == 400 && mistaken.text("errors", "0", "path") == "/titel")
            let name = String(repeating: "n", count: 101)
            #expect(await fixture.send("PUT", "/api/v1/saved-pushes/\(name)", "{}").status == 400)
            let large = #"{"title":"\#(String(repeating: "a", count: 64 << 10))"}"#
            let refused = await fixture.send("PUT", Self.path, large)
            #expect(refused.status == 413 && refused.text("type")?.hasSuffix("body-too-large") == true)
            for number in 0..<SavedPush.most {
                #expect(await fixture.send("PUT", "/api/v1/saved-pushes/\(number)", "{}").status == 201)
            }
            let tooMany = await fixture.send("PUT", Self.path, "{}")
            #expect(tooMany.status == 422 && tooMany.text("type")?.hasSuffix("too-many-saved-pushes") == true)
            let near = await fixture.get("/api/v1/saved-pushes/100")
            #expect(near.status == 404 && near.text("errors", "0", "suggestion") == "10")
        }
    }

    @Test func `all saved pushes can be replaced by a list`() async throws {
        try await withFixture { fixture in
            #expect(await fixture.send("PUT", Self.path, Self.push).status == 201)
            #expect(await fixture.send("PUT", "/api/v1/saved-pushes/A", "").status == 201)
            let exported = String(decoding: await fixture.get("/api/v1/saved-pushes").bytes, as: UTF8.self)
            #expect(await fixture.send("DELETE", Self.path).status == 204)
            #expect(await fixture.send("PUT", "/api/v1/saved-pushes/Z", "{}").status == 201)
            let all = await fixture.send("PUT", "/api/v1/saved-pushes", exported)
            #expect(all.status == 200 && String(decoding: all.bytes, as: UTF8.self) == exported, "\(all.json)")
            // The order and the notation are part of what is sent.
            #expect(exported.contains(#""b": 1.50, "a""#))

            let none = await fixture.send("PUT", "/api/v1/saved-pushes", #" { "savedPushes" : [ ] } "#)
            #expect(none.status == 200 && none.text("savedPushes") == "[]")
        }
    }

    @Test func `a list with a mistake changes nothing and names the entry`() async throws {
        try await withFixture { fixture in
            #expect(await fixture.send("PUT", "/api/v1/saved-pushes/A", "{}").status == 201)
            func entries(_ list: String...) -> String { #"{"savedPushes":[\#(list.joined(separator: ","))]}"# }
            let fine = #"{"name":"B","push":{}}"#
            let large = #"{"name":"C","push":{"title":"\#(String(repeating: "a", count: 64 << 10))"}}"#
            let many = Array(repeating: fine, count: 101).joined(separator: ",")
            let long = String(repeating: "n", count: 101)
            for (body, path) in [
                (entries(fine, #"{"name":"C","push":{"titel":"Hi"}}"#), "/savedPushes/1/push/titel"),
                (entries(fine, #"{"name":"C"}"#), "/savedPushes/1/push"),
                (entries(fine, #"{"name":"","push":{}}"#), "/savedPushes/1/name"),
                (entries(fine, #"{"name":"\#(long)","push":{}}"#), "/savedPushes/1/name"),
                (entries(fine, #"{"name":"C","push":{},"nme":1}"#), "/savedPushes/1/nme"),
                (entries(fine, fine), "/savedPushes"), (entries(many), "/savedPushes"),
                (entries(fine, large), "/savedPushes/1/push"), ("[]", ""), ("{}", "/savedPushes"),
            ] {
                let answer = await fixture.send("PUT", "/api/v1/saved-pushes", body)
                #expect((400...422).contains(answer.status), "\(body.prefix(80))")
                #expect(answer.text("errors", "0", "path") == path, "\(answer.json)")
            }
            #expect(await fixture.get("/api/v1/saved-pushes").text("savedPushes", "0", "name") == "A")
        }
    }

    /// Variables with the same name share a description: `{name}` is a preset of faults, which are a closed list.
    @Test func `the document allows any name of up to 100 characters`() async throws {
        try await withFixture { fixture in
            let document = await fixture.get("/api/v1/openapi.json").json
            let put = document["paths"]?["/api/v1/saved-pushes/{savedPush}"]?["put"]
            #expect(put?.text(["parameters", "0", "schema", "maxLength"]) == "100")
            #expect(put?.text(["parameters", "0", "schema", "enum"]) == nil)
        }
    }

    @Test func `each namespace has its own saved pushes`() async throws {
        try await withFixture { fixture in
            #expect(await fixture.send("POST", "/api/v1/namespaces", #"{"name":"own"}"#).status == 201)
            #expect(await fixture.send("PUT", "/api/v1/namespaces/own/saved-pushes/A", "{}").status == 201)
            #expect(await fixture.get("/api/v1/saved-pushes").text("savedPushes") == "[]")
        }
    }
}
