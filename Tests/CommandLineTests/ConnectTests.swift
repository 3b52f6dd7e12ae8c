import Foundation
import Testing

@testable import mock_apns

/// `devices connect`: a device in a terminal.
@Suite struct ConnectTests {
    private static let connected = "event: connected\ndata: \(Samples.device())\n\n"
    private static let push = "event: push\nid: 1\ndata: \(Samples.push())\n\n"

    private func connect(_ api: FakeAPI, _ more: [String] = []) throws -> Program {
        try Program(["devices", "connect", "alice", "--api", api.url] + more)
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `each push is a line until a signal`(_ signal: Int32) throws {
        // The event arrives in two pieces.
        let half = Self.push.index(Self.push.startIndex, offsetBy: 60)
        let script = FakeAPI.Script.events(
            [": heartbeat\n\n" + Self.connected, String(Self.push[..<half]), String(Self.push[half...])], waits: true)
        let api = try FakeAPI([script])
        let program = try connect(api, ["--table"])
        #expect(program.errorLine() == "mock-apns: connected as alice, which is online until Ctrl-C")
        #expect(program.line() == "2026-01-05 10:11:14Z  com.example.app  Hi: There  [Banner.]")
        program.signal(signal)
        let outcome = program.finish()
        #expect(outcome.status == 0)
        #expect(outcome.output == "" && outcome.errors == "", "\(outcome)")
        #expect(api.asked.map(\.target) == ["/api/v1/devices/@alice/connect"])
    }

    @Test func `JSON is one record on each line`() throws {
        let api = try FakeAPI([
            .events([
                Self.connected, "event: push\ndata: {\"a\":\ndata: 1}\n\n", "event: news\ndata: x\n\n", Self.push,
                "event: gap\ndata: {\"missed\":3}\n\n", "event: closed\ndata: {\"reason\":\"shutdown\"}\n\n", Self.push,
            ])
        ])
        let outcome = try connect(api).finish()
        #expect(outcome.output == "{\"a\": 1}\n\(Samples.push())\n")
        #expect(outcome.status == 69)
        #expect(
            outcome.errors == """
                mock-apns: connected as alice, which is online until Ctrl-C
                mock-apns: 3 pushes skipped: they came faster than they were read
                mock-apns: \(api.url) has ended the connection (shutdown)

                """)
    }

    @Test func `many devices share a stream, and each line names its device`() throws {
        let named = #"{"device":"dev_0000000000000001","label":"load-1","push":\#(Samples.push())}"#
        let nameless = named.replacing(#""load-1""#, with: "null")
        let events = [
            "event: connected\ndata: {\"devices\":2}\n\n", "event: push\nid: 1\ndata: \(named)\n\n",
            "event: push\nid: 2\ndata: \(nameless)\n\n", "event: closed\ndata: {\"reason\":\"forgotten\"}\n\n",
        ]
        let api = try FakeAPI([.events(events)])
        let many = ["devices", "connect", "--search", "load-", "--topic", "a", "--count", "2", "--table"]
        let outcome = try Program(many + ["--api", api.url]).finish()
        #expect(api.asked.map(\.target) == ["/api/v1/devices/connect?q=load-&topic=a&count=2"])
        let rest = "com.example.app  Hi: There  [Banner.]\n"
        #expect(
            outcome.output == "2026-01-05 10:11:14Z  load-1  \(rest)2026-01-05 10:11:14Z  dev_0000000000000001  \(rest)"
        )
        #expect(
            outcome.errors == """
                mock-apns: connected as 2 devices, which are online until Ctrl-C
                mock-apns: the devices were removed

                """)
        #expect(outcome.status == 69)
    }

    @Test(arguments: [[], ["alice", "--count", "2"], ["alice", "--search", "a"]]) func `takes a device or many`(
        arguments: [String]
    ) throws {
        let outcome = try Program.run(["devices", "connect"] + arguments)
        #expect(outcome.status == 64)
        #expect(
            outcome.errors.contains(arguments.isEmpty ? "--search, --topic or --count for many" : "cannot be combined"))
    }

    @Test func `a removed device is not a lost connection`() throws {
        let api = try FakeAPI([.events([Self.connected, "event: closed\ndata: {\"reason\":\"forgotten\"}\n\n"])])
        let outcome = try connect(api).finish()
        #expect(outcome.status == 69)
        #expect(outcome.errors.hasSuffix("mock-apns: the device was removed\n"))
    }

    @Test(arguments: [true, false]) func `reports a server that goes away`(_ isInTheMiddle: Bool) throws {
        let api = try FakeAPI([.events([Self.connected] + (isInTheMiddle ? ["event: push\ndata: {"] : []))])
        let outcome = try connect(api).finish()
        #expect(outcome.status == 69)
        #expect(outcome.errors.hasSuffix("mock-apns: the connection to \(api.url) has ended\n"))
        #expect(outcome.output == "")
    }

    @Test func `ends when its output is closed`() throws {
        // More than a pipe holds, so that some of it is written after the reader has closed the pipe.
        let pushes = Array(repeating: Self.push, count: 1_000)
        let api = try FakeAPI([.events([Self.connected] + pushes, waits: true)])
        let program = try connect(api)
        #expect(program.hangUp() == 0)
    }

    @Test func `a refusal comes in place of a stream`() throws {
        let api = try FakeAPI([.json(#"{"title":"T","detail":"There is no device '@alice'."}"#, status: 404)])
        let outcome = try connect(api).finish()
        #expect(outcome.status == 64)
        #expect(outcome.errors == "mock-apns: there is no device '@alice'\n")
        let nobody = try Program.run(["devices", "connect", "alice", "--api", "127.0.0.1:1"])
        #expect(nobody.status == 69)
        #expect(nobody.errors.contains("cannot connect to http://127.0.0.1:1 (connection refused)"))
    }
}
