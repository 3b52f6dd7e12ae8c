import Foundation
import MockAPNs

/// The `curl` command: TLS, and HTTP/2 that nobody here wrote.
struct Curl {
    /// What one run came to.
    struct Run {
        let exitCode: Int32
        let output: String

        /// The status line and the header lines, as they came.
        var head: [String] {
            output.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
        }

        /// What follows the headers.
        var body: String { output.components(separatedBy: "\r\n\r\n").dropFirst().joined() }
    }

    /// Posts a push over TLS, trusting the server's own authority.
    static func post(
        _ push: Push,
        to url: String,
        trusting authority: String?,
        _ more: String...
    ) async throws -> Run {
        var arguments = ["--http2", "--include", "--request", push.method, url + push.path] + more
        for (name, value) in push.fields where !name.hasPrefix(":") {
            arguments += ["--header", "\(name): \(value)"]
        }
        if !push.body.isEmpty { arguments += ["--data-binary", push.body] }
        guard let authority else { return try await run(arguments) }
        let file = FileManager.default.temporaryDirectory.appending(
            path: "mock-apns-\(UUID().uuidString).pem"
        )
        try Data(authority.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await run(arguments + ["--cacert", file.path])
    }

    private static func run(_ arguments: [String]) async throws -> Run {
        try await onOwnThread { try runAndWait(arguments) }
    }

    private static func runAndWait(_ arguments: [String]) throws -> Run {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // Nothing of the user's settings, and no proxy between here and the loopback interface.
        process.arguments =
            ["curl", "--disable", "--noproxy", "*", "--silent", "--max-time", "60"] + arguments
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Run(exitCode: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
    }
}
