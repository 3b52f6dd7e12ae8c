import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsInspector

/// One reading of a payload: warnings, preview, reaction and inbox agree on each value.
@Suite struct PayloadAgreementTests {
    private static let values = [
        "1", "1.0", "1e0", "0", "0.0", "-1", "1.5", "2", "true", "false", "null", #""1""#, #""""#, #"" ""#,
        #""ping.caf""#, "[]", "{}", #"{"name":"x"}"#, #"{"volume":1}"#, #"{"critical":1}"#, #"{"title":"T"}"#,
        #"{"title":{"loc-key":"T"}}"#, "18446744073709551615", "1e999", #""critical""#,
    ]

    private func judged(_ members: String, type: String = "alert") async throws -> (push: JSONValue, preview: JSONValue)
    {
        var judged: (JSONValue, JSONValue) = (.null, .null)
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(DeviceRoutesTests.push("{\"aps\":{\(members)}}", type: type))
            judged = (
                await fixture.get("/api/v1/pushes/seq:1").json, await fixture.get("/api/v1/pushes/seq:1/preview").json
            )
        }
        return judged
    }

    private func has(_ lint: String, _ push: JSONValue) -> Bool {
        push["lints"].entries.contains { $0["id"]?.string == lint }
    }

    @Test(arguments: values) func `preview, reaction and lints read a badge alike`(value: String) async throws {
        let (push, preview) = try await judged("\"badge\":\(value)")
        let isIgnored = preview["badge"]?["effect"] == "ignored"
        #expect(has("badge-not-integer", push) == isIgnored)
        #expect((push["delivery"]?["reaction"]?["presentation"] == "badge") == !isIgnored)
    }

    @Test(arguments: values) func `preview, reaction and lints read a sound alike`(value: String) async throws {
        let (push, preview) = try await judged("\"sound\":\(value)")
        let kind = preview["sound"]?["kind"]?.string ?? ""
        #expect((push["delivery"]?["reaction"]?["presentation"] == "sound") == !["none", "ignored"].contains(kind))
        // A value that plays nothing is warned about, except for an empty name, which may be meant.
        if kind == "ignored" { #expect(has("sound-shape", push), "\(value)") }
    }

    @Test(arguments: values) func `preview, reaction and lints read an alert alike`(value: String) async throws {
        let (push, preview) = try await judged("\"alert\":\(value)")
        let isShown = preview["kind"] == "alert"
        #expect(has("alert-without-text", push) == !isShown)
        #expect((push["delivery"]?["reaction"]?["presentation"] == "banner") == isShown)
    }

    @Test(arguments: values) func `preview, reaction and lints read content-available alike`(value: String) async throws
    {
        let (push, preview) = try await judged("\"content-available\":\(value)", type: "background")
        let isSilent = preview["kind"] == "silent"
        #expect(has("background-without-content-available", push) == !isSilent)
        #expect((push["delivery"]?["reaction"]?["callbacks"].entries.isEmpty == false) == isSilent)
    }
}
