import Foundation
import TestSupport
import Testing

@testable import mock_apns

/// Client commands against a real server.
@Suite struct LiveServerTests {
    private static let token = String(repeating: "ab", count: 32)

    private final class Server {
        let program: Program
        let environment: [String: String]

        init(_ arguments: [String] = [], isQuiet: Bool = true) throws {
            program = try Program(
                ["--apns-listen", "127.0.0.1:0", "--api-listen", "127.0.0.1:0"] + (isQuiet ? ["--quiet"] : [])
                    + arguments)
            let line = program.line()
            let api = line.split(separator: " ").first { $0.hasPrefix("api=") }?.dropFirst(4)
            environment = ["MOCK_APNS_API": api.map(String.init) ?? line]
        }

        func run(_ line: String, _ more: [String] = []) throws -> Program.Outcome {
            try Program.run(line.split(separator: " ").map(String.init) + more, environment: environment)
        }

        func stop() -> Int32 {
            program.terminate()
            return program.finish().status
        }
    }

    private static func curl(_ arguments: [String], _ token: String? = nil) throws -> String {
        let header = token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
        return try Curl.runAndWait(header + arguments).output
    }

    @Test func `creates, changes and removes a device`() throws {
        let server = try Server()
        #expect(try server.run("devices list --table").errors.contains("No devices. mock-apns devices add"))
        let steps = [
            (
                "devices add --label alice --topic com.a --token \(Self.token) --offline",
                """
                alice (dev_0000000000000000) is offline
                TOPIC  ENVIRONMENT  TOKEN
                com.a  sandbox      \(Self.token)
                """
            ),
            (
                "devices list --topic com.a",
                """
                DEVICE  STATE    STORED  DELIVERED  LAST PUSH  TOPIC  TOKEN
                alice   offline       0          0  -          com.a  abababab…abab
                """
            ), ("devices online alice", "alice is online"),
            (
                "devices app alice --state foreground --notifications off",
                "com.a on alice: foreground, notifications off"
            ),
            (
                "devices rotate \(Self.token) --token beef",
                "com.a on alice has a new token\ntoken     beef\nprevious  \(Self.token)"
            ),
            (
                "clock freeze 2030-01-01T00:00:00Z",
                "clock     frozen\nnow       2030-01-01T00:00:00.000000Z\nnext due  nothing\nhappened  nothing was due"
            ), ("devices uninstall beef", "com.a on alice is uninstalled"),
            (
                "clock advance 1h",
                "clock     frozen\nnow       2030-01-01T01:00:00.000000Z\nnext due  nothing\nhappened  nothing was due"
            ), ("feedback clear", "2 removed from the list"), ("devices forget alice", ""),
            (
                "reset",
                "epoch        2, after seq 0\ncleared      0 apps, 0 categories, 0 channels, 0 devices, 0 faults, 0 feedback, 0 keys, 0 pushes, 0 saved-pushes, 0 schemas, 0 settings, 0 strings\nconnections  open"
            ),
        ]
        for (line, text) in steps {
            let outcome = try server.run(line, ["--table"])
            #expect(outcome.status == 0, "\(line): \(outcome.errors)")
            #expect(outcome.output == text + (text.isEmpty ? "" : "\n"), "\(line)")
        }
        #expect(server.stop() == 0)
    }

    @Test func `every response is one JSON document`() throws {
        let server = try Server()
        for line in [
            "devices add --label alice --topic com.a", "devices list", "devices show alice", "devices offline alice",
            "devices online alice", "devices app alice --state terminated", "devices rotate alice",
            "devices inbox alice", "devices stored alice", "devices uninstall alice", "feedback", "feedback clear",
            "clock", "clock freeze", "clock set 2030-01-01T00:00:00Z", "clock advance 1h", "clock real",
            "reset --close-connections",
        ] {
            let outcome = try server.run(line)
            #expect(outcome.status == 0 && outcome.errors == "", "\(line): \(outcome.errors)")
            #expect(outcome.output.hasSuffix("}\n") && !outcome.output.hasSuffix("\n\n"), "\(line)")
            #expect(throws: Never.self, "\(line)") { try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) }
        }
        #expect(server.stop() == 0)
    }

