import ArgumentParser
import MockAPNsFormats
import Testing

@testable import mock_apns

/// The sources of options.
@Suite struct OptionReaderTests {
    private func reader(_ environment: [String: String] = [:], flags: [String: [String]] = [:]) -> OptionReader {
        OptionReader(flags: flags, environment: environment)
    }

    @Test func `a flag precedes the environment and the default`() throws {
        let environment = ["MOCK_APNS_AUTH": "wellformed", "MOCK_APNS_MODE": "none", "MOCK_APNS_EMPTY": ""]
        var reader = reader(environment, flags: ["auth": ["any"]])
        #expect(try reader.value("auth", default: "verify") { $0 } == "any")
        #expect(try reader.value("mode", default: "verify") { $0 } == "none")
        #expect(try reader.value("other", default: "verify") { $0 } == "verify")
        #expect(try reader.value("empty", default: "verify") { $0 } == "verify")
        #expect(reader.settings.map(\.source) == ["flag", "env", "default", "default"])
        #expect(reader.settings.map(\.value) == ["any", "none", "verify", "verify"])
    }

    @Test func `lists come from flags or from one variable`() throws {
        let environment = ["MOCK_APNS_TLS_SAN": "a.test  b.test"]
        var given = reader(environment, flags: ["tls-san": ["c.test"]])
        #expect(try given.list("tls-san") { $0 } == ["c.test"])
        var reader = reader(environment)
        #expect(try reader.list("tls-san") { $0 } == ["a.test", "b.test"])
        #expect(try reader.list("key", default: ["k"]) { $0 } == ["k"])
    }

    @Test func `switches take true and false`() throws {
        let environment = ["MOCK_APNS_STRICT": "true", "MOCK_APNS_QUIET": "yes"]
        var reader = reader(environment)
        #expect(try reader.flag("strict"))
        #expect(throws: CommandFailure.self) { try reader.flag("quiet") }
        var given = self.reader(environment, flags: ["quiet": ["true"]])
        #expect(try given.flag("quiet"))
    }

    @Test func `a failure names the source, the value and what is expected`() {
        var reader = reader(["MOCK_APNS_THREADS": "many"])
        let expected = CommandFailure(.badConfiguration, "invalid MOCK_APNS_THREADS 'many': expected a number")
        #expect(throws: expected) {
            try reader.value("threads", default: "1") { _ in throw OptionReader.Invalid(expected: "a number") }
        }
        #expect(throws: CommandFailure(.badConfiguration, "invalid --threads 'x': expected a number")) {
            var given = self.reader(flags: ["threads": ["x"]])
            _ = try given.value("threads", default: "1") { _ in throw OptionReader.Invalid(expected: "a number") }
        }
    }

    @Test func `an unknown variable is refused with a suggestion`() {
        let known = ServeOptions.names
        let misspelt = reader(["MOCK_APNS_APNS_LISTN": "x"])
        #expect(
            throws: CommandFailure(
                .badConfiguration,
                "unknown environment variable MOCK_APNS_APNS_LISTN; did you mean MOCK_APNS_APNS_LISTEN?")
        ) { try misspelt.refuseUnknownVariables(known: known) }
        #expect(throws: CommandFailure.self) {
            try reader(["MOCK_APNS_ZZZZZZZZZZZZ": ""]).refuseUnknownVariables(known: known)
        }
    }

    @Test(arguments: [
        "MOCK_APNS_PORT", "MOCK_APNS_PORT_8197_TCP", "MOCK_APNS_PORT_8197_TCP_ADDR", "MOCK_APNS_SERVICE_HOST",
        "MOCK_APNS_SERVICE_PORT", "MOCK_APNS_API", "PATH", "MOCKAPNS", "MOCK_APNS_API_LISTEN",
    ]) func `accepts variables of other programs`(_ name: String) throws {
        try reader([name: "x"]).refuseUnknownVariables(known: ServeOptions.names + APIOptions.names)
    }

    @Test(arguments: [
        ("500ms", 500), ("5s", 5_000), ("20m", 1_200_000), ("1h", 3_600_000), ("30d", 2_592_000_000), ("0", 0),
        ("0s", 0),
    ]) func `reads durations`(_ text: String, _ milliseconds: Int64) throws {
        #expect(try DurationText.milliseconds(text) == milliseconds)
    }

    @Test(arguments: ["", "5", "s", "-1s", "1.5s", "5 s", "5w", "99999999999999999999s", "1000000000d"])
    func `refuses invalid durations`(_ text: String) {
        #expect(throws: OptionReader.Invalid.self) { try DurationText.milliseconds(text) }
    }

    @Test func `every option has a name`() {
        let lines = ServeOptions.helpMessage(columns: 1_000).split(separator: "\n").map { $0.drop { $0 == " " } }
        let flags = lines.filter { $0.hasPrefix("--") }.map { $0.dropFirst(2).prefix { $0 != " " } }
        #expect(Set(flags.map(String.init)) == Set(ServeOptions.names))
    }
}
