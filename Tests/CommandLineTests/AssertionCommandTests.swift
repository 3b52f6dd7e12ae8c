import Foundation
import Testing

@testable import MockAPNsAPI
@testable import mock_apns

/// `wait`, `verify` and `explain` against a scripted API.
@Suite struct AssertionCommandTests {
    private static let verified = Samples.whole(
        VerifiedShape.self, #"{"ok":true,"verification":"vfy_1","matched":["psh_1"],"count":1,"elapsedMs":38}"#)
    private static let failed =
        #"{"type":"urn:mock-apns:problem:verification-failed","title":"T","status":409,"detail":"D.","errors":[],"report":"Expected exactly 1 push, found 0\nhint: ✔ \u001b[31m\n"}"#
    private static let report = "Expected exactly 1 push, found 0\nhint: ✔ \u{fffd}[31m\n"

    private static func file(_ text: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try Data(text.utf8).write(to: file)
        return file.path
    }

    static let questions: [(String, String, String)] = [
        (
            "verify --topic com.a --title Hi --body There --type alert --token ab -q is:delivered --count 1", "verify",
            #"{"count":{"exactly":1},"match":{"body":"There","pushType":"alert","q":"is:delivered","title":"Hi","token":"ab","topic":"com.a"}}"#
        ),
        (
            "verify --topic com.a --never --within 5s --settle 1s --after 7", "verify",
            #"{"after":7,"count":{"never":true},"match":{"topic":"com.a"},"settle":"1s","within":"5s"}"#
        ), ("verify --at-least 2 --at-most 3", "verify", #"{"count":{"atLeast":2,"atMost":3},"match":{}}"#),
    ]

    @Test(arguments: questions) func `options are sent as the members of the request`(
        _ line: String, _ path: String, _ body: String
    ) throws {
        let api = try FakeAPI([.json(Self.verified)])
        let words = line.split(separator: " ").map(String.init)
        let outcome = try Program.run(words + ["--api", api.url])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(api.asked == [FakeAPI.Asked(method: "POST", target: "/api/v1/pushes/\(path)", body: body)])
        // The output of these commands does not depend on the terminal.
        #expect(outcome.output == "ok: 1 push in 38 ms  psh_1\n")
        #expect(outcome.errors == "")
    }

    @Test(arguments: [("", "{}"), (" --after 3 --topic com.a", #"{"after":3,"match":{"topic":"com.a"}}"#)])
    func `verify --none-unverified prints its own result`(_ options: String, _ body: String) throws {
        let api = try FakeAPI([.json(Samples.whole(NoneUnverifiedShape.self, #"{"ok":true,"count":2}"#))])
        let words = "verify --none-unverified\(options)".split(separator: " ").map(String.init)
        let outcome = try Program.run(words + ["--api", api.url])
        #expect(outcome.status == 0 && outcome.output == "ok: 2 pushes\n" && outcome.errors == "", "\(outcome)")
        let asked = FakeAPI.Asked(method: "POST", target: "/api/v1/pushes/verify-none-unverified", body: body)
        #expect(api.asked == [asked])
    }

    @Test func `a file is sent as it is until an option adds to it`() throws {
        let text = "{ \"match\": {\"topic\": \"a\", \"n\": [1, 2.5, true, null, 12345678901]},\n \"after\": 1 }\n"
        let file = try Self.file(text)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let api = try FakeAPI([.json(Self.verified), .json(Self.verified), .json(Self.verified)])
        #expect(try Program.run(["verify", "-f", file, "--api", api.url]).status == 0)
        #expect(try Program.run(["verify", "-f", "-", "--api", api.url], input: text).status == 0)
        let more = ["--after", "9", "--count", "2", "--within", "1s"]
        #expect(try Program.run(["verify", "-f", file, "--api", api.url] + more).status == 0)
        let changed =
            #"{"after":9,"count":{"exactly":2},"match":{"n":[1,2.5,true,null,12345678901],"topic":"a"},"within":"1s"}"#
        #expect(api.asked.map(\.body) == [text, text, changed])
    }

    @Test func `sequences are a list or an object`() throws {
        let api = try FakeAPI([.json(Self.verified), .json(Self.verified)])
        let list = #"[{"topic":"a"},{"topic":"b"}]"#
        let steps = #"{"steps":[{"topic":"a"}],"strict":false}"#
        for (text, more) in [(list, []), (steps, ["--strict", "--within", "2s", "--after", "4"])] {
            let outcome = try Program.run(["verify", "--sequence", "-f", "-", "--api", api.url] + more, input: text)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(
            api.asked.map(\.body) == [
                #"{"steps":[{"topic":"a"},{"topic":"b"}]}"#,
                #"{"after":4,"steps":[{"topic":"a"}],"strict":true,"within":"2s"}"#,
            ])
        #expect(api.asked.allSatisfy { $0.target == "/api/v1/pushes/verify-sequence" })
    }

    @Test func `a failed verification prints its report and has exit code 1`() throws {
        let api = try FakeAPI([.json(Self.failed, status: 409), .json(Self.failed, status: 409)])
        let told = try Program.run(["verify", "--topic", "a", "--api", api.url])
        #expect(told.status == 1 && told.output == Self.report && told.errors == "", "\(told)")
        let json = try Program.run(["verify", "--topic", "a", "--api", api.url, "--json"])
        #expect(json.status == 1 && json.output == Self.failed + "\n" && json.errors == "", "\(json)")
    }

    @Test(arguments: [
        ("verify --topic a", 400, 64), ("explain psh_1 --topic a", 404, 64), ("wait -q a", 400, 64),
        ("verify --topic a", 503, 69), ("wait -q a", 503, 69),
    ]) func `an invalid request has another exit code than a failed assertion`(
        _ line: String, _ status: Int, _ code: Int32
    ) throws {
        let api = try FakeAPI([.json(#"{"title":"T","detail":"No."}"#, status: status)])
        let outcome = try Program.run(line.split(separator: " ").map(String.init) + ["--api", api.url])
        #expect(outcome.status == code)
        #expect(outcome.output == "" && outcome.errors == "mock-apns: no\n", "\(outcome)")
    }

    @Test(
        arguments: ["verify --topic a", "explain psh_1 --topic a", "wait -q a"],
        [
            (Problem.Kind.namespaceGone, Int32(69)), (.tooBusy, 69), (.notReady, 69), (.labelTaken, 64),
            (.unknownNamespace, 64), (.tooMuchWork, 64),
        ]) func `the type of a problem decides the exit code`(
            _ line: String, _ row: (kind: Problem.Kind, code: Int32)
        ) throws
    {
        let problem =
            #"{"type":"\#(row.kind.type)","title":"T","detail":"No.","status":\#(row.kind.row.status),"errors":[]}"#
        let api = try FakeAPI([.json(problem, status: row.kind.row.status)])
        let outcome = try Program.run(line.split(separator: " ").map(String.init) + ["--api", api.url])
        #expect(outcome.status == row.code, "\(outcome)")
        #expect(outcome.output == "" && outcome.errors == "mock-apns: no\n", "\(outcome)")
    }

    /// Only a failed verification is 1; 69 is for what another request does not help against.
    @Test(arguments: Problem.Kind.allCases) func `every type of problem has its exit code`(_ kind: Problem.Kind) {
        let unreachable: Set<Problem.Kind> = [
            .namespaceGone, .tooBusy, .tooManyStreams, .cannotListen, .cannotKeep, .cannotRead, .notReady,
            .requestTimeout,
        ]
        let expected: CommandFailure.Status =
            kind == .verificationFailed ? .unmet : unreachable.contains(kind) ? .unreachable : .usage
        #expect(kind.exitStatus == expected)
        #expect(kind.row.status != 503 || kind.exitStatus == .unreachable)
    }

    @Test func `explain never exits with 1`() throws {
        let answer = #"{"id":"psh_1","matches":false,"score":"0/1","conditions":[],"report":"psh_1 0/1\n"}"#
        let api = try FakeAPI([
            .json(Samples.whole(PushShape.self, #"{"id":"psh_1"}"#)), .json(answer), .json(answer), .json(answer),
        ])
        let latest = try Program.run(["explain", "latest", "--topic", "a", "--api", api.url])
        #expect(latest.status == 0 && latest.output == "psh_1 0/1\n", "\(latest)")
        for text in [#"{"topic":"a"}"#, #"{"match":{"topic":"a"},"count":{"exactly":1},"after":3}"#] {
            let outcome = try Program.run(["explain", "psh_1", "-f", "-", "--json", "--api", api.url], input: text)
            #expect(outcome.status == 0 && outcome.output == answer + "\n", "\(outcome)")
        }
        let body = #"{"id":"psh_1","match":{"topic":"a"}}"#
        #expect(api.asked.map(\.body) == ["", body, body, body])
    }

    // MARK: Waiting

    private static func page(_ matched: Int, satisfied: Bool) -> FakeAPI.Script {
        let pushes = Array(repeating: PushCommandTests.summary, count: min(matched, 1))
        return .json(PushCommandTests.page(pushes, matched: matched, satisfied: satisfied))
    }

    @Test func `a wait is one request`() throws {
        let api = try FakeAPI([Self.page(3, satisfied: true)])
        let outcome = try Program.run([
            "wait", "-q", "has:badge", "--count", "3", "--timeout", "5s", "--after", "7", "--api", api.url,
        ])
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
        #expect(outcome.output.contains("\npsh_0000010000000001  "))
        #expect(
            api.asked.map(\.target) == [
                "/api/v1/pushes?q=has%3Abadge&after=7&outcome=accepted&wait=5000ms&count=3&limit=1000&fields=summary"
            ])
    }

    @Test func `a long wait is several requests`() throws {
        let api = try FakeAPI([
            Self.page(0, satisfied: false), Self.page(0, satisfied: false), Self.page(1, satisfied: true),
        ])
        let outcome = try Program.run(["wait", "--timeout", "125s", "--json", "--api", api.url])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == PushCommandTests.page([PushCommandTests.summary], matched: 1) + "\n")
        let waits = api.asked.map { $0.target.split(separator: "&")[1] }
        #expect(waits == ["wait=60000ms", "wait=60000ms", "wait=5000ms"])
    }

    @Test func `a wait without a match reports the pushes received`() throws {
        let api = try FakeAPI([Self.page(1, satisfied: false), .json(Self.failed, status: 409)])
        let outcome = try Program.run([
            "wait", "--topic", "a", "--device", "alice", "--count", "2", "--timeout", "0", "--api", api.url,
        ])
        #expect(outcome.status == 1 && outcome.errors == "", "\(outcome.errors)")
        #expect(outcome.output == "received 1 of 2 pushes within 0\n" + Self.report)
        #expect(api.asked.last?.target == "/api/v1/pushes/verify")
        #expect(api.asked.last?.body == #"{"count":{"atLeast":2},"match":{"device":"alice","topic":"a"}}"#)
        let json = try FakeAPI([Self.page(1, satisfied: false)])
        let quiet = try Program.run(["wait", "--timeout", "0", "--json", "--api", json.url])
        #expect(quiet.status == 1 && quiet.output.contains(#""pushes":["#), "\(quiet)")
    }

    @Test(arguments: [
        ("is:rejected", true), ("type:alert !is:accepted", true), ("status:400", true), ("reason:BadTopic", true),
        ("outcome:rejected", true), ("is:delivered", false), ("", false), (#""is:rejected""#, false),
        ("is:nonsense", false),
    ]) func `only accepted pushes count unless the search has a verdict`(_ search: String, _ isAsked: Bool) throws {
        let command = try WaitCommand.parse(["-q", search, "-q", "type:alert"])
        #expect(command.request(5).target.contains("outcome=accepted") != isAsked)
    }
}