    @Test(arguments: [
        ("devices show nobody", "there is no device 'nobody'"),
        ("devices show nobody", "mock-apns devices list shows the devices"),
        ("pushes list --device nobody", "mock-apns devices list shows the devices"),
        ("pushes show 99", "mock-apns pushes list shows the pushes"),
        ("channels show ASNFZ4mrze/+3LqYdlQyEA==", "mock-apns channels list shows the channels"),
        ("keys rm ABC123DEFG", "mock-apns keys list shows the keys"),
        ("certs revoke 01", "mock-apns certs list shows the serial numbers"),
        ("ns create default", "choose another name"),
        ("verify -f /etc/hosts", "invalid --file '/etc/hosts': the body is not JSON"),
        ("faults add --file /etc/hosts", "invalid --file '/etc/hosts': the body is not JSON"),
        ("devices add --file /etc/hosts", "invalid --file '/etc/hosts': the body is not JSON"),
        ("devices show cafe", "for a label, use @cafe"),
        ("devices add --label alice --topic com.a", "There is a device 'alice'"),
        ("devices list --limit 0", "expected a whole number from 1 to 1000"),
        ("clock advance soon", "expected a duration"), ("clock set soon", "'now' is 'soon'"),
        ("reset --only pushs", "did you mean 'pushes'?"), ("feedback --since soon", "expected a time"),
    ]) func `reports refusals`(_ line: String, _ words: String) throws {
        let server = try Server()
        #expect(try server.run("devices add --label alice").status == 0)
        let outcome = try server.run(line)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("mock-apns: "))
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(server.stop() == 0)
    }

    @Test func `a device is online while it is connected`() throws {
        let server = try Server()
        #expect(try server.run("devices add --label alice --offline").status == 0)
        let device = try Program(["devices", "connect", "alice"], environment: server.environment)
        #expect(device.errorLine() == "mock-apns: connected as alice, which is online until Ctrl-C")
        #expect(try server.run("devices show alice --table").output.contains("state      online, connected\n"))
        #expect(server.stop() == 0)
        let outcome = device.finish()
        #expect(outcome.status == 69)
        #expect(outcome.errors.hasSuffix("has ended the connection (shutdown)\n"), "\(outcome.errors)")
    }

    @Test func `info shows the configuration, and a reset restores it`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(#"[{"label":"alice","registrations":[{"topic":"com.a","token":"ab"}]}]"#.utf8).write(to: file)
        let server = try Server([
            "--devices", file.path, "--clock", "2030-01-01T00:00:00Z", "--uninstall-detection", "delayed",
        ])
        // With curl, because other tests block the threads of this process's client.
        let url = (server.environment["MOCK_APNS_API"] ?? "") + "/api/v1/info"
        let answer = try Curl.runAndWait(["--fail", url])
        let info = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
        let config = info?["config"] as? [String: [String: String]]
        #expect(config?["devices"] == ["value": file.path, "source": "flag"])
        #expect(config?["clock"] == ["value": "2030-01-01T00:00:00Z", "source": "flag"])
        #expect(config?["uninstall-detection"] == ["value": "delayed", "source": "flag"])
        #expect(config?["inactive-after"] == ["value": "30d", "source": "default"])

        #expect(try server.run("devices forget alice").status == 0)
        #expect(try server.run("clock real").status == 0)
        #expect(try server.run("reset --table").output.contains("epoch        2"))
        #expect(try server.run("clock --table").output.hasPrefix("clock     frozen\nnow       2030-01-01T00:00:00."))
        #expect(try server.run("devices show ab --table").output.hasPrefix("device     alice  dev_"))
        #expect(server.stop() == 0)
    }

    @Test func `creates, uses and removes a key`() throws {
        let server = try Server()
        let file = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString).p8").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let made = try server.run(
            "keys generate --register --key-id LIVEKEY001 --team LIVETEAM01 --topic com.b --topic com.a --output",
            [file])
        #expect(made.status == 0 && made.errors.contains("registered LIVEKEY001"), "\(made.errors)")
        #expect(made.output == "\(file),LIVEKEY001,LIVETEAM01,com.b+com.a\n")
        let line = "LIVEKEY001  LIVETEAM01  both         api     com.a com.b"
        #expect(try server.run("keys list --table").output.contains(line))
        #expect(try server.run("keys rm LIVEKEY001").status == 0)
        let again = try server.run("keys rm LIVEKEY001")
        #expect(again.status == 64 && again.errors.contains("there is no key 'LIVEKEY001'"))
        let added = try server.run("keys add --table", ["\(file),LIVEKEY001,LIVETEAM01,production"])
        #expect(added.status == 0 && added.output.contains("LIVEKEY001  LIVETEAM01  production   api     all"))
        #expect(server.stop() == 0)
    }

    @Test func `requests need the token`() throws {
        let server = try Server(["--api-token", "s3cret", "--allow-shutdown"])
        let refused = try server.run("feedback")
        #expect(refused.status == 64 && refused.errors.contains("MOCK_APNS_API_TOKEN"))
        #expect(try server.run("feedback --json --api-token s3cret").status == 0)
        let wrong = try server.run("feedback --json --api-token other")
        #expect(wrong.status == 64 && wrong.errors.contains("the token is wrong"))
        let environment = server.environment.merging(["MOCK_APNS_API_TOKEN": "s3cret"]) { $1 }
        #expect(try Program.run(["devices", "list", "--json"], environment: environment).status == 0)
        #expect(try server.run("readyz").status == 0)
        let impossible = try server.run("feedback --api-token", ["s3 cret"])
        #expect(impossible.status == 78 && !impossible.errors.contains("s3 cret"))

        let api = server.environment["MOCK_APNS_API"] ?? ""
        let info = try Self.curl([api + "/api/v1/info"], "s3cret")
        #expect(info.contains(#""api-token":{"source":"flag","value":"***"}"#) && !info.contains("s3cret"))
        #expect(try Self.curl(["-X", "POST", api + "/api/v1/shutdown"], "s3cret") == "{\"stopping\":true}\n")
        #expect(server.program.finish().status == 0)
    }

    @Test func `a server can have a label, and no page`() throws {
        let server = try Server(["--label", "checkout", "--no-ui"], isQuiet: false)
        let api = server.environment["MOCK_APNS_API"] ?? ""
        #expect(try Self.curl([api + "/api/v1/info"]).contains(#""label":"checkout""#))
        #expect(try Self.curl([api + "/"]).contains("--no-ui"))
        server.program.terminate()
        let outcome = server.program.finish()
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("mock-apns[checkout]: stopping"), "\(outcome.errors)")

        let standard = try Server([])
        let page = try Self.curl([(standard.environment["MOCK_APNS_API"] ?? "") + "/devices/@alice"])
        #expect(page.lowercased().hasPrefix("<!doctype html>"))
        #expect(standard.stop() == 0)
    }

    @Test func `sends a push from the server itself`() throws {
        let server = try Server()
        let api = server.environment["MOCK_APNS_API"] ?? ""
        let sent = try server.run("send --table --title", ["Order shipped"])
        #expect(sent.status == 0, "\(sent.errors)")
        #expect(sent.output.contains("\nresponse  200\n"), "\(sent.output)")
        #expect(sent.output.contains("\ndevice    test-phone\n"))
        #expect(sent.output.contains("\nlook      \(api)/p/psh_000001"))
        #expect(try server.run("devices inbox test-phone --table").output.contains("Order shipped"))

        let refused = try server.run("send --table --push-type background --header apns-priority=10")
        #expect(refused.status == 1 && refused.output.contains("\nresponse  400 BadPriority\n"), "\(refused)")
        let unknown = try server.run("send --to @nobody")
        #expect(unknown.status == 64 && unknown.errors.contains("nobody"))
        #expect(try server.run("send --file /does/not/exist").status == 78)
        #expect(try server.run("send --title a --file b").status == 64)
        #expect(try server.run("send --text a --file b").status == 64)

        let checked = try server.run("send --dry-run --table --topic com.example.app.voip")
        #expect(checked.status == 1 && checked.output.contains("response  400 InvalidPushType\n"), "\(checked)")
        #expect(try server.run("pushes count").output.contains(#""count":2"#))
        let again = try server.run("resend latest --table")
        #expect(again.status == 1 && again.output.contains("\nresponse  400 BadPriority\n"), "\(again)")

        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(#"{"aps":{"alert":"from a file"}}"#.utf8).write(to: file)
        #expect(try server.run("send --file", [file.path]).status == 0)
        #expect(try server.run("pushes raw latest").output == #"{"aps":{"alert":"from a file"}}"#)
        try Data("{".utf8).write(to: file)
        let broken = try server.run("send --file", [file.path])
        #expect(broken.status == 78 && broken.errors.contains("expected JSON; mock-apns check"))
        #expect(server.stop() == 0)
    }

    @Test func `creates, uses and removes a namespace`() throws {
        let server = try Server()
        let made = try server.run("ns create t-42 --ttl 10m --table")
        #expect(made.status == 0 && made.output.contains("ttl   600 s"), "\(made.errors)")
        #expect(made.output.contains("apns  https://127.0.0.1:"))
        #expect(try server.run("devices add --label alice --topic com.a --ns t-42").status == 0)
        #expect(try server.run("devices list --json").output.contains(#""total":0"#))
        let environment = server.environment.merging(["MOCK_APNS_NS": "t-42"]) { $1 }
        let list = try Program.run(["devices", "list", "--json"], environment: environment)
        #expect(list.output.contains(#""total":1"#))
        // The list of namespaces is the same in every namespace.
        let spaces = try Program.run(["ns", "--table"], environment: environment)
        #expect(spaces.output.contains("default") && spaces.output.contains("t-42"))
        let lost = try server.run("devices list --ns t-43")
        #expect(lost.status == 64 && lost.errors.contains("did you mean 't-42'?"))
        let quiet = try server.run("ns create quiet --no-listener --inherit none --table")
        #expect(quiet.output.contains("by device token alone"))
        #expect(try server.run("ns rm t-42").status == 0)
        #expect(try server.run("ns rm t-42").status == 64)
        #expect(server.stop() == 0)
    }
}
