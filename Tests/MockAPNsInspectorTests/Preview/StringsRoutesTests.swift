import MockAPNsWorld
import Testing

@testable import MockAPNsInspector

@Suite struct StringsRoutesTests {
    private static let path = "/api/v1/strings/com.example.app/pt-BR"

    @Test func `a table is uploaded, shown, replaced and deleted`() async throws {
        try await withFixture { fixture in
            let new = await fixture.send("PUT", Self.path, #"{"B": "two", "A": "one"}"#)
            #expect(new.status == 201)
            #expect(new[header: "Location"] == Self.path)
            #expect(new.text("count") == "2")
            _ = await fixture.send("PUT", "/api/v1/strings/com.example.app/de", #"{"A": "eins"}"#)
            try Golden.expect(await fixture.get(Self.path), is: "strings-table")
            try Golden.expect(await fixture.get("/api/v1/strings"), is: "strings-list")
            let lines = await fixture.get("/api/v1/strings", accept: "application/x-ndjson")
            #expect(lines.bytes.count { $0 == UInt8(ascii: "\n") } == 2)

            let replaced = await fixture.send("PUT", "/api/v1/strings/com.example.app.voip/pt_br", #"{"C": "3"}"#)
            #expect(replaced.status == 200)
            #expect(await fixture.get(Self.path).text("strings") == #"{"C":"3"}"#)
            #expect(await fixture.send("DELETE", Self.path).status == 204)
            #expect(await fixture.get(Self.path).status == 404)
            #expect(await fixture.get("/api/v1/strings").json["tables"].entries.count == 1)
        }
    }

    @Test func `plain text is read as a .strings file`() async throws {
        try await withFixture { fixture in
            let file = #"/* x */ "A" = "one \"1\"";"#
            for contentType in ["text/plain", "Text/Plain; charset=utf-8"] {
                let answer = await fixture.send("PUT", Self.path, file, contentType: contentType)
                #expect(answer.status < 300, "\(contentType)")
            }
            #expect(await fixture.get(Self.path).text("strings", "A") == #"one "1""#)
            let utf16 = Array("\u{feff}\"A\" = \"é\";".utf16).flatMap {
                [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]
            }
            #expect(await fixture.send("PUT", Self.path, bytes: utf16, contentType: "text/plain").status == 200)
            #expect(await fixture.get(Self.path).text("strings", "A") == "é")
            // What says nothing, or anything else, is JSON.
            #expect(await fixture.send("PUT", Self.path, file).status == 400)
            #expect(await fixture.send("PUT", Self.path, file, contentType: "application/json").status == 400)
        }
    }

    static let mistakes: [(path: String, body: String, type: String?, status: Int, word: String)] = [
        ("com.example.app/en", "", nil, 400, "JSON"), ("com.example.app/en", "[]", nil, 400, "an array"),
        ("com.example.app/en", #"{"A": 1}"#, nil, 400, "'/A' is 1; expected a text"),
        ("com.example.app/en", #"{"A": "1", "A": "2"}"#, nil, 400, "comes twice"),
        ("com.example.app/en", "\n\"A\" = 1 2;", "text/plain", 400, "line 2"),
        ("com.example.app/e", "{}", nil, 400, "is not a language"),
        ("com.example.app/en%2F", "{}", nil, 400, "is not a language"),
        ("com%20example/en", "{}", nil, 400, "is not the topic"),
        ("com.example.app/%ff", "{}", nil, 400, "percent-encoded"), (".voip/en", "{}", nil, 400, "is not the topic"),
        ("null,null/en", "{}", nil, 400, "is not the topic"),
    ]

    @Test func `a mistake is reported, and nothing is kept`() async throws {
        try await withFixture { fixture in
            for (path, body, type, status, word) in Self.mistakes {
                let answer = await fixture.send("PUT", "/api/v1/strings/\(path)", body, contentType: type)
                #expect(answer.status == status, "\(path) \(body)")
                #expect(answer.text("detail")?.contains(word) == true, "\(answer.text("detail") ?? "")")
            }
            #expect(await fixture.get("/api/v1/strings").text("tables") == "[]")
        }
    }

    @Test func `an unknown table is reported with the nearest`() async throws {
        try await withFixture { fixture in
            let empty = await fixture.get("/api/v1/strings/com.example.app/en")
            #expect(empty.text("type") == "urn:mock-apns:problem:unknown-strings")
            #expect(empty.text("detail")?.contains("there are none") == true)
            _ = await fixture.send("PUT", Self.path, "{}")
            let answer = await fixture.send("DELETE", "/api/v1/strings/com.example.ap/pt-BR")
            #expect(answer.status == 404)
            #expect(answer.text("errors", "0", "suggestion") == "com.example.app/pt-BR")
        }
    }

    @Test func `keeps at most 500 tables`() async throws {
        try await withFixture { fixture in
            for number in 0..<StringsTable.most {
                _ = await fixture.send("PUT", "/api/v1/strings/app\(number)/en", "{}")
            }
            let answer = await fixture.send("PUT", "/api/v1/strings/more/en", "{}")
            #expect(answer.status == 422)
            #expect(answer.text("type") == "urn:mock-apns:problem:too-many-strings")
        }
    }

    @Test func `each namespace has its own tables, and a reset removes them`() async throws {
        try await withFixture { fixture in
            #expect(await fixture.send("POST", "/api/v1/namespaces", #"{"name":"t","listener":false}"#).status == 201)
            let path = "/api/v1/namespaces/t/strings/com.example.app/en"
            let made = await fixture.send("PUT", path, #"{"A":"1"}"#)
            #expect(made.status == 201)
            #expect(made[header: "Location"] == path)
            #expect(await fixture.get("/api/v1/strings").text("tables") == "[]")
            #expect(await fixture.send("POST", "/api/v1/reset").text("cleared", "strings") == "0")
            #expect(await fixture.get(path).status == 200)
            let reset = await fixture.send("POST", "/api/v1/namespaces/t/reset", #"{"only":["strings"]}"#)
            #expect(reset.text("cleared", "strings") == "1")
            #expect(await fixture.get(path).status == 404)
        }
    }

    @Test func `the content type gets through from a client`() async throws {
        try await withInspector { _, _, port in
            for (type, status) in [("text/plain", 201), ("application/json", 400)] {
                let answer = try await HTTPClient.ask(
                    Self.path, port: port, method: "PUT", headers: ["Content-Type: \(type)"],
                    body: Array(#""A" = "one";"#.utf8))
                #expect(answer.status == status, "\(type)")
            }
        }
    }
}
