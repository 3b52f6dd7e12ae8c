import Foundation
import Testing

@testable import MockAPNsAPI
@testable import mock_apns

/// `tail`: events as they happen.
@Suite struct TailTests {
    private static let position = FakeAPI.Script.json(#"{"seq":7,"epoch":1}"#)
    private static let later = FakeAPI.Script.json(#"{"seq":9,"epoch":1}"#)
    private static func push(_ name: String, _ id: Int) -> String {
        "event: \(name)\nid: \(id)\ndata: \(Samples.push())\n\n"
    }
    private static let closed = "event: closed\ndata: {\"reason\":\"shutdown\"}\n\n"

    private func tail(_ api: FakeAPI, _ more: String...) throws -> Program {
        try Program(["tail", "--api", api.url] + more)
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `each event is a line until a signal`(_ signal: Int32) throws {
        let script = FakeAPI.Script.events(
            [": heartbeat\n\n" + Self.push("push.delivered", 8), "event: reset\ndata: {\"epoch\":2}\n\n"], waits: true)
        let api = try FakeAPI([Self.position, script])
        let program = try tail(api, "--table", "-q", "type:alert", "--types", "push.*,reset")
        #expect(
            program.line()
                == "              #8  push.delivered  psh_0000010000000001  [Banner.]  com.example.app  Hi: There")
        #expect(program.line() == "              #8  reset           epoch 2")
        program.signal(signal)
        let outcome = program.finish()
        #expect(outcome.status == 0 && outcome.output == "" && outcome.errors == "", "\(outcome)")
        #expect(
            api.asked.map(\.target) == ["/api/v1/seq", "/api/v1/events?types=push.%2A%2Creset&q=type%3Aalert&after=7"])
        #expect(api.headers.last?.contains("last-event-id") == false)
    }

    @Test func `a broken connection continues after the last event`() throws {
        let api = try FakeAPI([
            Self.position, .events([Self.push("push.received", 8)]), Self.later,
            .events(["event: gap\ndata: {\"from\":9,\"to\":11}\n\n" + Self.push("push.stored", 12) + Self.closed]),
        ])
        let outcome = try tail(api, "--json", "--after", "3").finish()
        #expect(
            outcome.output == """
                {"event":"push.received","id":"8","data":\(Samples.push())}
                {"event":"push.stored","id":"12","data":\(Samples.push())}

                """)
        #expect(outcome.status == 69)
        #expect(
            outcome.errors == """
                mock-apns: the connection to \(api.url) has ended; reconnecting
                mock-apns: events 9 to 11 skipped: they are no longer stored
                mock-apns: \(api.url) has ended the connection (shutdown)

                """)
        #expect(api.asked.map(\.target) == ["/api/v1/seq", "/api/v1/events?after=3", "/api/v1/seq", "/api/v1/events"])
        #expect(api.headers.last?.contains("last-event-id: 8") == true)
    }

    @Test func `a restarted server is read from its first event`() throws {
        let api = try FakeAPI([Self.later, .events([": heartbeat\n\n"]), Self.position, .events([Self.closed])])
        let outcome = try tail(api).finish()
        #expect(outcome.errors.contains("the server was restarted"))
        #expect(api.headers.last?.contains("last-event-id: 0") == true)
    }

    @Test func `ends when its output is closed and nothing happens`() throws {
        let api = try FakeAPI([Self.position, .events([": heartbeat\n\n"], waits: true)])
        let program = try tail(api)
        #expect(program.hangUp() == 0)
    }

    @Test func `reports a refusal`() throws {
        let refusal = #"{"title":"T","detail":"There is no event 'push.x'."}"#
        let api = try FakeAPI([Self.position, .json(refusal, status: 400)])
        let outcome = try tail(api, "--types", "push.x").finish()
        #expect(outcome.status == 64)
        #expect(outcome.errors == "mock-apns: there is no event 'push.x'\n")
        let nobody = try Program.run(["tail", "--api", "127.0.0.1:1"])
        #expect(nobody.status == 69)
    }

    @Test(arguments: [
        (
            "push.responded", Samples.push(),
            "              #5  push.responded  psh_0000010000000001  0  com.example.app  Hi: There"
        ),
        (
            "push.responded",
            Samples.whole(
                PushShape.self, #"{"verdict":{"status":400,"reason":"BadTopic"},"id":"p","apns":{"pushType":"voip"}}"#),
            "              #5  push.responded  p  400 BadTopic  no topic  no text (voip)"
        ),
        (
            "push.responded",
            Samples.whole(
                PushShape.self,
                #"{"verdict":{"status":403,"reason":"InvalidProviderToken","hint":"The team is wrong. Set\u001b it."},"id":"p","apns":{"pushType":"voip"}}"#
            ),
            "              #5  push.responded  p  403 InvalidProviderToken  no topic  no text (voip)\n      The team is wrong. Set\u{fffd} it."
        ), ("device.changed", Samples.device(), "              #5  device.changed  alice  online"),
        (
            "feedback.added", #"{"token":"\#(Samples.token)","cause":"uninstalled"}"#,
            "              #5  feedback.added  3f2a0000…9c01  uninstalled"
        ), ("clock.changed", #"{"mode":"frozen","now":"T"}"#, "              #5  clock.changed   frozen  T"),
        (
            "push.received",
            Samples.whole(
                PushShape.self,
                #"{"id":"p","apns":{"topic":"a.b","pushType":"alert"},"delivery":{"timeline":[{"seq":5,"at":"2026-01-05T10:11:12.345678Z","event":"received"}]}}"#
            ), "10:11:12.345  #5  push.received   p  a.b  no text (alert)"
        ),
        (
            "connection.opened", #"{"remote":"127.0.0.1:5","state":"open","openedAt":"2026-01-05T10:11:12.345678Z"}"#,
            "10:11:12.345  #5  connection.opened  127.0.0.1:5  open"
        ), ("fault.fired", #"{"fault":"flt_1","push":"psh_2"}"#, "              #5  fault.fired     flt_1  psh_2"),
        (
            "activity.stale",
            Samples.whole(
                ActivityEventShape.self,
                #"{"event":"stale","id":"act_1","device":"dev_1","label":"alice","reason":"stale-date","activity":{"attributesType":"Ride"}}"#
            ), "              #5  activity.stale  alice  act_1  Ride  stale-date"
        ),
        (
            "activity.token",
            Samples.whole(
                ActivityEventShape.self,
                #"{"event":"token","id":"act_1","device":"dev_1","reason":"rotation","activity":{"attributesType":"Ride","token":"\#(Samples.token)"}}"#
            ), "              #5  activity.token  dev_1  act_1  Ride  rotation  3f2a0000…9c01"
        ),
        (
            "push.ignored",
            Samples.whole(
                PushShape.self,
                #"{"id":"p","apns":{"topic":"a.b","pushType":"liveactivity"},"delivery":{"ignored":{"code":"no-aps","text":"No aps."}}}"#
            ), "              #5  push.ignored    p  No aps.  a.b  no text (liveactivity)"
        ), ("news", #"{"a":"\#u{1b}[31m"}"#, "              #5  news            {\"a\":\"\u{fffd}[31m\"}"),
    ]) func `prints an event as a line, and why a push was rejected`(_ name: String, _ data: String, _ text: String) {
        let event = ServerSentEvent(name: name, data: data, id: "5")
        #expect(event.summary == text)
        #expect(event.json == #"{"event":"\#(name)","id":"5","data":\#(data)}"#)
    }
}
