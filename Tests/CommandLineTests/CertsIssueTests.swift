import Foundation
import Testing

@testable import MockAPNsAPI
@testable import mock_apns

/// `certs issue`: a certificate from the server becomes a file.
@Suite struct CertsIssueTests {
    private static func answer(p12: String? = nil, fileName: String = "com.x.pem") -> String {
        let file = p12.map { "\"\($0)\",\"password\":\"word\"" } ?? "null,\"password\":null"
        let text =
            #"{"topics":["com.x","com.x.voip"],"environment":"both","subject":"CN=a,UID=com.x","#
            + #""fingerprint":"AB:CD","notAfter":"2030-01-01T00:00:00.000000Z","certificate":"CERT\n","key":"KEY\n","#
            + #""p12":\#(file),"fileName":"\#(fileName)"}"#
        return Samples.whole(CertificateIssuedShape.self, text)
    }

    private func run(_ line: [String], _ answer: String) throws -> (FakeAPI, Program, Program.Outcome) {
        let api = try FakeAPI([.json(answer)])
        let program = try Program(["certs", "issue"] + line + ["--api", api.url])
        return (api, program, program.finish())
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test func `certificate and key become one file that only its owner can read`() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appendingPathComponent("client.pem")
        let (api, _, outcome) = try run(["--topic", "com.x", "-o", file.path, "--table"], Self.answer())
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(api.asked == [.init(method: "POST", target: "/api/v1/certificates/issue", body: #"{"topic":"com.x"}"#)])
        #expect(try String(contentsOf: file, encoding: .utf8) == "CERT\nKEY\n")
        #expect(try mode(file) == 0o600)
        #expect(outcome.errors == "mock-apns: wrote \(file.path)\n")
        for word in [file.path, "CN=a,UID=com.x", "AB:CD", "com.x com.x.voip", "2030-01-01"] {
            #expect(outcome.output.contains(word), "\(word)")
        }
        #expect(!outcome.output.contains("KEY"))
        // An existing file is not replaced.
        let (_, _, again) = try run(["--topic", "com.x", "-o", file.path], Self.answer())
        #expect(again.status == 73 && again.errors.contains("it exists"))
    }

    @Test func `PKCS 12 is written as bytes and its password printed`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).p12")
        defer { try? FileManager.default.removeItem(at: file) }
        let line = [
            "--topic", "com.x", "--format", "p12", "--password", "word", "--environment", "sandbox", "-o", file.path,
        ]
        let (api, _, outcome) = try run(line + ["--table"], Self.answer(p12: "MP8A", fileName: "com.x.p12"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(api.asked.first?.body == #"{"environment":"sandbox","format":"p12","password":"word","topic":"com.x"}"#)
        #expect(try Data(contentsOf: file) == Data([0x30, 0xff, 0x00]))
        #expect(outcome.output.contains("password") && outcome.output.contains("word"))
    }

    @Test(arguments: ["../evil.pem", "/tmp/evil.pem", "evil.pem"]) func `a server cannot choose a directory`(
        _ name: String
    ) throws {
        let answer = try Samples.decoded(Self.answer(fileName: name), as: CertificateIssuedShape.self)
        #expect(answer.safeFileName == "evil.pem")
    }

    @Test func `invalid base64 is an error and writes no file`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).p12")
        let (_, _, outcome) = try run(["--topic", "com.x", "-o", file.path], Self.answer(p12: "!"))
        #expect(outcome.status == 69 && outcome.errors.contains("not base64"))
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
