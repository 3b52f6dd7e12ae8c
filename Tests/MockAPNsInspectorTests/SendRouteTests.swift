import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import Testing

@testable import MockAPNsInspector

/// Pushes that the server sends to itself.
struct SendRouteTests {
    private static let token = String(repeating: "ab", count: 32)

    private func send(_ body: String, to fixture: Fixture, namespace: String? = nil) async -> APIResponse {
        let root = namespace.map { "/api/v1/namespaces/\($0)" } ?? "/api/v1"
        return await fixture.send("POST", root + "/pushes/send", body)
    }

    @Test func `a push without a device goes to a default test device`() async throws {
        try await withFixture { fixture in
            let sent = await send("", to: fixture)
            #expect(sent.status == 201)
            let id = try #require(sent.text("push", "id"))
            #expect(sent[header: "Location"] == "/api/v1/pushes/\(id)")
            #expect(sent.text("page") == "http://127.0.0.1:8197/p/\(id)")
            #expect(await fixture.get("/api/v1/pushes/\(id)").json == sent.json["push"])
            try Golden.expect(
                sent, is: "push-sent",
                volatile: [
                    "receivedAt", "clockTime", "at", "issuedAt", "issuedAtSeconds", "ageSeconds", "durationMs",
                    "headers", "teamId",
                ])
            let pairs = sent.json["push"]?["request"]?["headers"]
            let names = (0..<3).compactMap { pairs?.text([String($0), "0"]) }
            #expect(names == ["authorization", "apns-topic", "apns-push-type"])
            #expect(sent.text("response", "headers", "0", "0") == "apns-id")

            let again = await send("{}", to: fixture)
            #expect(again.text("push", "apns", "token") == sent.text("push", "apns", "token"))
            let inbox = await fixture.get("/api/v1/devices/@test-phone/inbox")
            #expect(inbox.text("notifications", "1", "push") != nil, "\(inbox.json)")
            let connections = await fixture.get("/api/v1/connections")
            #expect(connections.text("connections", "0", "remote") == "inspector")
            #expect(connections.text("connections", "0", "state") == "closed")
            #expect(connections.text("open") == "0")
        }
    }

