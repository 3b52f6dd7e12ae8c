import Foundation
import TestSupport
import Testing

@testable import mock_apns

/// `mock-apns check` as a user starts it.
@Suite struct CheckCommandTests {
    private static let fine = #"{"aps":{"alert":"Hi"}}"#

    private func check(_ body: String, _ options: String...) throws -> Program.Outcome {
        try Program.run(["check", "-"] + options, input: body)
    }

    @Test func `reports a payload without mistakes`() throws {
        let outcome = try check(Self.fine)
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                standard input: push type alert (derived from the payload), 22 of at most 4096 bytes
                APNs responds 200.

                No warnings.

                """)
        #expect(outcome.errors == "")
    }

    @Test func `findings are readable, sorted by severity`() throws {
        let outcome = try check(
            #"{"aps":{"alert":"Hi\u001b[31m","thread-id":3,"content-available":1}}"#, "--push-type", "background",
            "--priority", "5")
        #expect(outcome.status == 1)
        #expect(
            outcome.output == """
                standard input: push type background, 68 of at most 4096 bytes
                APNs responds 200.

                error: background-with-alert, aps.alert
                  a background push has alert; content-available alone is expected
                  hint: Send it as apns-push-type: alert, or omit alert, badge and sound.

                warning: member-type, aps.thread-id
                  thread-id is 3; a string is expected, so it is not grouped
                  hint: Send the documented type.

                1 error, 1 warning

                """)
    }

    @Test func `a push that APNs would refuse is reported and fails`() throws {
        let large = #"{"aps":{"alert":"\#(String(repeating: "x", count: 4_096))"}}"#
        let outcome = try check(large, "--topic", "com.a")
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains(
                """
                4116 of at most 4096 bytes
                APNs responds 413 PayloadTooLarge.
                  The payload has 4116 bytes, 20 more than the limit of 4096. Send less, and let the app fetch the rest.
                """), "\(outcome.output)")
        #expect(
            try check(large, "--push-type", "voip").output.contains("4116 of at most 5120 bytes\nAPNs responds 200"))
    }

    static let codes: [(String, [String], Int32, String)] = [
        (#"{"aps":{"alert":"Hi","badge":"3"}}"#, [], 0, "1 warning"),
        (#"{"aps":{"alert":"Hi","badge":"3"}}"#, ["--strict"], 1, "1 warning"),
        (#"{"aps":{"alert":"Hi","content-available":1}}"#, ["--strict"], 0, "1 info"),
        ("{}", [], 1, "error: aps-missing"), ("", [], 1, "APNs responds 400 PayloadEmpty."),
        ("aps", [], 1, "error: payload-not-json"), (fine, ["--push-type", "Alert"], 1, "400 InvalidPushType"),
        (fine, ["--push-type", "voip", "--topic", "com.a"], 1, "error: push-type-topic-suffix, apns-topic"),
        (fine, ["--topic", "a b"], 1, "400 BadTopic"), (fine, ["--priority", "7"], 1, "400 BadPriority"),
        (fine, ["--expiration", "soon"], 1, "400 BadExpirationDate"),
        (fine, ["--expiration", "300"], 0, "warning: expiration-in-past"),
        (fine, ["--expiration", "99999999999999"], 1, "error: expiration-milliseconds"),
        (fine, ["--collapse-id", String(repeating: "x", count: 65)], 1, "400 BadCollapseId"),
        (fine, ["--token", "xyz"], 1, "400 BadDeviceToken"), (fine, ["--token", ""], 1, "400 MissingDeviceToken"),
        (fine, ["--token", "ABCD"], 0, "info: token-uppercase-or-spaces, the device token"),
        (fine, ["--token", "dead0410"], 0, "No warnings."),
        (fine, ["--header", "apns-expiry: 0"], 0, "warning: header-misspelt, apns-expiry"),
        (fine, ["--header", "apns-expiry"], 64, "invalid header 'apns-expiry': expected 'name:value'"),
        (#"{"aps":{"event":"start"}}"#, ["--broadcast"], 1, "a broadcast only updates and ends"),
        (#"{"aps":{"event":"end","timestamp":1,"content-state":{}}}"#, ["--broadcast"], 0, "No warnings."),
        (#"{"mdm":"x","aps":{}}"#, [], 0, "warning: special-topic, aps"), (#"{"mdm":"x"}"#, [], 0, "No warnings."),
        (#"{"aps":{"alert":"Hi"},"a":null}"#, [], 0, "warning: null-member, a"),
        (#"{"aps":{"alert":"Hi","alert":"Ho"}}"#, [], 0, "warning: duplicate-key, aps.alert"),
        (#"{"message":{"token":"a"}}"#, [], 1, "error: foreign-shape, message"),
        (#"{"aps":{"content-available":1}}"#, ["--push-type", "background", "--priority", "10"], 1, "400 BadPriority"),
    ]

    @Test(arguments: codes) func `the exit code depends on the findings`(
        body: String, options: [String], status: Int32, words: String
    ) throws {
        let outcome = try Program.run(["check", "-"] + options, input: body)
        #expect(outcome.status == status, "\(outcome.output)")
        #expect((outcome.output + outcome.errors).contains(words), "\(outcome.output)\(outcome.errors)")
    }

    @Test func `JSON has all findings`() throws {
        let outcome = try check(#"{"aps":{"alert":"Hi","badge":"3"}}"#, "--json", "--priority", "7")
        #expect(outcome.status == 1)
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(answer["pushType"] as? String == "alert")
        #expect(answer["pushTypeDerived"] as? Bool == true)
        #expect(answer["size"] as? Int == 34)
        #expect(answer["limit"] as? Int == 4_096)
        #expect(answer["errors"] as? Int == 0)
        #expect(answer["warnings"] as? Int == 1)
        let reply = try #require(answer["answer"] as? [String: Any])
        #expect(reply["status"] as? Int == 400)
        #expect(reply["reason"] as? String == "BadPriority")
        #expect(reply["check"] as? String == "apns-priority")
        let lints = try #require(answer["lints"] as? [[String: String]])
        #expect(lints.map { $0["id"] } == ["badge-not-integer"])
        #expect(lints[0]["learn"] == "/docs/lints#badge-not-integer")
    }

    @Test(arguments: [
        (["check"], Int32(64), "<file>"), (["check", "a", "b"], 64, "b"),
        (["check", "-", "--prioriti", "5"], 64, "--priority"),
        (["check", "missing.json"], 66, "invalid file 'missing.json': file not found"),
        (["check", "/"], 66, "cannot read /"), (["check", "/dev/zero"], 66, "larger than 1 MiB"),
    ]) func `a file that cannot be checked has its own exit code`(line: [String], status: Int32, words: String) throws {
        let outcome = try Program.run(line)
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(outcome.output == "")
    }

    @Test func `a file is read whatever it contains`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try Data([0x1f, 0x8b, 0x08, 0x00]).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let outcome = try Program.run(["check", file.path])
        #expect(outcome.status == 1)
        #expect(outcome.output.hasPrefix(file.path + ": push type alert"))
        #expect(outcome.output.contains("looks like gzip"))
    }

    @Test func `the lints are those in the documents`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../docs/lints.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        expectNoDifference(
            try Program.run(["reference", "--lints"]).output, text,
            "docs/lints.md; if this is intended, run make reference")
    }
}
