import Foundation

/// The HTTP/2 client for tests through a real socket: one that nobody here wrote.
enum Curl {
    /// Runs curl; what it printed, with its exit code.
    static func run(_ arguments: [String]) async throws -> (output: String, exitCode: Int32) {
        try await onOwnThread {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["curl", "--silent", "--max-time", "20"] + arguments
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (String(decoding: output, as: UTF8.self), process.terminationStatus)
        }
    }
}
