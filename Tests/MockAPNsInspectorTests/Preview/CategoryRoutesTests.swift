import MockAPNsWorld
import Testing

@testable import MockAPNsInspector

@Suite struct CategoryRoutesTests {
    private static let path = "/api/v1/categories/com.example.app/ORDER"
    private static let two = #"""
        {"actions":[{"identifier":"ACCEPT","title":"Accept","foreground":true,"authenticationRequired":true},
        {"title":"Decline","destructive":true,"textInput":true}]}
        """#

    @Test func `a category is described, shown, replaced and deleted`() async throws {
        try await withFixture { fixture in
            let new = await fixture.send("PUT", Self.path, Self.two)
            #expect(new.status == 201)
            #expect(new[header: "Location"] == Self.path)
            #expect(new.text("count") == "2")
            _ = await fixture.send("PUT", "/api/v1/categories/com.example.app/CHAT", #"{"actions":[]}"#)
            try Golden.expect(await fixture.get(Self.path), is: "category")
            try Golden.expect(await fixture.get("/api/v1/categories"), is: "categories")
            let lines = await fixture.get("/api/v1/categories", accept: "application/x-ndjson")
            #expect(lines.bytes.count { $0 == UInt8(ascii: "\n") } == 2)

            let replaced = await fixture.send(
                "PUT", "/api/v1/categories/com.example.app.voip/ORDER", #"{"actions":[{"title":"Track"}]}"#)
            #expect(replaced.status == 200)
            #expect(await fixture.get(Self.path).text("actions", "0", "title") == "Track")
            #expect(await fixture.send("DELETE", Self.path).status == 204)
            #expect(await fixture.get(Self.path).status == 404)
            #expect(await fixture.get("/api/v1/categories").json["categories"].entries.count == 1)
        }
    }

    @Test func `the actions shown can be sent back`() async throws {
        try await withFixture { fixture in
            _ = await fixture.send("PUT", Self.path, Self.two)
            let shown = await fixture.get(Self.path).text("actions") ?? ""
            #expect(await fixture.send("PUT", Self.path, #"{"actions":\#(shown)}"#).status == 200)
            #expect(await fixture.get(Self.path).text("actions") == shown)
            let empty = #"{"actions":[{"title":"A","identifier":null,"destructive":null,"textInput":null}]}"#
            #expect(await fixture.send("PUT", Self.path, empty).status == 200)
            #expect(await fixture.get(Self.path).text("actions", "0", "destructive") == "false")
        }
    }

    @Test func `a category may have any name`() async throws {
        try await withFixture { fixture in
            for (encoded, name) in [
                ("a%20b", "a b"), ("a%2Fb", "a/b"), ("%0D%0Ax:%20y", "\r\nx: y"), ("%F0%9F%91%8D", "👍"),
                ("%22%3Cscript%3E", "\"<script>"),
            ] {
                let path = "/api/v1/categories/com.example.app/\(encoded)"
                let answer = await fixture.send("PUT", path, Self.two)
                #expect(answer.status == 201, "\(name)")
                #expect(answer[header: "Location"] == path)
                #expect(answer.json["category"] == .string(name))
                #expect(await fixture.send("DELETE", path).status == 204)
            }
        }
    }

    static let mistakes: [(path: String, body: String, at: String?, word: String)] = [
        ("com.example.app/C", "", nil, "JSON"), ("com.example.app/C", "[]", "", "expected an object"),
        ("com.example.app/C", "{}", "/actions", "is missing"),
        ("com.example.app/C", #"{"actions":{}}"#, "/actions", "a list of objects"),
        ("com.example.app/C", #"{"actions":["Accept"]}"#, "/actions/0", "expected an object"),
        ("com.example.app/C", #"{"actions":[{}]}"#, "/actions/0/title", "is missing"),
        ("com.example.app/C", #"{"actions":[{"title":"A"},{"title":""}]}"#, "/actions/1/title", "1 to 256 characters"),
        (
            "com.example.app/C", #"{"actions":[{"title":"\#(String(repeating: "x", count: 257))"}]}"#,
            "/actions/0/title", "1 to 256 characters"
        ), ("com.example.app/C", #"{"actions":[{"title":null}]}"#, "/actions/0/title", "is null"),
        (
            "com.example.app/C", #"{"actions":[{"title":"A","identifier":1}]}"#, "/actions/0/identifier",
            "a text of 1 to"
        ),
        (
            "com.example.app/C", #"{"actions":[{"title":"A","textInput":"yes"}]}"#, "/actions/0/textInput",
            "true or false"
        ),
        (
            "com.example.app/C", #"{"actions":[{"title":"A","destructiv":true}]}"#, "/actions/0/destructiv",
            "did you mean 'destructive'?"
        ), ("com.example.app/C", #"{"action":[]}"#, "/action", "did you mean 'actions'?"),
        (
            "com.example.app/C", #"{"actions":[\#((0..<11).map { _ in #"{"title":"A"}"# }.joined(separator: ","))]}"#,
            "/actions", "has 11 entries; expected 10 at most"
        ), ("com%20example/C", Self.two, nil, "is not the topic"), (".voip/C", Self.two, nil, "is not the topic"),
        ("com.example.app/%ff", Self.two, nil, "percent-encoded"),
        (
            "com.example.app/" + String(repeating: "x", count: 257), Self.two, nil,
            "has 257 characters; expected 1 to 256"
        ),
    ]

    @Test func `a mistake is reported with its path, and nothing is kept`() async throws {
        try await withFixture { fixture in
            for (path, body, at, word) in Self.mistakes {
                let answer = await fixture.send("PUT", "/api/v1/categories/\(path)", body)
                #expect(answer.status == 400, "\(path) \(body)")
                #expect(answer.text("detail")?.contains(word) == true, "\(path): \(answer.text("detail") ?? "")")
                if let at { #expect(answer.text("errors", "0", "path") == at, "\(body)") }
            }
            #expect(await fixture.get("/api/v1/categories").text("categories") == "[]")
        }
    }

    @Test func `an unknown category is reported with the nearest`() async throws {
        try await withFixture { fixture in
            let empty = await fixture.get(Self.path)
            #expect(empty.status == 404)
            #expect(empty.text("type") == "urn:mock-apns:problem:unknown-category")
            #expect(empty.text("detail")?.contains("there are none") == true)
            _ = await fixture.send("PUT", Self.path, Self.two)
            let answer = await fixture.send("DELETE", "/api/v1/categories/com.example.app/ORDERS")
            #expect(answer.status == 404)
            #expect(answer.text("errors", "0", "suggestion") == "com.example.app/ORDER")
        }
    }

    @Test func `keeps at most 500 categories`() async throws {
        try await withFixture { fixture in
            for number in 0..<NotificationCategory.most {
                _ = await fixture.send("PUT", "/api/v1/categories/app/\(number)", Self.two)
            }
            let answer = await fixture.send("PUT", "/api/v1/categories/app/more", Self.two)
            #expect(answer.status == 422)
            #expect(answer.text("type") == "urn:mock-apns:problem:too-many-categories")
        }
    }

    @Test func `each namespace has its own categories, and a reset removes them`() async throws {
        try await withFixture { fixture in
            #expect(await fixture.send("POST", "/api/v1/namespaces", #"{"name":"t","listener":false}"#).status == 201)
            let path = "/api/v1/namespaces/t/categories/com.example.app/ORDER"
            let made = await fixture.send("PUT", path, Self.two)
            #expect(made.status == 201)
            #expect(made[header: "Location"] == path)
            #expect(await fixture.get("/api/v1/categories").text("categories") == "[]")
            #expect(await fixture.send("POST", "/api/v1/reset").text("cleared", "categories") == "0")
            #expect(await fixture.get(path).status == 200)
            let reset = await fixture.send("POST", "/api/v1/namespaces/t/reset", #"{"only":["categories"]}"#)
            #expect(reset.text("cleared", "categories") == "1")
            #expect(await fixture.get(path).status == 404)
        }
    }
}
