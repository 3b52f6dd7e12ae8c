import Foundation
import TestSupport

/// The program as a user starts it, in its own directory.
final class Program {
    /// The result of a run.
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

    /// The path of the executable.
    static var path: String { executable.path }

    private let running: RunningProgram
    /// The program's working directory, removed at its end.
    let directory: URL

    var processIdentifier: pid_t { running.processIdentifier }

    /// Starts it without the options in this process's environment.
    convenience init(_ arguments: [String], environment: [String: String] = [:]) throws {
        try self.init(command: [Self.path] + arguments, environment: environment)
    }

    /// Starts another program in the same way.
    init(command: [String], environment: [String: String] = [:]) throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("mock-apns-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MOCK_APNS_") }
        running = try RunningProgram(command, environment: inherited.merging(environment) { $1 }, directory: directory)
    }

    /// Starts it, writes to its standard input, and waits for its end.
    static func run(_ arguments: [String], environment: [String: String] = [:], input: String = "") throws -> Outcome {
        let program = try Program(arguments, environment: environment)
        program.write(input)
        return program.finish()
    }

    /// Writes to its standard input.
    func write(_ text: String) { running.write(Data(text.utf8)) }

    /// Sends it a signal.
    func signal(_ number: Int32) { running.signal(number) }

    /// Asks it to stop, as a service manager does.
    func terminate() { signal(SIGTERM) }

    /// Reads standard output up to the end of a line.
    func line() -> String { running.outputLine() }

    /// Reads standard error up to the end of a line.
    func errorLine() -> String { running.errorLine() }

    /// Stops listening to its standard output, and waits for its end.
    ///
    /// - Returns: the exit code.
    func hangUp() -> Int32 {
        running.closeOutput()
        return running.wait()
    }

    /// Reads all output until it ends.
    func finish() -> Outcome {
        let outcome = running.finish()
        try? FileManager.default.removeItem(at: directory)
        return Outcome(
            status: outcome.status, output: String(decoding: outcome.output, as: UTF8.self),
            errors: String(decoding: outcome.errors, as: UTF8.self))
    }
}
