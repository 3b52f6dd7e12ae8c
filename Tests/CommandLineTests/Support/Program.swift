import Foundation

/// The program as a user starts it, in a directory of its own.
final class Program {
    /// How it ended.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The executable, beside the test bundle.
    private static var executable: URL {
        var directory = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        while directory.path.count > 1 {
            let candidate = directory.appendingPathComponent("mock-apns")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            directory.deleteLastPathComponent()
        }
        return URL(fileURLWithPath: "/nonexistent/mock-apns")
    }

    /// Where the executable is.
    static var path: String { executable.path }

    let process = Process()
    let output = Pipe()
    let errors = Pipe()
    let input = Pipe()
    let directory: URL

    /// Starts it; nothing of this process's own environment reaches it as an option.
    init(
        _ arguments: [String],
        environment: [String: String] = [:],
        executable: URL = Program.executable
    ) throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "mock-apns-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = directory
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MOCK_APNS_") }
        process.environment = inherited.merging(environment) { $1 }
        try process.run()
    }

    /// Starts it, gives it something to read, and waits for its end.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = ""
    ) throws -> Outcome {
        let program = try Program(arguments, environment: environment)
        if !input.isEmpty { program.input.fileHandleForWriting.write(Data(input.utf8)) }
        return program.finish()
    }

    /// Reads standard output up to the end of a line.
    func line() -> String { Self.line(of: output) }

    /// Reads standard error up to the end of a line.
    func errorLine() -> String { Self.line(of: errors) }

    /// Reads all there is until it ends.
    func finish() -> Outcome {
        try? input.fileHandleForWriting.close()
        let out = output.fileHandleForReading.readDataToEndOfFile()
        let err = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: directory)
        return Outcome(
            status: process.terminationStatus,
            output: String(decoding: out, as: UTF8.self),
            errors: String(decoding: err, as: UTF8.self)
        )
    }

    private static func line(of pipe: Pipe) -> String {
        var line = Data()
        while true {
            let byte = pipe.fileHandleForReading.readData(ofLength: 1)
            if byte.isEmpty || byte[0] == 0x0a { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
    }
}
