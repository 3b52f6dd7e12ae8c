import Foundation
import MockAPNs
import MockAPNsRules
import Testing

@testable import mock_apns

/// The options of `serve`, read from flags.
@Suite struct ServeSettingsTests {
    private func settings(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ServeSettings {
        let command = try MockAPNsCommand.parseAsRoot(["serve"] + arguments)
        guard let serve = command as? ServeCommand else { throw CommandFailure(.internalError, "not serve") }
        return try ServeSettings(serve.options, environment: environment, processors: 8, openFiles: 20_000)
    }

    @Test(arguments: [
        (["--api-listen", "0.0.0.0:8197"], true), (["--api-listen", "[::]:8197"], true),
        (["--api-listen", "192.0.2.7:8197"], true), (["--api-listen", "apns.test:8197"], true),
        (["--api-listen", "0.0.0.0:8197", "--api-token", "secret"], false), ([], false),
        (["--api-listen", "127.0.0.2:8197"], false), (["--api-listen", "[::1]:8197"], false),
        (["--api-listen", "localhost:8197"], false),
    ]) func `warns of an API that others reach without a token`(arguments: [String], isRisky: Bool) throws {
        #expect(try (settings(arguments).apiWarning != nil) == isRisky)
    }

    @Test func `a build without a kind of store names the trait that it lacks`() throws {
        let kind = StoreKind(places: "directories", trait: "SQLite", opener: nil)
        let error = #expect(throws: OptionReader.Invalid.self) { try kind.included() }
        let expected = "this build cannot use directories; use one with the package trait SQLite"
        #expect(error?.description == expected)
        _ = try StoreKind.opener(of: "directory")
        _ = try StoreKind.opener(of: "postgresql://localhost/database")
    }

    @Test func `the binary interface has options of its own`() throws {
        let settings = try settings(
            ["--gateway-listen", "127.0.0.1:2195", "--gateway-listen", "127.0.0.1:0?environment=production"],
            ["MOCK_APNS_FEEDBACK_LISTEN": "127.0.0.1:2196"])
        let listeners = settings.configuration.binaryListeners
        #expect(listeners.map(\.interface) == [.gateway, .gateway, .feedback])
        #expect(listeners.map(\.environment) == [.sandbox, .production, .sandbox])
        #expect(settings.option(forPort: 2_196) == "--feedback-listen")
        #expect(settings.option(forPort: 2_197) == "--apns-listen")
        let notice = ReadyNotice(
            apnsURLs: ["https://127.0.0.1:2197"], binaryListeners: listeners, apiURL: "-", authorityPath: nil,
            developmentKey: nil)
        #expect(notice.line.hasSuffix(" gateway=127.0.0.1:2195,127.0.0.1:0 feedback=127.0.0.1:2196"))
    }

    static let detections: [(String, ClosedRange<Int64>, Int)] = [
        ("fuzzy", 3_600_000_000...2_592_000_000_000, 0), ("fuzzy=2m..1h", 120_000_000...3_600_000_000, 0),
        ("fuzzy=0s..1d,seed=7", 0...86_400_000_000, 7), ("fuzzy,seed=9", 3_600_000_000...2_592_000_000_000, 9),
    ]

    @Test(arguments: detections) func `a fuzzy detection has a range and a seed`(
        text: String, delay: ClosedRange<Int64>, seed: Int
    ) throws {
        let options = try settings(["--uninstall-detection", text]).configuration.deviceOptions
        #expect(options.uninstallDetection == .fuzzy)
        #expect(options.uninstallDelay == delay && options.uninstallSeed == seed)
    }

    @Test func `tests may name the program in a variable`() {
        let variables = ["MOCK_APNS_BIN": "mock-apns", "MOCK_APNS_ATTACHMENTS": "pushes"]
        #expect(throws: Never.self) { try settings([], variables) }
    }

    @Test func `settings without options have the documented defaults`() throws {
        #expect(try settings([]).configuration.binaryListeners.isEmpty)
        let settings = try settings([])
        #expect(settings.configuration.listeners.map(\.description) == ["127.0.0.1:2197"])
        #expect(settings.apiListen.description == "127.0.0.1:8197")
        #expect(settings.certificates.path == "certs")
        #expect(settings.configuration.threads == 4)
        #expect(settings.configuration.rules.authentication == .verify)
        #expect(settings.configuration.rules.unknownTokens == .accept)
        #expect(settings.configuration.rules.tokenUpdateInterval == 1_200_000_000)
        #expect(settings.configuration.rules.deviceRate == nil)
        #expect(settings.configuration.devices.isEmpty)
        #expect(settings.configuration.deviceOptions.uninstallDetection == .immediate)
        #expect(settings.configuration.deviceOptions.inactiveAfter == 30 * 86_400 * 1_000_000)
        #expect(settings.configuration.clock == nil)
        #expect(settings.configuration.journal.records == 10_000)
        #expect(settings.configuration.journal.bytes == 67_108_864)
        #expect(settings.configuration.maxConnections == 15_000)
        #expect(settings.showsPage && settings.facts.label == nil)
        #expect(settings.facts.settings.allSatisfy { $0.source == "default" })
    }

    @Test func `every flag takes effect`() throws {
        let descriptor = dup(2)
        defer { close(descriptor) }
        let settings = try settings([
            "--apns-listen", "127.0.0.1:0", "--apns-listen", "h2c://[::1]:99?environment=production", "--api-listen",
            "0.0.0.0:1", "--certs-dir", "/tmp/c/", "--tls-san", "a.test", "--auth", "any", "--threads", "3",
            "--max-pushes", "7", "--max-bytes", "65536", "--max-connections", "300", "--manage-listen",
            "127.0.0.1:2196", "--manage-listen", "127.0.0.1:2195", "--manage-listen",
            "127.0.0.1:2196?environment=sandbox", "--channel-limit", "3", "--no-broadcast-topic", "com.a", "--seed",
            "42", "--channel-rate", "1/1s", "--device-rate", "10/2s", "--token-update-interval", "0", "--streams", "50",
            "--streams-before-auth", "5", "--idle-timeout", "1h", "--behavior", "goaway=double", "--behavior",
            "future-token=invalid", "--check-order", "provider-token-present,path", "--ready-file", "r.json",
            "--ready-fd", "\(descriptor)", "--allowed-host", "h.test", "--ca-out", "o.pem", "--error-limit", "9",
            "--quiet", "--uninstall-detection", "delayed", "--inactive-after", "2h", "--clock",
            "2030-01-01T01:00:00.5+01:00", "--no-ui", "--label", "checkout 🛒", "--activity-tokens", "rotate=0.25",
        ])
        #expect(
            settings.configuration.listeners.map(\.description) == [
                "127.0.0.1:0", "h2c://[::1]:99?environment=production",
            ])
        #expect(settings.apiListen.description == "0.0.0.0:1")
        #expect(settings.certificates.path == "/tmp/c")
        #expect(settings.additionalNames == ["a.test"])
        #expect(settings.configuration.rules.authentication == .any)
        #expect(settings.configuration.threads == 3)
        #expect(settings.configuration.journal.records == 7)
        #expect(settings.configuration.journal.bytes == 65_536)
        #expect(settings.configuration.maxConnections == 300)
        #expect(settings.configuration.seed == 42)
        #expect(settings.configuration.channelListeners.map(\.environment) == [.production, .sandbox, .sandbox])
        #expect(settings.configuration.channelOptions.limit == 3)
        #expect(settings.configuration.channelOptions.appsWithoutBroadcast == ["com.a"])
        #expect(settings.configuration.rules.deviceRate == RuleOptions.Rate(count: 10, interval: 2_000_000))
        #expect(settings.configuration.rules.channelRate == RuleOptions.Rate(count: 1, interval: 1_000_000))
        #expect(settings.configuration.rules.tokenUpdateInterval == 0)
        #expect(settings.configuration.rules.errorLimit == 9)
        #expect(settings.configuration.transport.maxConcurrentStreams == 50)
        #expect(settings.configuration.transport.streamsBeforeAuthentication == 5)
        #expect(settings.configuration.transport.idleTimeout == .hours(1))
        #expect(settings.configuration.transport.repeatsGoAway)
        #expect(settings.configuration.rules.futureTokenReason == .invalidProviderToken)
        #expect(settings.configuration.pipeline.checks[3].id == "provider-token-present")
        #expect(settings.readyFile == "r.json")
        #expect(settings.readyDescriptor == descriptor)
        #expect(settings.allowedHosts == ["h.test"])
        #expect(settings.authorityOut == "o.pem")
        #expect(settings.isQuiet)
        #expect(!settings.showsPage)
        #expect(settings.facts.label == "checkout 🛒")
        #expect(settings.configuration.deviceOptions.uninstallDetection == .delayed)
        #expect(settings.configuration.deviceOptions.inactiveAfter == 7_200_000_000)
        #expect(settings.configuration.deviceOptions.activityTokenRotation == 0.25)
        #expect(settings.configuration.clock == Timestamp(microseconds: 1_893_456_000_500_000))
        #expect(
            settings.facts.settings.contains { $0.name == "inactive-after" && $0.value == "2h" && $0.source == "flag" })
    }

    @Test func `--strict changes every default that is not given`() throws {
        let strict = try settings(["--strict"]).configuration.rules
        #expect(strict.unknownTokens == .reject)
        #expect(strict.refusesInvalidJSON && strict.requiresLowerCaseID)
        #expect(try settings(["--strict", "--unknown-tokens", "accept"]).configuration.rules.unknownTokens == .accept)
        #expect(try settings([], ["MOCK_APNS_STRICT": "true"]).configuration.rules.unknownTokens == .reject)
    }

    @Test(arguments: [
        (["--apns-listen", "2197"], "no port in '2197'"),
        (["--apns-listen", "::1:2197"], "an IPv6 address without brackets"),
        (["--api-listen", "127.0.0.1:99999"], "bad port '99999'"),
        (["--auth", "off"], "invalid --auth 'off': expected verify, wellformed or any"),
        (["--threads", "0"], "invalid --threads '0': expected a whole number from 1 to 1024"),
        (["--max-bytes", "1"], "whole number from 65536"),
        (["--channel-rate", "1"], "a count and a duration, such as 10/1s"),
        (["--device-rate", "10"], "a count and a duration, such as 10/1s"),
        (["--idle-timeout", "soon"], "invalid --idle-timeout 'soon': expected a duration"),
        (["--behavior", "goaway"], "'goaway' is not of the form name=value; the values are single, double"),
        (["--behavior", "?"], "'?' is not of the form name=value; the names are background-priority, "),
        (["--behavior", "goaway=triple"], "invalid value 'triple' of goaway: expected single or double"),
        (["--check-order", "pth"], "unknown check 'pth'; did you mean path?"),
        (["--check-order", "path,path"], "'path' is repeated"),
        (["--tls-cert", "a.pem"], "--tls-cert and --tls-key must be used together"),
        (["--tls-ca", "a.pem"], "--tls-ca needs --tls-cert and --tls-key"),
        (["--key", "/does/not/exist,ABC123DEFG,TEAM123456"], "invalid --key '/does/not/exist': file not found"),
        (["--key", "key.pem"], "invalid --key 'key.pem': file not found"),
        (["--ready-fd", "1"], "an open file descriptor above 2"),
        (["--behavior", "goway=double"], "; did you mean goaway=double?"),
        (["--behavior", "goway"], "'goway' is not of the form name=value; did you mean goaway?"),
        (
            ["--uninstall-detection", "late"],
            "invalid --uninstall-detection 'late': expected immediate, delayed or fuzzy"
        ), (["--uninstall-detection", "delayed=1h"], "expected immediate, delayed or fuzzy"),
        (["--uninstall-detection", "fuzzy=2d..1h"], "expected two durations after fuzzy=, the shorter one first"),
        (["--uninstall-detection", "fuzzy=1h"], "expected two durations after fuzzy="),
        (["--uninstall-detection", "fuzzy,seed=-1"], "expected seed= and a whole number from 0 to"),
        (
            ["--activity-tokens", "0.1"],
            "invalid --activity-tokens '0.1': expected rotate= and a probability from 0 to 1"
        ), (["--activity-tokens", "rotate=1.5"], "a probability from 0 to 1, such as rotate=0.1"),
        (["--activity-tokens", "rotate=nan"], "a probability from 0 to 1, such as rotate=0.1"),
        (["--inactive-after", "0"], "invalid --inactive-after '0': expected a duration such as"),
        (["--clock", "2030-02-30T00:00:00Z"], "invalid --clock '2030-02-30T00:00:00Z': expected a time in RFC 3339"),
        (["--clock", "9999-12-31T23:59:59-23:00"], "from year 1 to 9999"),
        (["--clock", "0000-12-31T23:59:59Z"], "from year 1 to 9999"),
        (["--clock", "2030-01-01"], "such as 2030-01-01T00:00:00Z"),
        (["--fault", "slow"], "invalid --fault 'slow': preset 'slow' not found; did you mean slow-1s?"),
        (
            ["--fault", "slow-1s:dlay=1s"],
            "unknown parameter 'dlay'; slow-1s takes delay, jitter, skip, times, probability, topic, token; did you mean delay?"
        ), (["--label", "a\u{1b}[2J"], "up to 64 characters without control characters"),
        (["--label", String(repeating: "é", count: 65)], "expected up to 64 characters"),
        (["--devices", "/does/not/exist.json"], "invalid --devices '/does/not/exist.json': file not found"),
    ]) func `reports invalid values`(_ arguments: [String], _ message: String) {
        let failure = #expect(throws: CommandFailure.self) { try settings(arguments) }
        #expect(failure?.status == .badConfiguration)
        #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "no failure")")
    }

    @Test(arguments: [
        ("CHECK_ORDER", "path,path", "'path' is repeated"), ("CHECK_ORDER", "pth", "unknown check 'pth'"),
        ("BEHAVIOR", "goaway=triple", "invalid value 'triple'"), ("THREADS", "0", "expected a whole number"),
    ]) func `a failure names the variable`(_ name: String, _ value: String, _ message: String) {
        let variable = "MOCK_APNS_\(name)"
        let failure = #expect(throws: CommandFailure.self) { try settings([], [variable: value]) }
        let text = failure?.message ?? ""
        #expect(text.hasPrefix("invalid \(variable) '\(value)': \(message)"), "\(text)")
    }

    @Test(arguments: ServeOptions.names) func `every option is read`(_ name: String) {
        let variable = OptionReader.variable(for: name)
        do {
            let entries = try settings([], [variable: "x"]).facts.settings
            #expect(entries.contains { $0.name == name && $0.source == "env" })
        } catch {
            let message = (error as? CommandFailure)?.message ?? ""
            #expect(message.contains(variable) || message.contains("--\(name)"), "\(message)")
        }
    }

    @Test func `the help has the defaults of serve and of exec`() {
        for help in [ServeCommand.helpMessage(columns: 1_000), ExecCommand.helpMessage(columns: 1_000)] {
            for standard in ["127.0.0.1:2197; with exec, a", "127.0.0.1:8197; with exec, a", "certs; with exec, a"] {
                #expect(help.contains("(default: \(standard)"))
            }
        }
    }

    @Test func `accepts variables of the client commands`() throws {
        #expect(
            try settings([], ["MOCK_APNS_API": "http://127.0.0.1:1"]).facts.settings.allSatisfy { $0.name != "api" })
    }

    @Test func `a right name of a behavior gets no suggestion`() {
        let failure = #expect(throws: CommandFailure.self) { try settings(["--behavior", "goaway=triple"]) }
        #expect(failure?.message.contains("did you mean") == false)
    }
}

