import Foundation
import MockAPNs
import Testing

@testable import mock_apns

/// `exec`: a command with its own server.
@Suite struct ExecTests {
    private func shell(_ script: String, _ more: [String] = []) throws -> Program {
        try Program(["exec"] + more + ["--", "sh", "-c", script])
    }

    @Test func `the command finds the server and keeps its streams`() throws {
        let program = try shell(
            """
            for name in HOST APNS_PORT URL CA_FILE KEY_FILE KEY_ID TEAM_ID API_URL API CERTS_DIR; do
              eval "echo $name \\$MOCK_APNS_$name"
            done
            stat -c 'mode %a' "$MOCK_APNS_CERTS_DIR" "$MOCK_APNS_KEY_FILE"
            head -1 "$MOCK_APNS_CA_FILE"
            read -r line; echo "read $line"; echo problem >&2
            """)
        program.write("hello\n")
        let outcome = program.finish()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "problem\n")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let values = Dictionary(
            lines.compactMap { line -> (String, String)? in
                let words = line.split(separator: " ", maxSplits: 1).map(String.init)
                return words.count == 2 ? (words[0], words[1]) : nil
            }
        ) { first, _ in first }
        let port = try #require(values["APNS_PORT"])
        #expect(values["HOST"] == "127.0.0.1")
        #expect(values["URL"] == "https://127.0.0.1:\(port)" && Int(port) != 2_197)
        #expect(values["API_URL"]?.hasPrefix("http://127.0.0.1:") == true)
        #expect(values["API"] == values["API_URL"])
        let directory = try #require(values["CERTS_DIR"])
        let keyID = try #require(values["KEY_ID"])
        #expect(values["CA_FILE"] == "\(directory)/ca.pem")
        #expect(values["KEY_FILE"] == "\(directory)/AuthKey_\(keyID).p8")
        #expect(values["TEAM_ID"] == "MOCKTEAM01")
        #expect(lines.filter { $0.hasPrefix("mode") } == ["mode 700", "mode 600"])
        #expect(lines.contains("-----BEGIN CERTIFICATE-----") && lines.contains("read hello"))
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test(arguments: [
        ("exit 0", 0), ("exit 3", 3), ("exit 255", 255), ("kill -KILL $$", 137), ("kill -TERM $$", 143),
        ("kill -INT $$", 130),
    ]) func `the exit code is that of the command`(_ script: String, _ code: Int32) throws {
        let outcome = try shell(script).finish()
        #expect(outcome.status == code)
        #expect(outcome.output == "")
        #expect(outcome.errors.isEmpty == (code == 0))
    }

