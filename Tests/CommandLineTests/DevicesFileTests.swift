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

    @Test func describesDevices() throws {
        try withFile(Data(Self.described.utf8)) { path in
            let file = try DevicesFile(path: path)
            #expect(file.path == path)
            #expect(file.drafts.map(\.label) == ["alice", nil])
            #expect(file.drafts.first?.isOnline == false)
            #expect(file.drafts.first?.registrations.map(\.topic) == ["com.a", "com.b"])
            #expect(file.drafts.first?.registrations.first?.token?.hex == "ab")
        }
    }

    /// What is in the file, and the line that names the place and what to do about it.
    static let mistakes = [
        ("", "the file is empty"),
        ("{", "at line 1, column 2"),
        (#""x""#, "expected a list"),
        (#"[{"labl":"x"}]"#, "/0/labl is no member of this object"),
        (#"[{"labl":"x"}]"#, "(did you mean 'label'?)"),
        (#"[{},{"state":"off"}]"#, "/1/state is 'off'; expected online or offline"),
        (#"[{"registrations":[{}]}]"#, "/0/registrations/0/topic"),
        (#"[{"registrations":[{"topic":"a","token":"xy"}]}]"#, "/0/registrations/0/token is 'xy'; expected"),
    ]

    @Test(arguments: mistakes) func mistakeIsOneLineWithItsPlace(_ text: String, _ words: String) throws {
        try withFile(Data(text.utf8)) { path in
            let failure = #expect(throws: CommandFailure.self) { try DevicesFile(path: path) }
            #expect(failure?.status == .badConfiguration)
            #expect(failure?.message.hasPrefix("--devices: \(path): ") == true, "\(failure?.message ?? "")")
            #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
            #expect(failure?.message.contains("\n") == false)
        }
    }

    @Test func unreadableFiles() throws {
        let missing = #expect(throws: CommandFailure.self) { try DevicesFile(path: "/no/such.json") }
        #expect(missing == CommandFailure(.badConfiguration, "--devices: there is no file /no/such.json"))
        let directory = #expect(throws: CommandFailure.self) { try DevicesFile(path: "/tmp") }
        #expect(directory?.message.hasPrefix("cannot read /tmp: ") == true)
        try withFile(Data([0xff])) { path in
            let failure = #expect(throws: CommandFailure.self) { try DevicesFile(path: path) }
            #expect(failure?.message == "\(path) is not a text file")
        }
    }

    @Test(arguments: [
        (#"[{"label":"x"},{"label":"x"}]"#, "/1/label: "),
        (
            #"[{"registrations":[{"topic":"a","token":"ab"},{"topic":"b","token":"ab"}]}]"#,
            "/0/registrations/1/token: "
        ),
        ("[", "the file is not JSON"),
    ])
    func everythingIsReportedBeforeAnythingIsBound(_ text: String, _ words: String) throws {
        // The port is taken: who tried to bind it first would complain of that.
        let taken = try FakeAPI([.empty])
        let outcome = try withFile(Data(text.utf8)) { path in
            try Program.run([
                "--devices", path, "--apns-listen", "127.0.0.1:\(taken.port)", "--api-listen",
                "127.0.0.1:\(taken.port)",
            ])
        }
        #expect(outcome.status == 78)
        let line = outcome.errors.split(separator: "\n").last ?? ""
        #expect(line.contains("error: --devices: /") && line.contains(".json: \(words)"), "\(outcome.errors)")
        #expect(outcome.output == "")
    }
}
