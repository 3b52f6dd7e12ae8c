import Foundation
import MockAPNs
import TestSupport
import Testing

@testable import mock_apns

/// The program as a user starts it: messages, exit codes and ready line.
@Suite struct ProcessTests {
    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Program.Outcome {
        try Program.run(arguments, environment: environment)
    }

    private static let anyPorts = ["--apns-listen", "127.0.0.1:0", "--api-listen", "127.0.0.1:0"]

    @Test func `the ready line is the only line and has the bound ports`() throws {
        let server = try Program(Self.anyPorts + ["--ready-file", "ready.json"])
        let line = server.line()
        let pattern =
            #/mock-apns ready apns=https://127\.0\.0\.1:(\d+) api=http://127\.0\.0\.1:(\d+) ca=certs/ca\.pem pid=(\d+) version=(\S+)/#
        let match = try #require(try pattern.wholeMatch(in: line), "\(line)")
        #expect(match.1 != "0" && match.2 != "0")
        #expect(Int32(match.3) == server.processIdentifier)
        let file = server.directory.appendingPathComponent("ready.json")
        let ready = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        #expect(ready["apns"] as? [String] == ["https://127.0.0.1:\(match.1)"])
        #expect((ready["developmentKey"] as? [String: String])?["teamId"] == "MOCKTEAM01")

        let probe = try run(["readyz", "--api", "http://127.0.0.1:\(match.2)"])
        #expect(probe.status == 0)
        #expect(probe.output == "ready\n")

        server.terminate()
        let outcome = server.finish()
        #expect(outcome.status == 0)
        #expect(outcome.output == "")
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    /// A server's socket that an unrelated program holds would stay open after the test has closed it.
    @Test func `a program started by a test inherits its standard streams alone`() throws {
        let pipe = Pipe()
        defer { withExtendedLifetime(pipe) {} }
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            #expect(fcntl(end.fileDescriptor, F_SETFD, 0) == 0)
        }
        let outcome = try RunningProgram.run(["ls", "/dev/fd/"])
        // The fourth is the directory that it reads.
        #expect(String(decoding: outcome.output, as: UTF8.self) == "0\n1\n2\n3\n")
    }

    @Test func `a taken port is reported with its process and the option`() throws {
        let server = try Program(Self.anyPorts)
        let line = server.line()
        let port = try #require(line.firstMatch(of: #/apns=https://127\.0\.0\.1:(\d+)/#)?.1)
        let outcome = try run(["--apns-listen", "127.0.0.1:\(port)", "--api-listen", "127.0.0.1:0"])
        #expect(outcome.status == 71)
        #expect(outcome.errors.contains("port \(port) of 127.0.0.1 is in use"))
        #expect(outcome.errors.contains("by mock-apns (pid \(server.processIdentifier))"))
        #expect(outcome.errors.contains("--apns-listen"))
        let api = try #require(line.firstMatch(of: #/api=http://127\.0\.0\.1:(\d+)/#)?.1)
        let second = try run(["--apns-listen", "127.0.0.1:0", "--api-listen", "127.0.0.1:\(api)"])
        #expect(second.status == 71)
        #expect(second.errors.contains("--api-listen"))
        server.terminate()
        #expect(server.finish().status == 0)
    }