    @Test(arguments: [
        (["no-such-command-here"], 127, "cannot run 'no-such-command-here': no such file or directory"),
        (["/"], 126, "cannot run '/': permission denied"),
        ([], 64, "missing command: expected one after --, such as mock-apns exec -- npm test"),
    ]) func `reports a command that cannot be run`(_ command: [String], _ code: Int32, _ words: String) throws {
        let outcome = try Program.run(["exec", "--"] + command)
        #expect(outcome.status == code)
        #expect(outcome.errors == "mock-apns: \(words)\n")
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT]) func `the command gets the signals`(_ signal: Int32) throws {
        let program = try Program([
            "exec", "--", "python3", "-c",
            // The signal is blocked and awaited: a shell's trap can miss one that arrives between two commands.
            """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_BLOCK, [\(signal)])
            print("ready", os.environ["MOCK_APNS_CERTS_DIR"], flush=True)
            signal.sigwait([\(signal)])
            print("stopping", flush=True)
            sys.exit(42)
            """,
        ])
        let ready = program.line()
        #expect(ready.hasPrefix("ready /"))
        program.signal(signal)
        let outcome = program.finish()
        #expect(outcome.status == 42)
        #expect(outcome.output == "stopping\n")
        #expect(!FileManager.default.fileExists(atPath: String(ready.dropFirst(6))))
    }

    @Test func `the command inherits nothing of the server`() throws {
        let script = "ls /proc/self/fd | wc -l; grep -E 'SigIgn|SigBlk' /proc/self/status; ps -o pgid= -p $PPID,$$"
        // Without the open files of this process, which vary.
        let clean = """
            for file in /proc/$$/fd/*; do
                file=${file##*/}
                if [ "$file" -gt 2 ]; then eval "exec $file>&-"; fi
            done
            exec "$@"
            """
        let start = { (command: [String]) in
            try Program(command: ["bash", "-c", clean, "bash"] + command + ["/bin/sh", "-c", script]).finish()
        }
        let plain = try start([])
        let lines = { (text: String) in text.split(separator: "\n").prefix(3).map(String.init) }
        let outcome = try start([Program.path, "exec", "--"])
        #expect(lines(outcome.output) == lines(plain.output), "\(outcome.output)")
        let groups = outcome.output.split(separator: "\n").dropFirst(3)
        #expect(groups.count == 2 && Set(groups).count == 1, "\(outcome.output)")
    }

    @Test func `commands of this program work in it`() throws {
        let program = Program.path
        let outcome = try shell(
            """
            set -e
            '\(program)' readyz
            '\(program)' token | cut -c1-3
            '\(program)' pushes count --table
            '\(program)' exec -- sh -c 'test "$MOCK_APNS_API_URL" != '"$MOCK_APNS_API_URL"
            '\(program)' verify --topic a > /dev/null || echo "left with $?"
            """
        ).finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "ready\neyJ\n0\nleft with 1\n")
    }

    @Test func `a failure is reported with what the server received`() throws {
        let outcome = try shell(
            """
            push() { curl -s --cacert "$MOCK_APNS_CA_FILE" -o /dev/null -d '{}' "$@"; }
            token="authorization: bearer $('\(Program.path)' token)"
            push "$MOCK_APNS_URL/3/device/abcd" -H "$token" -H 'apns-topic: com.example.app'
            push "$MOCK_APNS_URL/3/device/abcd" -H "$token"
            push "$MOCK_APNS_URL/3/device/abcd" -H "$token"
            curl -s -o /dev/null "$MOCK_APNS_URL/"
            exit 9
            """, ["--no-trust"]
        ).finish()
        #expect(outcome.status == 9)
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        #expect(lines.first == "mock-apns: the command ended with exit code 9; the server received:")
        #expect(lines.dropFirst().first == "  3 pushes, 2 rejected; 4 connections, 1 failed")
        #expect(lines.count { $0.contains("400 MissingTopic  no topic  abcd") } == 2)
        #expect(lines.count { $0.contains("The request has no apns-topic") } == 1)
        #expect(lines.contains { $0.contains("does not trust the certificate authority: give it ca.pem") })
        let quiet = try shell("exit 9", ["--quiet"]).finish()
        #expect(quiet.status == 9 && quiet.errors == "")
        let nobody = try shell("exit 9").finish()
        #expect(nobody.errors.contains("hint: no client connected; the command has to connect to MOCK_APNS_HOST and"))
    }

    @Test func `a failure is reported with every namespace`() throws {
        let outcome = try shell(
            """
            set -e
            '\(Program.path)' ns create a > a.json
            push() { curl -s --cacert "$MOCK_APNS_CA_FILE" -o /dev/null -d '{}' -H "$token" "$@"; }
            token="authorization: bearer $('\(Program.path)' token)"
            url=$(sed -E 's/.*"apns":"([^"]*)".*/\\1/' a.json)
            push "$url/3/device/abcd" -H 'apns-topic: com.example.app'
            push "$url/3/device/abcd"
            push "$MOCK_APNS_URL/3/device/ef01" -H 'apns-topic: com.example.app' -H 'apns-priority: 7'
            exit 9
            """
        ).finish()
        #expect(outcome.status == 9, "\(outcome.errors)")
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        #expect(lines.dropFirst().first == "  3 pushes, 2 rejected; 3 connections, 0 failed", "\(lines)")
        let refused = lines.filter { $0.contains("400 ") }
        #expect(refused.count == 2)
        #expect(refused.first?.hasPrefix("  a #") == true)
        #expect(refused.first?.contains("400 MissingTopic  no topic  abcd") == true)
        #expect(refused.last?.contains("  #1  400 BadPriority  com.example.app") == true)
    }

    @Test func `a failure is reported with namespaces that were deleted`() throws {
        let outcome = try shell(
            """
            set -e
            cd "$MOCK_APNS_CERTS_DIR"
            '\(Program.path)' ns create a > a.json
            push() { curl -s --cacert "$MOCK_APNS_CA_FILE" -o /dev/null -d '{}' -H "$token" "$@"; }
            token="authorization: bearer $('\(Program.path)' token)"
            url=$(sed -E 's/.*"apns":"([^"]*)".*/\\1/' a.json)
            push "$url/3/device/abcd" -H 'apns-topic: com.example.app'
            push "$MOCK_APNS_URL/3/device/ef01" -H 'apns-topic: com.example.app'
            '\(Program.path)' keys generate --key-id UNKNOWNKEY --team MYTEAM1234 -o own.p8
            token="authorization: bearer $('\(Program.path)' token --key own.p8,UNKNOWNKEY,MYTEAM1234)"
            push "$url/3/device/abcd" -H 'apns-topic: com.example.app'
            '\(Program.path)' ns rm a
            echo removed >&2
            exit 9
            """
        ).finish()
        #expect(outcome.status == 9, "\(outcome.errors)")
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        // Once, and not only at the end.
        let advice = try #require(lines.firstIndex { $0.contains("the provider's key UNKNOWNKEY is unknown here") })
        #expect(lines[advice].contains("--key AuthKey_UNKNOWNKEY.p8,UNKNOWNKEY,MYTEAM1234"))
        #expect(lines.count { $0.contains("is unknown here") } == 1)
        #expect(advice < (lines.firstIndex(of: "removed") ?? 0), "\(lines)")
        #expect(lines.contains("  3 pushes, 1 rejected; 3 connections, 0 failed"), "\(lines)")
        #expect(lines.contains("  2 of them, 1 rejected, in namespaces that were deleted"), "\(lines)")
        #expect(!lines.contains { $0.contains("hint:") || $0.contains("more rejected") }, "\(lines)")
    }

    @Test func `takes the options of serve`() throws {
        let outcome = try shell(
            "echo $MOCK_APNS_URL; ls certificates; test -f ready.json",
            ["--apns-listen", "h2c://127.0.0.1:0", "--certs-dir", "certificates", "--ready-file", "ready.json"]
        ).finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("http://127.0.0.1:"))
        #expect(outcome.output.contains("ca.pem"))
        let wrong = try Program.run(["exec", "--auth", "maybe", "--", "true"])
        #expect(wrong.status == 78 && wrong.errors.contains("invalid --auth 'maybe'"))
    }

    @Test func `an address for all interfaces is passed on as a loopback address`() async throws {
        var configuration = Configuration()
        configuration.listeners = [
            try ListenAddress(parsing: "h2c://127.0.0.1:0"), try ListenAddress(parsing: "0.0.0.0:0"),
        ]
        try await withMockAPNs(configuration) { server in
            let notice = ReadyNotice(apnsURLs: [], apiURL: "http://0.0.0.0:1", authorityPath: nil, developmentKey: nil)
            let environment = ExecEnvironment(
                listeners: server.listeners, notice: notice, certificates: "c", apiToken: "t"
            ).added(to: ["A": "1", "MOCK_APNS_CA_FILE": "old"])
            let port = server.listeners[1].address.port
            #expect(environment["MOCK_APNS_URL"] == "https://127.0.0.1:\(port)")
            #expect(environment["MOCK_APNS_API_URL"] == "http://127.0.0.1:1")
            #expect(environment["MOCK_APNS_API_TOKEN"] == "t")
            #expect(environment["MOCK_APNS_CA_FILE"] == nil && environment["A"] == "1")
        }
    }

    @Test func `no variable has a name that Kubernetes sets`() {
        for name in ExecVariable.allCases.map(\.rawValue) {
            let rest = name.dropFirst("MOCK_APNS_".count)
            #expect(name.hasPrefix("MOCK_APNS_") && !rest.hasPrefix("PORT") && !rest.hasPrefix("SERVICE_"))
        }
        #expect(throws: Never.self) {
            let names = Dictionary(uniqueKeysWithValues: ExecVariable.allCases.map { ($0.rawValue, "x") })
            let others = ExecVariable.allCases.map(\.rawValue)
            try OptionReader(environment: names).refuseUnknownVariables(known: [], besides: others)
        }
    }

    @Test func `many failed connections are counted`() {
        var problems = ConnectionProblems()
        for number in 0..<25 { problems.note("line \(number)") }
        #expect(problems.lines.count == ConnectionProblems.mostKept && problems.count == 25)
    }
}
