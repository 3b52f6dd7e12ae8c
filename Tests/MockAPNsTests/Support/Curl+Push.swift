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
        var head: [String] { output.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n") }

        /// What follows the headers.
        var body: String { output.components(separatedBy: "\r\n\r\n").dropFirst().joined() }
    }

    /// Posts a push over TLS, trusting the server's own authority; `identity` is a certificate to show, with its key.
    static func post(
        _ push: Push, to url: String, trusting authority: String?, showing identity: String? = nil, _ more: String...
    ) async throws -> Run {
        var arguments = ["--http2", "--include", "--request", push.method, url + push.path] + more
        for (name, value) in push.fields where !name.hasPrefix(":") { arguments += ["--header", "\(name): \(value)"] }
        if !push.body.isEmpty { arguments += ["--data-binary", push.body] }
        let directory = FileManager.default.temporaryDirectory.appending(path: "mock-apns-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (option, pem) in [("cacert", authority), ("cert", identity)] {
            guard let pem else { continue }
            let file = directory.appending(path: "\(option).pem")
            try Data(pem.utf8).write(to: file)
            arguments += ["--\(option)", file.path]
        }
        let (output, exitCode) = try await run(arguments)
        return Run(exitCode: exitCode, output: output)
    }
}
