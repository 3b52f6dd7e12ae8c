import Foundation
import MockAPNs
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector

struct ResetRouteTests {
    /// Lends a fixture with a push, a device whose app is gone, and a clock that stands.
    private func withTraces(_ use: (Fixture) async throws -> Void) async throws {
        try await withFixture { fixture in
            let clock = #"{"mode":"frozen","now":"2030-06-01T10:00:00Z"}"#
            _ = await fixture.send("PUT", "/api/v1/clock", clock)
            let device = #"{"registrations":[{"token":"aa","topic":"com.example.app"}]}"#
            #expect(await fixture.send("POST", "/api/v1/devices", device).status == 201)
            _ = await fixture.send("PATCH", "/api/v1/registrations/aa", #"{"state":"uninstalled"}"#)
            var draft = PushDraft()
            draft.method = "GET"
            fixture.publish(draft)
            try await use(fixture)
        }
    }

    /// What is left: pushes, devices, entries of the feedback list, and the clock.
    private func traces(_ fixture: Fixture) async -> [String?] {
        let devices = await fixture.get("/api/v1/devices")
        let feedback = await fixture.get("/api/v1/feedback")
        return [
            await fixture.get("/api/v1/pushes").text("matched"), devices.text("total"),
            feedback.text("feedback", "0", "token"), await fixture.get("/api/v1/clock").text("mode"),
        ]
    }

    @Test(arguments: ["", "{}", #"{"connections":"keep"}"#]) func `a reset restores the start`(
        body: String
    ) async throws {
        try await withTraces { fixture in
            #expect(await traces(fixture) == ["1", "1", "aa", "frozen"])
            let epoch = fixture.journal.extent.epoch
            let answer = await fixture.send("POST", "/api/v1/reset", body)
            try Golden.expect(answer, is: "reset")
            #expect(await traces(fixture) == ["0", "0", nil, "real"])
            #expect(fixture.journal.extent.epoch == epoch + 1)
        }
    }

    static let parts: [(only: String, left: [String?])] = [
        (#"["pushes"]"#, ["0", "1", "aa", "frozen"]), (#"["feedback"]"#, ["1", "1", nil, "frozen"]),
        (#"["clock"]"#, ["1", "1", "aa", "real"]), (#"["pushes","clock"]"#, ["0", "1", "aa", "real"]),
        (#"["devices","devices"]"#, ["1", "0", nil, "frozen"]),
    ]

    @Test(arguments: parts) func `a part can be reset alone`(only: String, left: [String?]) async throws {
        try await withTraces { fixture in
            let answer = await fixture.send("POST", "/api/v1/reset", #"{"only":\#(only)}"#)
            #expect(answer.status == 200)
            #expect(await traces(fixture) == left)
        }
    }

    static let mistakes: [(body: String, pointer: String, suggestion: String?)] = [
        ("{", "", nil), ("[]", "", nil), (#"{"only":[]}"#, "/only", nil), (#"{"only":"pushes"}"#, "/only", nil),
        (#"{"only":null}"#, "/only", nil), (#"{"only":["pushes","device"]}"#, "/only/1", "devices"),
        (#"{"only":["fault"]}"#, "/only/0", "faults"), (#"{"onyl":["pushes"]}"#, "/onyl", "only"),
        (#"{"connections":"closed"}"#, "/connections", "close"), (#"{"connections":true}"#, "/connections", nil),
    ]

    @Test func `an invalid reset is refused and changes nothing`() async throws {
        try await withTraces { fixture in
            for (body, pointer, suggestion) in Self.mistakes {
                let answer = await fixture.send("POST", "/api/v1/reset", body)
                #expect(answer.status == 400, "\(body)")
                #expect(answer.text("errors", "0", "path") == pointer, "\(body)")
                #expect(answer.text("errors", "0", "suggestion") == suggestion ?? "null", "\(body)")
                #expect(answer.text("errors", "1") == nil, "\(body)")
            }
            #expect(await traces(fixture) == ["1", "1", "aa", "frozen"])
        }
    }

    @Test func `a reset closes connections if that is asked for`() async throws {
        var configuration = Configuration()
        // Longer than the test may last: nothing but the reset can end the connection.
        configuration.transport.handshakeTimeout = .minutes(10)
        try await withInspector(configuration: configuration) { server, _, port in
            let apnsPort = try #require(URL(string: server.listeners[0].url)?.port)
            let connection = try await HeldConnection.open(port: apnsPort)
            for (body, state) in [("{}", "open"), (#"{"connections":"close"}"#, "closed")] {
                let answer = try await HTTPClient.ask(
                    "/api/v1/reset", port: port, method: "POST", body: Array(body.utf8))
                #expect(answer.text("connections") == state)
            }
            _ = try await connection.readToEnd()
        }
    }
}
