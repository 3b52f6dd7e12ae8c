import Foundation
import MockAPNsWorld
import Testing

@testable import MockAPNsAPI
@testable import mock_apns

/// `mock-apns faults` and `serve --fault`.
@Suite struct FaultCommandTests {
    private static let fault = #"""
        {"id":"flt_3","position":1,"name":null,"preset":null,"enabled":true,"match":{},
         "when":{"skip":0,"every":1,"probability":1},"do":{"lose":true},
         "stats":{"evaluated":2,"fired":1,"lastFiredAt":"2030-01-01T00:00:00.000000Z","firedFor":[],"draws":[],"tooCostly":0}}
        """#

    static let cases: [(line: String, asked: [String])] = [
        ("faults list", ["GET /api/v1/faults "]),
        (
            "faults add --respond 410:ExpiredToken --topic t --token ab --skip 1 --times 2 --probability 0.5 --name n",
            [
                #"POST /api/v1/faults {"do":{"respond":{"reason":"ExpiredToken","status":410}},"match":{"token":"ab","topic":"t"},"name":"n","when":{"probability":0.5,"skip":1,"times":2}}"#
            ]
        ), ("faults add --delay 2s", [#"POST /api/v1/faults {"do":{"delay":{"for":"2s"}},"match":{},"when":{}}"#]),
        (
            "faults add --reset CANCEL",
            [#"POST /api/v1/faults {"do":{"stream":{"reset":"CANCEL"}},"match":{},"when":{}}"#]
        ),
        (
            "faults add --goaway NO_ERROR",
            [#"POST /api/v1/faults {"do":{"goaway":{"code":"NO_ERROR"}},"match":{},"when":{}}"#]
        ),
        (
            "faults add --goaway ENHANCE_YOUR_CALM --last-stream zero --close now --debug x --times 1",
            [
                #"POST /api/v1/faults {"do":{"goaway":{"close":"now","code":"ENHANCE_YOUR_CALM","debug":"x","lastStream":"zero"}},"match":{},"when":{"times":1}}"#
            ]
        ), ("faults add --break rst", [#"POST /api/v1/faults {"do":{"connection":"rst"},"match":{},"when":{}}"#]),
        ("faults add --slow 9", [#"POST /api/v1/faults {"do":{"slow":{"bytesPerSecond":9}},"match":{},"when":{}}"#]),
        ("faults add --lose", [#"POST /api/v1/faults {"do":{"lose":true},"match":{},"when":{}}"#]),
        ("faults add --duplicate", [#"POST /api/v1/faults {"do":{"duplicate":true},"match":{},"when":{}}"#]),
        (
            "faults preset slow-1s:delay=2s,times=3,topic=t",
            [#"POST /api/v1/faults/presets/slow-1s {"delay":"2s","match":{"topic":"t"},"times":3}"#]
        ), ("faults preset slow-1s", ["POST /api/v1/faults/presets/slow-1s {}"]),
        ("faults on flt_3", [#"PATCH /api/v1/faults/flt_3 {"enabled":true}"#]),
        ("faults off flt_3", [#"PATCH /api/v1/faults/flt_3 {"enabled":false}"#]),
        ("faults rm flt_3 flt_4", ["DELETE /api/v1/faults/flt_3 ", "DELETE /api/v1/faults/flt_4 "]),
        ("faults clear", ["DELETE /api/v1/faults?all=true "]),
        ("faults clear --name a --preset slow-1s", ["DELETE /api/v1/faults?name=a&preset=slow-1s "]),
    ]

    @Test(arguments: cases) func `sends the requests of the options`(_ line: String, _ asked: [String]) throws {
        let answers = asked.map { request -> FakeAPI.Script in
            if request.hasPrefix("GET") { return .json(#"{"faults":[]}"#) }
            if request.hasPrefix("DELETE /api/v1/faults?") { return .json(#"{"deleted":1}"#) }
            return request.hasPrefix("DELETE") ? .empty : .json(Self.fault)
        }
        let api = try FakeAPI(answers)
        let outcome = try Program.run(
            line.split(separator: " ").map(String.init) + ["--json"], environment: ["MOCK_APNS_API": api.url])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(api.asked.map { "\($0.method) \($0.target) \($0.body)" } == asked)
    }

    @Test(arguments: [
        ("faults add", 64, "missing action: expected one of"),
        ("faults add --lose --duplicate", 64, "too many actions: expected one of"),
        ("faults add --goaway CANCEL --reset CANCEL", 64, "too many actions: expected one of"),
        ("faults add --lose --close now", 64, "need --goaway"),
        ("faults add --respond soon", 64, "expected a status or status:reason"),
        ("faults add --lose --file x", 64, "--file cannot be combined"),
        ("faults add --file /does/not/exist", 78, "file not found"),
        ("faults preset slow", 64, "did you mean slow-1s?"), ("faults remove", 64, "unknown command"),
        ("faults rm", 64, "missing argument"),
    ]) func `reports mistakes`(_ line: String, _ status: Int32, _ words: String) throws {
        let outcome = try Program.run(
            line.split(separator: " ").map(String.init), environment: ["MOCK_APNS_API": "http://127.0.0.1:1"])
        #expect(outcome.status == status && outcome.output == "")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func `adds, switches and removes a fault`() throws {
        let program = try Program([
            "--apns-listen", "127.0.0.1:0", "--api-listen", "127.0.0.1:0", "--quiet", "--fault", "unregistered:times=1",
            "--fault", "slow-1s:delay=2s",
        ])
        let ready = program.line()
        let api = ready.split(separator: " ").first { $0.hasPrefix("api=") }?.dropFirst(4) ?? ""
        func run(_ line: String) throws -> String {
            let outcome = try Program.run(
                line.split(separator: " ").map(String.init) + ["--table"], environment: ["MOCK_APNS_API": String(api)])
            return outcome.output + outcome.errors
        }
        let start = """
            #  ID     STATE  DOES                      WHEN        SEEN  FIRED  LAST  NAME
            1  flt_1  on     respond 410 Unregistered  once           0      0  -     unregistered
            2  flt_2  on     delay the response by 2s  every time     0      0  -     slow-1s

            """
        #expect(try run("faults list") == start)
        #expect(
            try run("faults add --respond 503 --times 2 --probability 0.5")
                == "flt_3 is on at position 3: respond 503 ServiceUnavailable, at most 2 times, with probability 0.5\n")
        #expect(
            try run("faults add --goaway CANCEL --close never --last-stream zero")
                == "flt_4 is on at position 4: send GOAWAY CANCEL (last stream: zero), keep the connection open, every time\n"
        )
        #expect(try run("faults add --goaway CANCEL --last-stream first").contains("expected"))
        #expect(try run("faults rm flt_4") == "flt_4 removed\n")
        #expect(try run("faults off flt_3").hasPrefix("flt_3 is off at position 3: "))
        #expect(try run("faults on flt_3").hasPrefix("flt_3 is on "))
        #expect(try run("faults rm flt_3") == "flt_3 removed\n")
        #expect(try run("faults rm flt_3").contains("faults list shows the faults"))
        #expect(try run("faults clear --preset slow-1s") == "1 fault removed\n")
        #expect(try run("faults clear") == "1 fault removed\n")
        #expect(try run("faults list").contains("No faults. mock-apns faults add"))
        #expect(try run("reset").contains("0 faults"))
        #expect(try run("faults list") == start)
        #expect(try run("faults preset").contains("goaway-then-refuse"))
        program.terminate()
        #expect(program.finish().status == 0)
    }
}