    @Test(arguments: [
        (["--no-such-flag"], 64, "--no-such-flag"), (["--api-lsten", "x"], 64, "--api-listen"),
        (["token"], 78, "no AuthKey_<keyId>.p8 in certs/"),
        (["readyz", "--api", "http://127.0.0.1:1"], 69, "cannot connect to http://127.0.0.1:1 (connection refused)"),
        (["readyz", "--api", "nowhere"], 78, "invalid --api 'nowhere': expected a URL such as"),
        (["--key", "missing.p8,ABC123DEFG,TEAM123456"], 78, "invalid --key 'missing.p8': file not found"),
        (["--tls-cert", "a.pem", "--tls-key", "b.pem"], 78, "invalid --tls-cert 'a.pem': file not found"),
        (
            ["--ready-file", "/nonexistent/ready", "--apns-listen", "127.0.0.1:0", "--api-listen", "127.0.0.1:0"], 73,
            "/nonexistent/ready"
        ), (["certs", "ca"], 78, "certs/ca.pem not found"),
        (["keys", "generate", "--output", "/dev/null"], 73, "it exists"),
        (["--certs-dir", ""], 78, "invalid --certs-dir '': expected a value"),
        (["--ready-fd", "99"], 78, "an open file descriptor above 2"),
        (["--api-listen", "h2c://127.0.0.1:0"], 78, "expected host:port"),
        (["--check-order", ","], 78, "names of checks"),
        (["keys", "generate", "--team", "x"], 64, "invalid identifier 'x'"),
        (["serv"], 64, "did you mean 'mock-apns serve'?"),
        (["devices", "lst"], 64, "did you mean 'mock-apns devices list'?"),
        (["devices", "add"], 64, "missing --topic, --label, --mdm or --file"),
        (["devices", "add", "--labl", "x"], 64, "did you mean '--label'?"),
        (["devices", "add", "--label", "x", "--file", "y"], 64, "--file cannot be combined"),
        (
            ["devices", "add", "--topic", "x", "--token", "abc"], 64,
            "invalid --token 'abc': expected an even number of hexadecimal"
        ), (["devices", "add", "--label", "x", "--token", "ab"], 64, "exactly one --topic, and there are 0"),
        (["devices", "add", "--file", "missing.json"], 78, "invalid --file 'missing.json': file not found"),
        (["devices", "app", "alice"], 64, "missing --state or --notifications"), (["devices", "show"], 64, "<device>"),
        (["devices", "list", "--json", "--table"], 64, "cannot be combined"),
        (["devices", "list", "--state", "on"], 64, "expected online or offline"),
        (["devices", "list", "--api", "https://127.0.0.1:1"], 78, "does not use TLS"),
        (["devices", "list", "--api", "127.0.0.1:1"], 69, "start a server with mock-apns serve, or set --api to"),
        (["reset", "--only", ","], 64, "invalid --only ',': expected pushes"), (["clock", "set"], 64, "<time>"),
        (["readyz", "--timeout", "soon"], 64, "invalid --timeout 'soon': expected a duration"),
        (["pushes", "lst"], 64, "did you mean 'mock-apns pushes list'?"), (["pushes", "clear"], 64, "missing filter"),
        (["pushes", "clear", "--all", "-q", "x"], 64, "cannot be combined"),
        (["pushes", "--ndjson", "--table"], 64, "cannot be combined"),
        (["pushes", "--order", "up"], 64, "expected asc or desc"),
        (["wait", "--timeout", "soon"], 64, "invalid --timeout 'soon': expected a duration"),
        (["wait", "--api", "127.0.0.1:1"], 69, "cannot connect to"), (["verify"], 64, "missing expectation"),
        (["verify", "-f", "x", "--topic", "a"], 64, "--file cannot be combined with conditions"),
        (["verify", "-f", "missing.json"], 66, "invalid --file 'missing.json': file not found"),
        (["verify", "--count", "1", "--never"], 64, "cannot be combined"),
        (["verify", "--within", "soon", "--topic", "a"], 64, "invalid --within 'soon': expected a duration"),
        (["verify", "--sequence"], 64, "--sequence needs -f steps.json"),
        (["verify", "--sequence", "-f", "x", "--count", "1"], 64, "--sequence can be combined with --after"),
        (["verify", "--none-unverified", "-f", "x"], 64, "--none-unverified can be combined with --after"),
        (["verify", "--none-unverified", "--sequence"], 64, "cannot be combined"),
        (["verify", "--strict", "--topic", "a"], 64, "--strict needs --sequence"),
        (["verify", "--topic", "a", "--api", "127.0.0.1:1"], 69, "cannot connect to"),
        (["explain", "1"], 64, "expected either -f"),
        (["explain", "1", "-f", "x", "--topic", "a"], 64, "expected either -f"),
    ]) func `a failed start is reported with its exit code`(
        _ arguments: [String], _ status: Int32, _ words: String
    ) throws {
        let outcome = try run(arguments)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(outcome.output == "")
    }

