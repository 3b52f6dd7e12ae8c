import Foundation
import TestSupport
import Testing

struct DataCommandTests {
    private let directory: String

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "mock-apns-\(UUID())").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    /// Lets servers keep two pushes, one after the other.
    private func serve() throws {
        for _ in 1...2 {
            let send = [Program.path, "send", "--topic", "com.example.app"]
            let sent = try Program.run(["exec", "--data", directory, "--"] + send)
            #expect(sent.status == 0, "\(sent.errors)")
        }
    }

    /// Writes changes that no world has made.
    private func fill() throws {
        let writer = URL(fileURLWithPath: Program.path).deletingLastPathComponent().appending(path: "store-writer")
        let program = try RunningProgram([writer.path, "\(directory)/default.sqlite", "normal"])
        for _ in 0..<10 { _ = program.outputLine() }
        program.signal(SIGKILL)
        _ = program.finish()
    }

    @Test func `a directory is described, checked, compacted and copied`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try serve()
        let info = try Program.run(["data", "info", directory, "--json"])
        #expect(info.status == 0)
        #expect(info.output.contains(#""namespace":"default""#))
        #expect(info.output.contains(#""version":2"#))
        #expect(info.output.contains(#""pushes":2"#))
        #expect(try Program.run(["data", "info", directory]).output.contains("default  "))
        let check = try Program.run(["data", "check", directory])
        #expect(check.status == 0 && check.errors.contains("no problems, digest "), "\(check)")
        #expect(try Program.run(["data", "compact", directory]).status == 0)
        let copy = try Program.run(["data", "copy", directory, "\(directory)/copy"])
        #expect(copy.status == 0)
        let copied = try Program.run(["data", "info", "\(directory)/copy", "--json"])
        #expect(copied.output.contains(#""namespace":"default""#))
        #expect(try Program.run(["data", "check", "\(directory)/copy"]).status == 0)
        let kept = try Program.run(["exec", "--data", directory, "--", Program.path, "pushes", "--table"])
        #expect(kept.output.split(separator: "\n").count == 3, "\(kept)")
        let again = try Program.run(["data", "copy", directory, "\(directory)/copy"])
        #expect(again.status != 0)
        #expect(again.errors.contains("it exists already"))
    }

    @Test func `pushes are exported as the API exports them`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try serve()
        let fetch = "curl -sf \"$MOCK_APNS_API/api/v1/pushes/export\""
        let api = try Program.run(["exec", "--data", directory, "--", "sh", "-c", fetch])
        #expect(api.output.split(separator: "\n").count == 2, "\(api)")
        let export = try Program.run(["data", "export", directory])
        #expect(export.status == 0 && export.output == api.output)
        let file = "\(directory)/pushes.ndjson"
        #expect(try Program.run(["data", "export", directory, "--output", file]).status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == export.output)
        let tool = ["sqlite3", "\(directory)/default.sqlite", "update record set facts = x'00' where seq = 1"]
        #expect(try RunningProgram(tool).finish().status == 0)
        let damaged = try Program.run(["data", "export", directory])
        #expect(damaged.status == 1 && damaged.output.split(separator: "\n").count == 1, "\(damaged)")
        #expect(damaged.errors.contains("skipped 1 push that cannot be read"))
        let check = try Program.run(["data", "check", directory])
        #expect(check.output == "default: push 1 cannot be read: the layout is 0, expected 1\n")
        let refused = try Program.run(["data", "export", directory, "--output", "\(directory)/none/a"])
        #expect(refused.status == 73)
        #expect(try Program.run(["data", "export", "\(directory)/none"]).status == 66)
    }

    @Test func `damage and missing data have exit codes of their own`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try fill()
        let tool = ["sqlite3", "\(directory)/default.sqlite", "delete from change where position = 5"]
        #expect(try RunningProgram(tool).finish().status == 0)
        let check = try Program.run(["data", "check", directory])
        #expect(check.status == 1)
        #expect(check.output == "default: change 5 is missing\n")
        let start = ["sqlite3", "\(directory)/default.sqlite", "delete from change where position <= 5"]
        #expect(try RunningProgram(start).finish().status == 0)
        #expect(try Program.run(["data", "check", directory]).output == "default: change 1 is missing\n")
        let other = try Program.run(["data", "info", directory, "--namespace", "b"])
        #expect(other.status == 66)
        #expect(other.errors.contains("expected one of default"))
        #expect(try Program.run(["data", "info", "\(directory)/none"]).status == 66)
        #expect(try Program.run(["data", "compact", "\(directory)/none"]).status == 66)
        #expect(!FileManager.default.fileExists(atPath: "\(directory)/none"))
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: "\(directory)/default.sqlite"))
        #expect(try Program.run(["data", "info", directory]).status == 78)
    }
}