/// The value of `--key`.
@Suite struct KeyArgumentTests {
    @Test(arguments: [
        ("AuthKey_ABC123DEFG.p8", ProviderKey(keyID: "ABC123DEFG", teamID: "MOCKTEAM01")),
        ("d/AuthKey_ABC123DEFG.p8,,TEAM123456", ProviderKey(keyID: "ABC123DEFG", teamID: "TEAM123456")),
        ("k.pem,KEY1234567,TEAM123456", ProviderKey(keyID: "KEY1234567", teamID: "TEAM123456")),
        (
            "k.pem,KEY1234567,TEAM123456,com.a+com.b",
            ProviderKey(keyID: "KEY1234567", teamID: "TEAM123456", topics: ["com.a", "com.b"])
        ),
        (
            "k.pem,KEY1234567,TEAM123456,production",
            ProviderKey(keyID: "KEY1234567", teamID: "TEAM123456", environment: .production)
        ),
        (
            "k.pem,KEY1234567,TEAM123456,com.a,sandbox",
            ProviderKey(keyID: "KEY1234567", teamID: "TEAM123456", topics: ["com.a"], environment: .sandbox)
        ),
    ]) func `reads keys`(_ text: String, _ key: ProviderKey) throws {
        #expect(try KeyArgument(parsing: text).key == key)
    }

    @Test(arguments: [
        "", "k.pem", "AuthKey_SHORT.p8", "k.pem,key1234567,TEAM123456", "k.pem,KEY1234567,TEAM",
        "k.pem,KEY1234567,T,x,y,z", "k.pem,KEY1234567,TEAM123456,com.a,com.b", "k.pem,KEY1234567,TEAM123456,",
    ]) func `refuses invalid keys`(_ text: String) {
        #expect(throws: OptionReader.Invalid.self) { try KeyArgument(form: text) }
    }

    @Test func `topics are limited`() {
        let topics = (0...400).map { "t\($0)" }.joined(separator: "+")
        #expect(throws: OptionReader.Invalid.self) { try KeyArgument(form: "k.pem,KEY1234567,TEAM123456,\(topics)") }
    }
}