    @Test func `the default test device that is inactive gets a 410`() async throws {
        try await withFixture { fixture in
            _ = await send("", to: fixture)
            let device = "/api/v1/devices/@test-phone"
            #expect(await fixture.send("PATCH", device, #"{"state":"offline"}"#).status == 200)
            _ = await fixture.send("POST", "/api/v1/clock/advance", #"{"by":"36500d"}"#)
            let sent = await send("", to: fixture)
            #expect(sent.text("response", "status") == "410", "\(sent.json)")
            #expect(await fixture.send("POST", "/api/v1/pushes/check", "{}").text("response", "status") == "410")
            // Another app of the device, and the device once it is online again.
            #expect(await send(#"{"topic":"com.b"}"#, to: fixture).text("response", "status") == "200")
            #expect(await fixture.send("PATCH", device, #"{"state":"online"}"#).status == 200)
            #expect(await send("", to: fixture).text("response", "status") == "200")
        }
    }

    /// What is sent, and what is made of it.
    struct Case: CustomTestStringConvertible, Sendable {
        let body: String
        var status = 200
        var reason: String?
        var path = "/3/device/"
        var headers: [String: String] = [:]
        var absent: [String] = []
        var payload: String?

        var testDescription: String { body }
    }

    static let cases: [Case] = [
        Case(
            body: #"{"token":"\#(token)","topic":"com.a","priority":5,"expiration":0,"collapseId":"ü"}"#,
            path: "/3/device/\(token)",
            headers: [
                "apns-topic": "com.a", "apns-priority": "5", "apns-expiration": "0", "apns-collapse-id": "ü",
                "apns-push-type": "alert",
            ]),
        Case(
            body: #"{"title":"Hi","headers":{"X-Mine":"a b","apns-id":"5101b8c4-e5bc-c90b-67f2-2f711992aae1"}}"#,
            headers: ["x-mine": "a b", "apns-id": "5101b8c4-e5bc-c90b-67f2-2f711992aae1"],
            payload: #"{"aps":{"alert":{"title":"Hi"},"sound":"default"}}"#),
        Case(
            body: #"{"payload":{"aps":{"alert":"<b>","badge":1e0}},"pushType":"alert"}"#,
            payload: #"{"aps":{"alert":"<b>","badge":1e0}}"#),
        Case(
            body: #"{"pushType":"background","priority":5}"#, headers: ["apns-topic": "com.example.app"],
            payload: #"{"aps":{"content-available":1}}"#),
        Case(body: #"{"pushType":"voip"}"#, headers: ["apns-topic": "com.example.app.voip"]),
        Case(body: #"{"headers":{"apns-topic":null}}"#, status: 400, reason: "MissingTopic", absent: ["apns-topic"]),
        Case(
            body: #"{"headers":{"Authorization":null}}"#, status: 403, reason: "MissingProviderToken",
            absent: ["authorization"]),
        Case(body: #"{"headers":{"authorization":"bearer a.b.c"}}"#, status: 403, reason: "InvalidProviderToken"),
        Case(body: #"{"headers":{"apns-push-type":null}}"#, absent: ["apns-push-type"]),
        Case(body: #"{"priority":"high"}"#, status: 400, reason: "BadPriority"),
        Case(body: #"{"token":"xyz"}"#, status: 400, reason: "BadDeviceToken", path: "/3/device/xyz"),
        Case(body: #"{"token":"dead0410\#(String(repeating: "ab", count: 28))"}"#, status: 410, reason: "Unregistered"),
        Case(body: #"{"payload":"text"}"#, payload: #""text""#),
        Case(body: #"{"text":"{not JSON"}"#, payload: "{not JSON"),
        Case(body: #"{"text":" {\"b\": 1,\n\"a\":2}","payload":null}"#, payload: " {\"b\": 1,\n\"a\":2}"),
        Case(body: #"{"text":""}"#, status: 400, reason: "PayloadEmpty", payload: ""),
        Case(
            body: #"{"payload":{"aps":{"alert":"\#(String(repeating: "a", count: 6_000))"}}}"#, status: 413,
            reason: "PayloadTooLarge"),
    ]

    @Test(arguments: cases) func `the push that is sent has the members of the request`(row: Case) async throws {
        try await withFixture { fixture in
            let sent = await send(row.body, to: fixture)
            #expect(sent.status == 201, "\(sent.json)")
            #expect(sent.text("push", "response", "status") == "\(row.status)")
            #expect(sent.text("response", "status") == "\(row.status)")
            #expect(sent.text("push", "verdict", "reason") == row.reason ?? "null")
            #expect(sent.text("push", "routedBy") == "api")
            #expect(sent.text("push", "request", "path")?.hasPrefix(row.path) == true)
            guard case .array(let pairs)? = sent.json["push"]?["request"]?["headers"] else {
                Issue.record("no headers")
                return
            }
            var headers: [String: String] = [:]
            for pair in pairs { headers[pair.text(["0"]) ?? ""] = pair.text(["1"]) }
            for (name, value) in row.headers { #expect(headers[name] == value, "\(name)") }
            for name in row.absent { #expect(headers[name] == nil, "\(name)") }
            if let payload = row.payload {
                let id = sent.text("push", "id") ?? ""
                let raw = await fixture.get("/api/v1/pushes/\(id)/raw")
                #expect(String(decoding: raw.bytes, as: UTF8.self) == payload)
            }
            if row.status == 413 {
                #expect(sent.text("push", "request", "bodyKept") == "true")
                #expect(sent.text("push", "request", "bodySize") == "6020")
            }
        }
    }

    static let mistakes: [(body: String, path: String)] = [
        (#"{"titel":"Hi"}"#, "/titel"), ("[]", ""), (#"{"token":7}"#, "/token"), (#"{"token":""}"#, "/token"),
        (#"{"token":"a b"}"#, "/token"), (#"{"token":"\r\nx"}"#, "/token"),
        (#"{"token":"\#(String(repeating: "a", count: 1_001))"}"#, "/token"), (#"{"topic":"a\r\nx-y: z"}"#, "/topic"),
        (#"{"topic":" a"}"#, "/topic"), (#"{"priority":5.5}"#, "/priority"), (#"{"expiration":true}"#, "/expiration"),
        (#"{"headers":7}"#, "/headers"), (#"{"headers":{":path":"/x"}}"#, "/headers/:path"),
        (#"{"headers":{"a b":"c"}}"#, "/headers/a b"), (#"{"headers":{"":"c"}}"#, "/headers/"),
        (#"{"headers":{"a/~b\n":"c"}}"#, "/headers/a~1~0b\n"), (#"{"headers":{"a":"c\u0000"}}"#, "/headers/a"),
        (#"{"headers":{"a":"c "}}"#, "/headers/a"), (#"{"headers":{"a":1}}"#, "/headers/a"),
        (#"{"headers":{"A":"1","a":"2"}}"#, "/headers/a"),
        (#"{"headers":{"Transfer-Encoding":"chunked"}}"#, "/headers/Transfer-Encoding"),
        (#"{"headers":{"content-length":"1"}}"#, "/headers/content-length"),
        (#"{"topic":"a","headers":{"apns-topic":"b"}}"#, "/topic"),
        (#"{"headers":{"a":"\#(String(repeating: "b", count: 6_000))"}}"#, "/headers"),
        (#"{"payload":{},"title":"a"}"#, "/title"), (#"{"text":"","body":"a"}"#, "/body"),
        (#"{"payload":{},"text":"a"}"#, "/text"), (#"{"text":7}"#, "/text"), (#"{"body":["a"]}"#, "/body"),
    ]

    @Test(arguments: mistakes) func `an invalid push is refused with the path of the mistake`(
        body: String, path: String
    ) async throws {
        try await withFixture { fixture in
            let refused = await send(body, to: fixture)
            #expect(refused.status == 400, "\(refused.json)")
            #expect(refused.text("errors", "0", "path") == path)
            #expect(fixture.journal.extent.lastSeq == 0)
            #expect(await fixture.get("/api/v1/devices").text("total") == "0")
        }
    }

    // MARK: Where it goes

    @Test func `a device is found by its label, and its state decides the answer`() async throws {
        try await withFixture { fixture in
            let made = await fixture.send(
                "POST", "/api/v1/devices",
                #"{"label":"al ice","state":"offline","registrations":[{"topic":"com.a","environment":"production"},{"topic":"com.b","token":"00ff"}]}"#
            )
            #expect(made.status == 201)
            let first = await send(#"{"token":"@al ice"}"#, to: fixture)
            #expect(first.text("push", "environment") == "production")
            #expect(first.text("push", "apns", "topic") == "com.a")
            #expect(first.text("push", "delivery", "state") == "stored-device-offline")
            let second = await send(#"{"token":"@al ice","topic":"com.b"}"#, to: fixture)
            #expect(second.text("push", "environment") == "sandbox")
            #expect(second.text("push", "apns", "token") == "00ff")
            let byToken = await send(#"{"token":"00FF"}"#, to: fixture)
            #expect(byToken.text("push", "apns", "topic") == "com.b")
            let other = await send(#"{"token":"@al ice","topic":"com.c"}"#, to: fixture)
            #expect(other.text("push", "verdict", "reason") == "DeviceTokenNotForTopic")

            let nobody = await send(#"{"token":"@bob"}"#, to: fixture)
            #expect(nobody.status == 404 && nobody.text("type")?.hasSuffix("unknown-device") == true)
            #expect(await fixture.send("POST", "/api/v1/devices", #"{"label":"bare"}"#).status == 201)
            let bare = await send(#"{"token":"@bare"}"#, to: fixture)
            #expect(bare.status == 422 && bare.text("errors", "0", "path") == "/token")
        }
    }

    @Test func `the default test device gets each app once, and again when it was removed`() async throws {
        try await withFixture {
            $0.rules.isStrict = true
        } _: { fixture in
            let first = await send("{}", to: fixture)
            #expect(first.text("push", "response", "status") == "200")
            let other = await send(#"{"topic":"com.b"}"#, to: fixture)
            #expect(other.text("push", "response", "status") == "200")
            let token = try #require(first.text("push", "apns", "token"))
            #expect(other.text("push", "apns", "token") != token)
            let gone = await fixture.send("PATCH", "/api/v1/registrations/\(token)", #"{"state":"uninstalled"}"#)
            #expect(gone.status == 200)
            let dead = await send(#"{"token":"\#(token)"}"#, to: fixture)
            #expect(dead.text("push", "response", "status") == "410")
            let again = await send("{}", to: fixture)
            #expect(again.text("push", "response", "status") == "200")
            #expect(again.text("push", "apns", "token") != token)
            #expect(await fixture.get("/api/v1/devices").text("total") == "1")
            let bad = await send(#"{"topic":"com.\u202e"}"#, to: fixture)
            #expect([201, 422].contains(bad.status), "\(bad.json)")
        }
    }

    @Test func `a push belongs to the namespace that it is sent in, with keys or without`() async throws {
        try await withFixture { fixture in
            for body in [#"{"name":"own","listener":false}"#, #"{"name":"bare","inherit":"none"}"#] {
                #expect(await fixture.send("POST", "/api/v1/namespaces", body).status == 201)
            }
            for namespace in ["own", "bare"] {
                let sent = await send("{}", to: fixture, namespace: namespace)
                #expect(sent.text("push", "response", "status") == "200", "\(sent.json)")
                #expect(sent.text("push", "namespace") == namespace)
                #expect(sent.text("push", "routedBy") == "api")
                let id = try #require(sent.text("push", "id"))
                #expect(sent[header: "Location"] == "/api/v1/namespaces/\(namespace)/pushes/\(id)")
                #expect(sent.text("page") == "http://127.0.0.1:8197/p/\(id)?ns=\(namespace)")
            }
            #expect(fixture.journal.extent.lastSeq == 0)
            // On the wire, it would belong to the one that knows the token.
            let devices = await fixture.get("/api/v1/namespaces/own/devices/@test-phone")
            let token = try #require(devices.text("registrations", "0", "token"))
            let sent = await send(#"{"token":"\#(token)"}"#, to: fixture)
            #expect(sent.text("push", "namespace") == "default")
        }
    }

    // MARK: Keys and time

    @Test func `the server's own key signs, also after it was removed`() async throws {
        try await withFixture { fixture in
            func verification(_ body: String = "{}") async -> String? {
                let sent = await send(body, to: fixture)
                #expect(sent.text("push", "response", "status") == "200", "\(sent.json)")
                return sent.text("push", "auth", "keyId")
            }
            #expect(await verification() == "INSPECTOR1")
            let key = await fixture.get("/api/v1/keys/INSPECTOR1")
            #expect(key.text("origin") == "api")
            #expect(key.text("teamId") == fixture.server.developmentKey?.teamID)
            #expect(await fixture.send("DELETE", "/api/v1/keys/INSPECTOR1").status == 204)
            #expect(await verification() == "INSPECTOR1")
            #expect(await fixture.send("POST", "/api/v1/reset").status == 200)
            #expect(await verification() == "INSPECTOR1")
            #expect(await fixture.send("DELETE", "/api/v1/keys/INSPECTOR1").status == 204)
            let taken = await fixture.send("POST", "/api/v1/keys/generate", #"{"keyId":"INSPECTOR1"}"#)
            #expect(taken.status == 201)
            let other = try #require(await verification())
            #expect(other != "INSPECTOR1")
            #expect(await verification() == other)
        }
    }

    @Test func `its provider token is used again until it has to be renewed`() async throws {
        try await withFixture {
            $0.rules.tokenUpdateScope = .key
        } _: { fixture in
            func issued() async -> String? {
                let sent = await send("{}", to: fixture)
                #expect(sent.text("push", "response", "status") == "200", "\(sent.json)")
                return sent.text("push", "auth", "issuedAtSeconds")
            }
            func clock(_ path: String, _ body: String) async {
                let method = path.isEmpty ? "PUT" : "POST"
                #expect(await fixture.send(method, "/api/v1/clock" + path, body).status == 200)
            }
            await clock("", #"{"mode":"frozen","now":"2030-01-01T00:00:00Z"}"#)
            let first = await issued()
            await clock("/advance", #"{"by":"39m"}"#)
            #expect(await issued() == first)
            await clock("/advance", #"{"by":"2m"}"#)
            let second = await issued()
            #expect(second != first)
            await clock("/advance", #"{"by":"30d"}"#)
            #expect(await issued() != second)
        }
    }

    // MARK: What else may be

    @Test func `a fault applies to a push sent by the server`() async throws {
        try await withFixture { fixture in
            func fault(_ action: String) async {
                let body = #"{"do":\#(action),"when":{"times":1}}"#
                #expect(await fixture.send("POST", "/api/v1/faults", body).status == 201)
            }
            await fault(#"{"respond":{"status":503,"reason":"ServiceUnavailable"}}"#)
            let answered = await send("{}", to: fixture)
            #expect(answered.text("response", "status") == "503")
            #expect(answered.text("push", "verdict", "decidedBy")?.hasPrefix("fault:flt_") == true)
            await fault(#"{"stream":{"reset":"REFUSED_STREAM"}}"#)
            let reset = await send("{}", to: fixture)
            #expect(reset.status == 201 && reset.text("response", "status") == "0")
            await fault(#"{"delay":{"for":"1h"}}"#)
            #expect(await send("{}", to: fixture).text("response", "status") == "200")
        }
    }

    @Test func `many sends at once are as many pushes to one device`() async throws {
        try await withFixture {
            $0.threads = 2
        } _: { fixture in
            let seqs = await withTaskGroup(of: String?.self) { group in
                for number in 0..<40 {
                    group.addTask { await send(#"{"title":"\#(number)"}"#, to: fixture).text("push", "seq") }
                }
                return await group.reduce(into: Set<String>()) { if let seq = $1 { $0.insert(seq) } }
            }
            #expect(seqs.count == 40)
            #expect(await fixture.get("/api/v1/devices").text("total") == "1")
            let page = await fixture.get("/api/v1/pushes/count?outcome=accepted")
            #expect(page.text("count") == "40", "\(page.json)")
        }
    }

    @Test func `its connections have no warnings`() async throws {
        try await withFixture { fixture in
            for number in 0..<7 {
                let sent = await send(#"{"title":"\#(number)"}"#, to: fixture)
                #expect(sent.text("push", "lints") == "[]", "\(sent.json)")
            }
        }
    }

    @Test func `a server that has stopped answers with a problem`() async throws {
        let server = try await MockAPNsServer(Configuration())
        let fixture = Fixture(of: server)
        #expect(await send("{}", to: fixture).status == 201)
        try await server.stop(grace: .zero)
        let refused = await send("{}", to: fixture)
        #expect(refused.status == 503 && refused.text("type")?.hasSuffix("not-ready") == true)
    }
}
