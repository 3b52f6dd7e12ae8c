import MockAPNsFormats
import Testing

@testable import mock_apns

/// Where options get their values from.
@Suite struct SettingsTests {
    private func settings(_ environment: [String: String] = [:]) -> Settings {
        Settings(environment: environment)
    }

    @Test func flagBeatsEnvironmentBeatsDefault() throws {
        var settings = settings(["MOCK_APNS_AUTH": "wellformed", "MOCK_APNS_EMPTY": ""])
        #expect(try settings.value("auth", flag: "any", default: "verify") { $0 } == "any")
        #expect(try settings.value("auth", flag: nil, default: "verify") { $0 } == "wellformed")
        #expect(try settings.value("other", flag: nil, default: "verify") { $0 } == "verify")
        #expect(try settings.value("empty", flag: nil, default: "verify") { $0 } == "verify")
        #expect(settings.entries.map(\.source) == [.flag, .environment, .standard, .standard])
        #expect(settings.entries.map(\.value) == ["any", "wellformed", "verify", "verify"])
    }

    @Test func listsComeFromFlagsOrFromOneVariable() throws {
        var settings = settings(["MOCK_APNS_TLS_SAN": "a.test  b.test"])
        #expect(try settings.list("tls-san", flags: ["c.test"]) { $0 } == ["c.test"])
        #expect(try settings.list("tls-san", flags: []) { $0 } == ["a.test", "b.test"])
        #expect(try settings.list("key", flags: [], default: ["k"]) { $0 } == ["k"])
    }

    @Test func switchesTakeTrueAndFalse() throws {
        var settings = settings(["MOCK_APNS_STRICT": "true", "MOCK_APNS_QUIET": "yes"])
        #expect(try settings.flag("strict", false))
        #expect(throws: CommandFailure.self) { try settings.flag("quiet", false) }
        #expect(try settings.flag("quiet", true))
    }

    @Test func failureNamesTheSourceTheValueAndWhatIsExpected() {
        var settings = settings(["MOCK_APNS_THREADS": "many"])
        let expected = CommandFailure(.badConfiguration, "MOCK_APNS_THREADS: 'many' should be a number")
        #expect(throws: expected) {
            try settings.value("threads", flag: nil, default: "1") { _ in throw Settings.Expected("a number")
            }
        }
        #expect(throws: CommandFailure(.badConfiguration, "--threads: 'x' should be a number")) {
            try settings.value("threads", flag: "x", default: "1") { _ in throw Settings.Expected("a number")
            }
        }
    }

    @Test func unknownVariableIsRefusedWithASuggestion() {
        let known = ServeOptions.names
        let misspelt = settings(["MOCK_APNS_APNS_LISTN": "x"])
        #expect(
            throws: CommandFailure(
                .badConfiguration,
                "there is no option for the variable MOCK_APNS_APNS_LISTN; did you mean MOCK_APNS_APNS_LISTEN?"
            )
        ) { try misspelt.refuseUnknownVariables(known: known) }
        #expect(throws: CommandFailure.self) {
            try settings(["MOCK_APNS_ZZZZZZZZZZZZ": ""]).refuseUnknownVariables(known: known)
        }
    }

    @Test(arguments: [
        "MOCK_APNS_PORT", "MOCK_APNS_PORT_8197_TCP", "MOCK_APNS_PORT_8197_TCP_ADDR", "MOCK_APNS_SERVICE_HOST",
        "MOCK_APNS_SERVICE_PORT", "MOCK_APNS_API", "PATH", "MOCKAPNS", "MOCK_APNS_API_LISTEN",
    ])
    func variablesOfOthersAreLeftAlone(_ name: String) throws {
        try settings([name: "x"]).refuseUnknownVariables(known: ServeOptions.names + APIOptions.names)
    }

    @Test(arguments: [
        ("500ms", 500), ("5s", 5_000), ("20m", 1_200_000), ("1h", 3_600_000), ("30d", 2_592_000_000),
        ("0", 0),
        ("0s", 0),
    ])
    func durations(_ text: String, _ milliseconds: Int64) throws {
        #expect(try DurationText.milliseconds(text) == milliseconds)
    }

    @Test(arguments: ["", "5", "s", "-1s", "1.5s", "5 s", "5w", "99999999999999999999s", "1000000000d"])
    func noDurations(_ text: String) {
        #expect(throws: Settings.Expected.self) { try DurationText.milliseconds(text) }
    }

    @Test func everyOptionHasAName() {
        let flags = Mirror(reflecting: ServeOptions()).children.compactMap(\.label).map { label in
            label.drop { $0 == "_" }.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
        }
        #expect(Set(flags) == Set(ServeOptions.names))
    }
}
