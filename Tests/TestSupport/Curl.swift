import Foundation

/// The `curl` command: TLS and HTTP/2 by a client that nobody here wrote.
public enum Curl {
    /// Runs curl without the user's settings and proxies, for at most `LastResort.seconds`.
    ///
    /// - Returns: what it printed, and its exit code.
    public static func run(_ arguments: [String]) async throws -> (output: String, exitCode: Int32) {
        try await onOwnThread { try runAndWait(arguments) }
    }

    /// Does the same for tests that are not asynchronous.
    public static func runAndWait(_ arguments: [String]) throws -> (output: String, exitCode: Int32) {
        let command =
            ["curl", "--disable", "--noproxy", "*", "--silent", "--max-time", "\(LastResort.seconds)"] + arguments
        let outcome = try RunningProgram.run(command)
        return (String(decoding: outcome.output, as: UTF8.self), outcome.status)
    }
}
