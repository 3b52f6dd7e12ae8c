import MockAPNsRules
import MockAPNsWorld
import Testing

@testable import MockAPNsInspector

/// Requests about devices that cannot be done.
@Suite struct DeviceRefusalTests {
    private static let token = DeviceRoutesTests.token

    /// A request about 'alice' that cannot be done: method, path behind `/api/v1`, body, status, what the problem is
    /// called, where the mistake is, and what the detail has in it.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let request: (method: String, path: String, body: String)
        let status: Int
        let type: String
        let path: String?
        let detail: String
        var testDescription: String { "\(request.method) \(request.path) \(request.body)" }

        init(
            _ method: String, _ path: String, _ body: String, _ status: Int, _ type: String, _ pointer: String?,
            _ detail: String
        ) {
            request = (method, path, body)
            self.status = status
            self.type = type
            self.path = pointer
            self.detail = detail
        }
    }

    static let refusals = [
        Refusal("POST", "/devices", "", 400, "bad-body", "", "The request has no body"),
        Refusal("POST", "/devices", "[]", 400, "bad-body", "", "expected an object"),
        Refusal("POST", "/devices", #"{"lable":"x"}"#, 400, "bad-body", "/lable", "(did you mean 'label'?)"),
        Refusal(
            "POST", "/devices", #"{"registrations":[{"token":"aa"}]}"#, 400, "bad-body", "/registrations/0/topic",
            "is missing; expected a topic"),
        Refusal(
            "POST", "/devices", #"{"registrations":[{"topic":"a","environment":"development"}]}"#, 400, "bad-body",
            "/registrations/0/environment", "expected sandbox or production"),
        Refusal("POST", "/devices", #"{"label":"alice"}"#, 409, "label-taken", "/label", "'alice'"),
        Refusal(
            "POST", "/devices", #"{"registrations":[{"topic":"b.c","token":"\#(token)"}]}"#, 409, "token-taken",
            "/registrations/0/token", token),
        Refusal("POST", "/devices", #"{"label":"a\nb"}"#, 422, "unusable-value", "/label", "control characters"),
        Refusal(
            "POST", "/devices", #"{"registrations":[{"topic":"a b"}]}"#, 422, "unusable-value",
            "/registrations/0/topic", "Invalid topic 'a b'"),
        Refusal("PUT", "/devices", "{}", 400, "bad-body", "", "is an object; expected a list of objects"),
        Refusal(
            "PUT", "/devices", #"[{"label":"x"},{"state":"of"}]"#, 400, "bad-body", "/1/state",
            "expected online or offline"),
        Refusal(
            "PUT", "/devices", #"[{"label":"x"},{"label":"x"}]"#, 409, "label-taken", "/1/label",
            "'x' is described twice"), Refusal("PATCH", "/devices/@alice", "", 400, "bad-body", "", "no body"),
        Refusal("PATCH", "/devices/@alice", #"{"State":"offline"}"#, 400, "bad-body", "/State", "mean 'state'"),
        Refusal(
            "PATCH", "/devices/@alice", #"{"label":null}"#, 400, "bad-body", "/label",
            "a member that is left out stays as it is"),
        Refusal(
            "PATCH", "/devices/@alice", #"{"registrations":[]}"#, 400, "bad-body", "/registrations",
            "it takes: label, state, lowPower"),
        Refusal("PATCH", "/devices/@bob", "{}", 404, "unknown-device", nil, "There is no device 'bob'"),
        Refusal("GET", "/devices/@bob", "", 404, "unknown-device", nil, "There is no device 'bob'"),
        Refusal("GET", "/devices/cccc", "", 404, "unknown-token", nil, "cccc"),
        Refusal("GET", "/devices/dev_00000000000000ff", "", 404, "unknown-device", nil, "no such device"),
        Refusal(
            "GET", "/devices/alice", "", 400, "bad-path", "alice", "is the label of a device; did you mean '@alice'?"),
        Refusal("GET", "/devices/bob", "", 400, "bad-path", "bob", "expected @ and the label"),
        Refusal("GET", "/devices/@", "", 400, "bad-path", "@", "expected @ and the label"),
        Refusal("GET", "/devices/dev_00", "", 400, "bad-path", "dev_00", "16 hexadecimal digits"),
        Refusal("DELETE", "/devices/@bob", "", 404, "unknown-device", nil, "'bob'"),
        Refusal("GET", "/devices/@bob/inbox", "", 404, "unknown-device", nil, "'bob'"),
        Refusal("GET", "/devices/@bob/stored", "", 404, "unknown-device", nil, "'bob'"),
        Refusal("POST", "/devices/@bob/registrations", #"{"topic":"a"}"#, 404, "unknown-device", nil, "'bob'"),
        Refusal(
            "POST", "/devices/@alice/registrations", #"{"topic":"com.example.app"}"#, 409, "registration-taken",
            "/topic", "com.example.app"),
        Refusal("POST", "/devices/@alice/registrations", "{}", 400, "bad-body", "/topic", "is missing"),
        Refusal("GET", "/registrations/xyz", "", 400, "bad-path", "xyz", "'xyz' is not a device token"),
        Refusal("GET", "/registrations/cccc", "", 404, "unknown-token", nil, "cccc"),
        Refusal("PATCH", "/registrations/cccc", "{}", 404, "unknown-token", nil, "cccc"),
        Refusal("POST", "/registrations/cccc/rotate", "", 404, "unknown-token", nil, "cccc"),
        Refusal(
            "PATCH", "/registrations/\(token)", #"{"appState":"force-quit"}"#, 400, "bad-body", "/appState",
            "(did you mean 'forceQuit'?)"),
        Refusal(
            "PATCH", "/registrations/\(token)", #"{"state":"deleted"}"#, 400, "bad-body", "/state",
            "expected registered, uninstalled or expired"),
        Refusal(
            "PATCH", "/registrations/\(token)", #"{"state":"rotated"}"#, 422, "unusable-value", "/state",
            "rotated cannot be set"),
        Refusal(
            "POST", "/registrations/\(token)/rotate", #"{"token":"\#(token)"}"#, 409, "token-taken", "/token",
            "is registered already"),
        Refusal("POST", "/registrations/\(token)/rotate", #"{"to":"aa"}"#, 400, "bad-body", "/to", "it takes: token"),
    ]

    @Test(arguments: refusals) func `a change that is refused says why and changes nothing`(
        refusal: Refusal
    ) async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let before = await fixture.get("/api/v1/devices")
            let (method, path, body) = refusal.request
            let answer = await fixture.send(method, "/api/v1" + path, body)
            #expect(answer.status == refusal.status)
            #expect(answer.contentType == "application/problem+json")
            #expect(answer.text("type") == "urn:mock-apns:problem:\(refusal.type)")
            #expect(answer.text("errors", "0", "path") == refusal.path)
            let detail = try #require(answer.text("detail"))
            #expect(detail.contains(refusal.detail), "\(detail)")
            #expect(await fixture.get("/api/v1/devices").json == before.json)
        }
    }

    @Test func `a label that looks like a device token is not taken for one`() async throws {
        try await withFixture { fixture in
            _ = await fixture.send("POST", "/api/v1/devices", #"{"label":"beef"}"#)
            let answer = await fixture.get("/api/v1/devices/beef")
            #expect(answer.status == 400)
            #expect(answer.text("errors", "0", "suggestion") == "@beef")
            #expect(await fixture.get("/api/v1/devices/@beef").status == 200)
            let app = #"{"registrations":[{"token":"beef","topic":"com.example.app"}]}"#
            _ = await fixture.send("POST", "/api/v1/devices", app)
            #expect(await fixture.get("/api/v1/devices/beef").text("label") == "null")
        }
    }

    @Test func `problems have their shape`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let mistakes = #"{"lable":"x","state":"off","registrations":[{"topic":7},{"token":"xyz"}]}"#
            try Golden.expect(await fixture.send("POST", "/api/v1/devices", mistakes), is: "problem-bad-body")
            let taken = await fixture.send("POST", "/api/v1/devices", #"{"label":"alice"}"#)
            try Golden.expect(taken, is: "problem-label-taken")
            try Golden.expect(await fixture.get("/api/v1/devices/@bob"), is: "problem-unknown-device")
            let topic = await fixture.send("POST", "/api/v1/devices/@alice/registrations", #"{"topic":"a b"}"#)
            try Golden.expect(topic, is: "problem-unusable-value")
        }
    }
}
