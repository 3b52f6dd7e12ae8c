import Foundation
import TestSupport

/// The `openssl` command: what our files are held against, and where files come from that we did not write.
struct OpenSSLTool {
    /// What one run came to.
    struct Run {
        let status: Int32
        let output: Data
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    struct Failure: Error {
        let arguments: [String]
        let errors: String
    }

    /// Runs `openssl` in a directory of its own that holds `files`.
    static func run(_ arguments: [String], files: [String: Data] = [:]) throws -> Run {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "mock-apns-crypto-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, content) in files { try content.write(to: directory.appendingPathComponent(name)) }

        let outcome = try RunningProgram.run(["openssl"] + arguments, directory: directory)
        return Run(
            status: outcome.status, output: outcome.output, errors: String(decoding: outcome.errors, as: UTF8.self))
    }

    /// The standard output of a run that has to succeed.
    static func output(_ arguments: [String], files: [String: Data] = [:]) throws -> Data {
        let run = try run(arguments, files: files)
        guard run.status == 0 else { throw Failure(arguments: arguments, errors: run.errors) }
        return run.output
    }

    /// The standard output, as text, of a run that has to succeed; `input` is there as the file `in`.
    static func text(_ arguments: [String], input: String = "") throws -> String {
        String(decoding: try output(arguments, files: ["in": Data(input.utf8)]), as: UTF8.self)
    }
}

/// Keys as other programs write them.
enum ForeignKey {
    static func pkcs8() throws -> String {
        try OpenSSLTool.text(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"])
    }

    static func sec1() throws -> String { try OpenSSLTool.text(["ec", "-in", "in"], input: try pkcs8()) }

    static func sec1WithParameters() throws -> String {
        try OpenSSLTool.text(["ecparam", "-name", "prime256v1", "-genkey"])
    }

    static func onCurve(_ name: String) throws -> String {
        try OpenSSLTool.text(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(name)"])
    }

    static func rsa() throws -> String {
        try OpenSSLTool.text(["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"])
    }

    static func publicHalf(of pem: String) throws -> String {
        try OpenSSLTool.text(["pkey", "-in", "in", "-pubout"], input: pem)
    }
}

/// The name of an error's case, without its associated values.
func caseName(_ error: some Error) -> String? { Mirror(reflecting: error).children.first?.label }

extension String {
    /// The text without its last line.
    var withoutLastLine: String { split(separator: "\n").dropLast().joined(separator: "\n") + "\n" }

    /// The bytes that a PEM text with one block encodes.
    var pemContent: Data {
        let lines = split(separator: "\n").filter { !$0.hasPrefix("-----") }
        return Data(base64Encoded: lines.joined()) ?? Data()
    }
}

extension Data {
    /// The bytes as a PEM block.
    func pem(_ label: String) -> String {
        let content = base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(content)\n-----END \(label)-----\n"
    }
}
