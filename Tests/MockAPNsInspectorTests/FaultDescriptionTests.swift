import MockAPNsFormats
import TestSupport
import Testing

@testable import MockAPNsInspector

/// Faults in words.
@Suite struct FaultDescriptionTests {
    private func description(of body: String) async throws -> APIResponse {
        var found: APIResponse?
        try await withFixture { fixture in found = await fixture.send("POST", "/api/v1/faults", body) }
        let answer = try #require(found)
        try #require(answer.status == 201, "\(body)")
        return answer
    }

    static let actions: [(String, String)] = [
        (#"{"respond":{"status":502}}"#, "respond 502"),
        (
            #"{"respond":{"reason":"Shutdown","status":503,"headers":{"retry-after":"2"},"body":"truncated"}}"#,
            "respond 503 Shutdown with retry-after with half of the body"
        ), (#"{"delay":{"for":"1s"}}"#, "delay the response by 1s"),
        (#"{"delay":{"for":"1s","jitter":"5ms","distribution":"normal"}}"#, "delay the response by 1s ± 5ms (normal)"),
        (#"{"stream":{"reset":"CANCEL"}}"#, "reset the stream with CANCEL"),
        (
            #"{"goaway":{"close":"never","then":"refuse","respond":{"status":503,"reason":"Shutdown"}}}"#,
            "respond 503 Shutdown, then send GOAWAY NO_ERROR, keep the connection open, refuse later requests"
        ),
        (
            #"{"goaway":{"code":"CANCEL","lastStream":"zero","debug":"x"}}"#,
            "send GOAWAY CANCEL x (last stream: zero), close when all streams have ended"
        ), (#"{"connection":"rst"}"#, "reset the connection"),
        (
            #"{"settings":{"maxConcurrentStreams":1,"initialWindow":2,"delay":"3s","replaceWithGoaway":{"close":"now"}}}"#,
            "allow 1 stream at a time, set the initial window to 2 bytes, send nothing for 3s,"
                + " send GOAWAY NO_ERROR, close immediately instead of SETTINGS"
        ), (#"{"handshake":"no-alpn"}"#, "negotiate no ALPN protocol"),
        (#"{"handshake":"alert:40"}"#, "end the TLS handshake with alert 40"),
        (#"{"handshake":"delay:5s"}"#, "delay the TLS handshake by 5s"),
        (#"{"body":"huge"}"#, "respond with a body of 1 MiB"),
        (#"{"slow":{"bytesPerSecond":9}}"#, "respond at 9 bytes per second"),
        (#"{"lose":true}"#, "respond 200 and lose the notification"), (#"{"duplicate":true}"#, "deliver twice"),
    ]

    @Test(arguments: actions) func `says what a fault does`(action: String, words: String) async throws {
        let answer = try await description(of: "{\"do\":\(action)}")
        #expect(answer.text("description", "action") == words)
        let isOnConnection = action.hasPrefix("{\"settings") || action.hasPrefix("{\"handshake")
        #expect(answer.text("description", "pushes") == (isOnConnection ? "Every connection" : "Every push"))
        #expect(answer.text("description", "when") == "every time")
    }

    static let matches: [(String, String)] = [
        (#"{"topic":"com.a","pushType":{"in":["alert","voip"]}}"#, "type alert or voip, topic com.a"),
        (#"{"headers":{"apns-priority":"10"},"q":"has:badge"}"#, "apns-priority 10, search has:badge"),
        (#"{"connection":{"remote":"127.0.0.1","environment":"sandbox"}}"#, "environment sandbox, remote 127.0.0.1"),
        (#"{"payload":{"at":"/a","equals":1}}"#, #"payload {"at":"/a","equals":1}"#),
    ]

    @Test(arguments: matches) func `says which pushes a fault is for`(match: String, words: String) async throws {
        let answer = try await description(of: "{\"do\":{\"lose\":true},\"match\":\(match)}")
        #expect(answer.text("description", "pushes") == words)
    }

    @Test(arguments: [(1, false), (8, false), (30, true), (100, true)])
    func `says that conditions cost too much for large pushes`(texts: Int, isTooMuch: Bool) async throws {
        let search = (1...texts).map { "!never\($0)" }.joined(separator: " ")
        let answer = try await description(of: "{\"do\":{\"lose\":true},\"match\":{\"q\":\"\(search)\"}}")
        let warning = " (too costly for large pushes: they don't match after 20000 steps)"
        #expect(answer.text("description", "pushes") == "search \(search)\(isTooMuch ? warning : "")")
    }

    @Test func `says how many pushes cost too much`() async throws {
        let search = (1...100).map { "!never\($0)" }.joined(separator: " ")
        let alert = String(repeating: "large ", count: 600)
        try await withFixture { fixture in
            let fault = "{\"do\":{\"respond\":{\"status\":503}},\"match\":{\"q\":\"\(search)\"}}"
            #expect(await fixture.send("POST", "/api/v1/faults", fault).text("stats", "tooCostly") == "0")
            let push = "{\"payload\":{\"aps\":{\"alert\":\"\(alert)\"}}}"
            let sent = await fixture.send("POST", "/api/v1/pushes/send", push)
            #expect(sent.text("push", "response", "status") == "200")
            let listed = await fixture.get("/api/v1/faults")
            #expect(listed.text("faults", "0", "stats", "tooCostly") == "1")
            #expect(
                listed.text("faults", "0", "description", "pushes")
                    == "search \(search) (too costly: 1 push did not match after 20000 steps)")
        }
    }

    @Test func `says when a fault fires`() async throws {
        let answer = try await description(
            of: """
                {"do":{"lose":true},"when":{"skip":1,"every":3,"times":2,"probability":0.5,"afterIdle":"5s",
                 "afterRequests":4,"from":"2030-01-01T00:00:00.000000Z","until":"2030-01-02T00:00:00.000000Z"}}
                """)
        #expect(
            answer.text("description", "when") == "after 5s without requests, after 4 requests on the connection,"
                + " skip the first 1, 1 of 3, at most 2 times, with probability 0.5,"
                + " from 2030-01-01T00:00:00.000000Z, until 2030-01-02T00:00:00.000000Z")
    }
}