    @Test func `a malformed key is an error at the start`() throws {
        let key = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).p8")
        try Data("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8).write(to: key)
        defer { try? FileManager.default.removeItem(at: key) }
        let outcome = try run(["--key", "\(key.path),ABC123DEFG,TEAM123456"])
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains(key.path))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }

    @Test func `prints tokens, keys and certificates`() throws {
        let made = try run(["keys", "generate", "--topic", "com.a", "--topic", "com.b", "--key-id", "KEYKEYKEY1"])
        #expect(made.output == "AuthKey_KEYKEYKEY1.p8,KEYKEYKEY1,MOCKTEAM01,com.a+com.b\n")
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("mock-apns-\(UUID().uuidString)")
            .path
        let certificates = try run(["certs", "--certs-dir", directory])
        #expect(certificates.status == 0)
        #expect(certificates.output.contains("names            localhost"))
        // Printing the CA certificate creates nothing, whatever names are given.
        let authority = try run(["certs", "ca", "--certs-dir", directory, "--tls-san", "other.test"])
        #expect(authority.output == (try String(contentsOfFile: directory + "/ca.pem", encoding: .utf8)))
        try FileManager.default.removeItem(atPath: directory)
        #expect(try run(["version"]).output == "\(Version.text)\n")
        #expect(try run(["version", "--json"]).output == "{\"version\":\"\(Version.text)\"}\n")
        #expect(try run(["--version"]).output == "\(Version.text)\n")
    }

    @Test func `the reference is that of the documents`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../docs/reference.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        expectNoDifference(
            try run(["reference"]).output, text, "docs/reference.md; if this is intended, run make reference")
        let api = file.deletingLastPathComponent().appendingPathComponent("api.md")
        let tables = try run(["reference", "--update", api.path]).output
        expectNoDifference(
            tables, try String(contentsOf: api, encoding: .utf8), "docs/api.md; if this is intended, run make reference"
        )
    }

    @Test func `a handshake does not delay the stop`() throws {
        let server = try Program(Self.anyPorts)
        let line = server.line()
        let port = try #require(line.firstMatch(of: #/apns=https://127\.0\.0\.1:(\d+)/#)?.1)
        let client = try RunningProgram(["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/\(port); read -r -u 3 line"])
        server.signal(SIGINT)
        let outcome = server.finish()
        client.signal(SIGTERM)
        client.wait()
        #expect(outcome.status == 0)
    }

    @Test func `a second signal stops at once`() throws {
        let server = try Program(["--apns-listen", "h2c://127.0.0.1:0", "--api-listen", "127.0.0.1:0"])
        let line = server.line()
        let port = try #require(line.firstMatch(of: #/apns=http://127\.0\.0\.1:(\d+)/#)?.1)
        // The stop waits for a client that has received data and does not close its side.
        let client = try RunningProgram([
            "bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/\(port); head -c 9 <&3 >&2; echo open; read -r line",
        ])
        #expect(client.outputLine() == "open")
        for signal in [SIGINT, SIGTERM] { server.signal(signal) }
        let outcome = server.finish()
        _ = client.finish()
        // The process may receive the two signals in either order.
        #expect([128 + SIGINT, 128 + SIGTERM].contains(outcome.status), "\(outcome)")
    }

    @Test func `help has every option`() throws {
        let help = try run(["serve", "--help"]).output
        for name in ServeOptions.names { #expect(help.contains("--\(name)")) }
        let root = try run(["--help"])
        #expect(root.status == 0)
        for command in [
            "serve", "devices", "feedback", "clock", "reset", "check", "token", "keys", "certs", "readyz", "reference",
            "exec", "pushes", "wait", "verify", "explain", "tail", "version",
        ] { #expect(root.output.contains("  \(command)")) }
    }
}

/// The log of connections that ended badly.
@Suite struct ProblemLogTests {
    @Test func `a flood of lines is cut and counted`() {
        var log = ProblemLog()
        let lines = (0..<25).flatMap { log.lines(for: "line \($0)", at: 1) }
        #expect(lines.count == 10)
        #expect(log.lines(for: "later", at: 2) == ["15 more connections ended badly", "later"])
    }
}
