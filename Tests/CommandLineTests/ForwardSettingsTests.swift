import Foundation
import MockAPNs
import MockAPNsCrypto
import Testing

@testable import mock_apns

/// The options of `serve --forward`.
@Suite struct ForwardSettingsTests {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent("AuthKey_\(UUID()).p8").path

    private func settings(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ForwardSettings? {
        let command = try MockAPNsCommand.parseAsRoot(["serve"] + arguments)
        guard let serve = command as? ServeCommand else { throw CommandFailure(.internalError, "not serve") }
        return try ServeSettings(serve.options, environment: environment, processors: 8, openFiles: 20_000).forward
    }

    static let topic = ["--forward-topic", "com.example.app"]
    static let errors: [([String], String)] = [
        (["--forward", "apple"] + topic, "invalid --forward 'apple'"),
        (["--forward", "sandbox"], "--forward needs --forward-topic"),
        (["--forward", "sandbox"] + topic, "--forward needs --forward-key FILE,KEYID,TEAMID or --forward-cert FILE"),
        (
            ["--forward", "sandbox", "--forward-key", "KEY", "--forward-cert", "FILE"] + topic,
            "cannot be used together"
        ),
        (
            ["--forward", "http://localhost:1", "--forward-cert", "FILE"] + topic,
            "--forward-cert needs --forward https"
        ), (["--forward", "sandbox", "--forward-key", "missing.p8,ABCDEFGHIJ,ABCDEFGHIJ"] + topic, "file not found"),
        (["--forward", "sandbox", "--forward-key", "missing.p8"] + topic, "expected FILE,KEYID,TEAMID"),
        (["--forward", "sandbox", "--forward-key", "KEY", "--forward-token", "xyz"] + topic, "--forward-token 'xyz'"),
        (["--forward", "sandbox", "--forward-key", "KEY", "--forward-topic", "*"], "without *"),
        (["--forward", "sandbox", "--forward-key", "KEY", "--forward-ca", "FILE"] + topic, "invalid --forward-ca"),
        (["--forward", "sandbox", "--forward-key", "KEY", "--data", "postgresql://localhost/x"] + topic, "--data"),
        (topic, "--forward-topic needs --forward"), (["--forward-all"], "--forward-all needs --forward"),
        (["--forward-namespaces"], "--forward-namespaces needs --forward"),
        (["--forward-token", "ab"], "--forward-token needs --forward"),
        (["--forward-answer", "real"], "--forward-answer needs --forward"),
        (["--forward-answer", "both"], "--forward-answer 'both'"),
    ]

    @Test(arguments: errors) func `options that do not go together are refused`(
        arguments: [String], part: String
    ) throws {
        try SigningKey.generate().privateKeyPEM.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let given = arguments.map { $0 == "KEY" ? "\(path),ABCDEFGHIJ,ABCDEFGHIJ" : $0 == "FILE" ? path : $0 }
        let error = #expect(throws: CommandFailure.self) { try settings(given) }
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test func `the banner says what goes where, and the server itself is refused`() throws {
        try SigningKey.generate().privateKeyPEM.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let forward = try #require(
            try settings(
                ["--forward", "https://localhost:2199", "--forward-key", "\(path),ABCDEFGHIJ,TEAM123456"] + Self.topic,
                ["MOCK_APNS_FORWARD_TOKEN": "AB cd"]))
        #expect(forward.target.tokens == ["ab", "cd"] && forward.target.topics == ["com.example.app"])
        #expect(
            forward.banner == "forwarding accepted pushes with the topic com.example.app, only to 2 device token(s)"
                + " to https://localhost:2199, signed with key ABCDEFGHIJ of team TEAM123456")
        try forward.refuseOwn([ListenAddress(host: "127.0.0.1", port: 2_198)])
        #expect(throws: CommandFailure.self) { try forward.refuseOwn([ListenAddress(host: "127.0.0.1", port: 2_199)]) }
        #expect(forward.answers == nil)
        let real = try settings(
            ["--forward", "sandbox", "--forward-key", "\(path),ABCDEFGHIJ,TEAM123456", "--forward-answer", "real"]
                + Self.topic)
        #expect(real?.answers?.limit == .seconds(10) && real?.banner.hasSuffix("; clients get its answers") == true)
        let isForwarding = try settings([]) != nil
        #expect(!isForwarding)
    }
}
