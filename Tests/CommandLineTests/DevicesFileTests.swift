import Foundation
import Testing

@testable import mock_apns

/// The value of `serve --devices`.
@Suite struct DevicesFileTests {
    private func withFile<Result>(_ bytes: Data, _ use: (String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try use(file.path)
    }

    private static let described =
        #"[{"label":"alice","state":"offline","registrations":[{"topic":"com.a","token":"AB"},{"topic":"com.b"}]},{}]"#

    @Test func `describes devices`() throws {
        try withFile(Data(Self.described.utf8)) { path in
            let drafts = try ServeSettings.devices(file: path)
            #expect(drafts.map(\.label) == ["alice", nil])
            #expect(drafts.first?.isOnline == false)
            #expect(drafts.first?.registrations.map(\.topic) == ["com.a", "com.b"])
            #expect(drafts.first?.registrations.first?.token?.hex == "ab")
        }
    }

    /// The contents of a file, and its error with the position and the fix.
    static let mistakes = [
        ("", "the file is empty"), ("{", "at line 1, column 2"), (#""x""#, "expected a list"),
        (#"[{"labl":"x"}]"#, "devices[0].labl is not a member of this object"),
        (#"[{"labl":"x"}]"#, "(did you mean 'label'?)"),
        (#"[{},{"state":"off"}]"#, "devices[1].state is 'off'; expected online or offline"),
        (#"[{"registrations":[{}]}]"#, "devices[0].registrations[0].topic"),
        (#"[{"registrations":[{"topic":"a","token":"xy"}]}]"#, "devices[0].registrations[0].token is 'xy'; expected"),
    ]

    @Test(arguments: mistakes) func `a mistake is one line with its position`(_ text: String, _ words: String) throws {
        try withFile(Data(text.utf8)) { path in
            let failure = #expect(throws: CommandFailure.self) { try ServeSettings.devices(file: path) }
            #expect(failure?.status == .badConfiguration)
            #expect(failure?.message.hasPrefix("invalid --devices '\(path)': ") == true, "\(failure?.message ?? "")")
            #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
            #expect(failure?.message.contains("\n") == false)
        }
    }

    @Test func `reports unreadable files`() throws {
        let missing = #expect(throws: CommandFailure.self) { try ServeSettings.devices(file: "/no/such.json") }
        #expect(missing == CommandFailure(.badConfiguration, "invalid --devices '/no/such.json': file not found"))
        let directory = #expect(throws: CommandFailure.self) { try ServeSettings.devices(file: "/tmp") }
        #expect(directory?.message.hasPrefix("cannot read /tmp: ") == true)
        try withFile(Data([0xff])) { path in
            let failure = #expect(throws: CommandFailure.self) { try ServeSettings.devices(file: path) }
            #expect(failure?.message.hasPrefix("invalid --devices '\(path)': the file is not JSON") == true)
        }
    }

    @Test(arguments: [
        (#"[{"label":"x"},{"label":"x"}]"#, "devices[1].label: "),
        (
            #"[{"registrations":[{"topic":"a","token":"ab"},{"topic":"b","token":"ab"}]}]"#,
            "devices[0].registrations[1].token: "
        ), ("[", "the file is not JSON"),
    ]) func `mistakes are reported before anything is bound`(_ text: String, _ words: String) throws {
        // The port is taken: a server that binds it first would report that instead.
        let taken = try FakeAPI([.empty])
        let outcome = try withFile(Data(text.utf8)) { path in
            try Program.run([
                "--devices", path, "--apns-listen", "127.0.0.1:\(taken.port)", "--api-listen",
                "127.0.0.1:\(taken.port)",
            ])
        }
        #expect(outcome.status == 78)
        let line = outcome.errors.split(separator: "\n").last ?? ""
        #expect(
            line.contains("mock-apns: invalid --devices '/") && line.contains(".json': \(words)"), "\(outcome.errors)")
        #expect(outcome.output == "")
    }
}
