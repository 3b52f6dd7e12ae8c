import Foundation
import MockAPNs
import TestSupport

/// Pushes by the `curl` command.
extension Curl {
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
        guard let authority else { return try await read(arguments) }
        let file = FileManager.default.temporaryDirectory.appending(
            path: "mock-apns-\(UUID().uuidString).pem"
        )
        try Data(authority.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await read(arguments + ["--cacert", file.path])
    }

    private static func read(_ arguments: [String]) async throws -> Run {
        let (output, exitCode) = try await run(arguments)
        return Run(exitCode: exitCode, output: output)
    }
}
