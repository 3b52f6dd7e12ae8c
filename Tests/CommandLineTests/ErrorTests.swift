import TestSupport
import Testing

@testable import mock_apns

/// The form of errors: `mock-apns: <what>: <seen>; <how to go on>`.
@Suite struct ErrorTests {
    /// Arguments that need no server; separated by spaces.
    private static let cases = [
        "serv", "pushes lst", "feedback quite-another", "--no-such-flag", "--api-lsten x", "pushes list --limit x",
        "pushes list --limit", "pushes list --order up", "pushes list --table --json", "pushes --ndjson --table",
        "pushes list --table=x", "pushes list a", "pushes list a b", "pushes clear", "pushes -x", "devices show",
        "devices list --state on", "devices add", "devices add --labl x", "devices add --label x --token abc",
        "devices app alice", "clock set", "token", "token --key nope.p8", "token --key nope.p8,ABC123DEFG,TEAM123456",
        "token --issued-at soon", "--key nope.p8", "--tls-cert a.pem --tls-key b.pem", "--devices nope.json",
        "--apns-listen 127.0.0.1:x", "--fault slow", "--fault unregistered:tims=1", "--threads 0", "--clock noon",
        "check", "check nope.json", "check --header a nope.json", "verify", "verify -f nope.json",
        "verify --topic a --json --table", "verify --within soon --topic a", "wait --timeout soon",
        "wait --json --table", "wait --api 127.0.0.1:1", "explain 1", "send --file nope.json",
        "send --text a --title b", "faults add", "faults add --respond x", "faults preset nope", "reset --only ,",
        "settings set a", "preview 1 --crop device", "certs ca", "keys generate --team x", "exec", "exec -- ./nope",
        "intercept", "intercept --api 127.0.0.1:1 -- true", "data info nope", "readyz --api nowhere", "keys add x",
        "keys add /etc/hosts,ABC123DEFG,TEAM123456", "keys generate -o nope/a.p8", "check /", "certs issue",
        "faults preset slow-1s:tims=1", "faults preset slow-1s:token=x", "faults add --lose --token x",
        "devices add --state on", "send --token x", "exec --auth x -- true", "--behavior x", "--behavior goaway",
        "drift", "drift --upstream example.com --key nope.p8,ABC123DEFG,TEAM123456 --topic a",
        "drift --apply nope.json", "drift --upstream sandbox --key nope.p8,ABC123DEFG,TEAM123456 --topic a",
        "drift --apply /etc/hosts",
    ]

    @Test func `every error has the form 'what: seen; how to fix it'`() throws {
        var all = ""
        for line in Self.cases {
            let outcome = try Program.run(line.split(separator: " ").map(String.init))
            let errors = outcome.errors
            #expect(errors.hasPrefix("mock-apns: ") && errors.hasSuffix("\n"), "\(line): \(errors)")
            #expect(outcome.status != 0 && outcome.output == "", "\(line): \(outcome)")
            // No form of ArgumentParser, no names or numbers of the implementation.
            for foreign in ["Error:", "Usage:", "error:", "errno", "(descriptor", "Optional(", "MockAPNs"] {
                #expect(!errors.contains(foreign), "\(line): \(errors)")
            }
            all += "$ mock-apns \(line)\n\(errors)exit code \(outcome.status)\n\n"
        }
        try GoldenFile("errors.txt").expect(all)
    }

    @Test func `an error is wrapped and red on a terminal`() {
        let narrow = Terminal(width: 40, hasStyle: true)
        let lines = ["a text that is longer than one line of the terminal", "  more"]
        #expect(
            Console.message(lines, from: "mock-apns", .bad, on: narrow) == """
                \u{1b}[31mmock-apns:\u{1b}[0m a text that is longer than
                  one line of the terminal
                  more
                """)
        #expect(Console.message(lines, from: "a", .bad, on: .plain) == "a: \(lines[0])\n  more")
    }

    @Test func `an error does not print control characters of arguments`() throws {
        let outcome = try Program.run(["pushes", "a\u{1b}[31m"])
        #expect(outcome.errors.contains("a\u{fffd}[31m"))
        #expect(!(try Program.run(["version", "--a\u{1b}[31m"]).errors.contains("\u{1b}")))
    }
}
