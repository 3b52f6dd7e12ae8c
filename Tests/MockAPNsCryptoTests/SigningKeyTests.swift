import Foundation
import Testing

@testable import MockAPNsCrypto

/// A way to get a PEM text and what should come of reading it.
struct KeyCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The name of the error's case.
    let error: String?
    let pem: @Sendable () throws -> String

    init(_ name: String, _ error: String? = nil, _ pem: @escaping @Sendable () throws -> String) {
        testDescription = name
        self.error = error
        self.pem = pem
    }
}

@Suite struct SigningKeyTests {
    static let accepted: [KeyCase] = [
        KeyCase("PKCS#8") { try ForeignKey.pkcs8() }, KeyCase("SEC 1") { try ForeignKey.sec1() },
        KeyCase("SEC 1 after its parameters") { try ForeignKey.sec1WithParameters() },
        KeyCase("CR LF") { try ForeignKey.pkcs8().replacingOccurrences(of: "\n", with: "\r\n") },
        KeyCase("no line feed at the end") { String(try ForeignKey.pkcs8().dropLast()) },
        KeyCase("byte order mark") { "\u{FEFF}" + (try ForeignKey.pkcs8()) },
        KeyCase("indented") { try ForeignKey.pkcs8().replacingOccurrences(of: "\n", with: "  \n    ") },
        KeyCase("text around it") { "Bag Attributes\n\n" + (try ForeignKey.pkcs8()) + "\nthe end" },
        KeyCase("public key before it") {
            let key = try ForeignKey.pkcs8()
            return try ForeignKey.publicHalf(of: key) + key
        },
        KeyCase("public point left out") {
            try OpenSSLTool.text(["ec", "-in", "in", "-no_public"], input: try ForeignKey.pkcs8())
        },
        KeyCase("public point compressed") {
            try OpenSSLTool.text(["ec", "-in", "in", "-conv_form", "compressed"], input: try ForeignKey.pkcs8())
        },
    ]

    @Test(arguments: accepted) func `reads keys of other programs`(_ example: KeyCase) throws {
        let pem = try example.pem()
        let key = try SigningKey(pem: pem)
        let clean = pem.replacingOccurrences(of: "\u{FEFF}", with: "").split(whereSeparator: \.isNewline).map {
            $0.trimmingCharacters(in: .whitespaces)
        }.joined(separator: "\n")
        let expected = try OpenSSLTool.text(
            ["pkey", "-in", "in", "-pubout", "-ec_conv_form", "uncompressed"], input: clean + "\n")
        #expect(try VerifyingKey(pem: expected).publicKeyPEM == expected)
        #expect(key.verifyingKey.publicKeyPEM == expected)
        #expect(try VerifyingKey(pem: pem).publicKeyPEM == expected)
        let message = Array("hello".utf8)
        let signature = try message.withUnsafeBytes { try key.signature(of: $0) }
        #expect(try VerifyingKey(pem: expected).accepts(signature, of: message))
    }

    static let refused: [KeyCase] = [
        KeyCase("empty", "notPEM") { "" }, KeyCase("blank", "notPEM") { " \n\t\n" },
        KeyCase("prose", "notPEM") { "this is not a key" },
        KeyCase("DER as text", "notPEM") { String(decoding: try ForeignKey.pkcs8().pemContent, as: UTF8.self) },
        KeyCase("base64 without its frame", "notPEM") {
            try ForeignKey.pkcs8().split(separator: "\n").filter { !$0.hasPrefix("-") }.joined(separator: "\n")
        }, KeyCase("line breaks lost", "notPEM") { try ForeignKey.pkcs8().replacingOccurrences(of: "\n", with: "\\n") },
        KeyCase("line breaks turned to spaces", "notPEM") {
            try ForeignKey.pkcs8().replacingOccurrences(of: "\n", with: " ")
        }, KeyCase("too long", "tooLong") { try ForeignKey.pkcs8() + String(repeating: "x", count: 65_536) },
        KeyCase("RSA in PKCS#8", "notEllipticCurve") { try ForeignKey.rsa() },
        KeyCase("RSA in its own form", "notEllipticCurve") {
            try OpenSSLTool.text(["rsa", "-in", "in", "-traditional"], input: try ForeignKey.rsa())
        }, KeyCase("Ed25519", "notEllipticCurve") { try OpenSSLTool.text(["genpkey", "-algorithm", "ED25519"]) },
        KeyCase("P-384", "wrongCurve") { try ForeignKey.onCurve("P-384") },
        KeyCase("P-521", "wrongCurve") { try ForeignKey.onCurve("P-521") },
        KeyCase("secp256k1, 256 bits too", "wrongCurve") { try ForeignKey.onCurve("secp256k1") },
        KeyCase("encrypted PKCS#8", "encrypted") {
            try OpenSSLTool.text(
                ["pkcs8", "-topk8", "-in", "in", "-passout", "pass:secret"], input: try ForeignKey.pkcs8())
        },
        KeyCase("encrypted SEC 1", "encrypted") {
            try OpenSSLTool.text(
                ["ec", "-in", "in", "-aes128", "-passout", "pass:secret"], input: try ForeignKey.pkcs8())
        }, KeyCase("public key", "noPrivateKey") { try ForeignKey.publicHalf(of: try ForeignKey.pkcs8()) },
        KeyCase("parameters alone", "noPrivateKey") { try OpenSSLTool.text(["ecparam", "-name", "prime256v1"]) },
        KeyCase("certificate", "noPrivateKey") {
            try CertificateAuthority(names: CertificateNames(dnsNames: ["localhost"]), now: 1_800_000_000)
                .certificatePEM
        }, KeyCase("OpenSSH", "unsupportedForm") { Data([1, 2, 3]).pem("OPENSSH PRIVATE KEY") },
        KeyCase("last line missing", "damaged") { try ForeignKey.pkcs8().withoutLastLine },
        KeyCase("last two lines missing", "damaged") { try ForeignKey.pkcs8().withoutLastLine.withoutLastLine },
        KeyCase("cut off within a line", "damaged") { String(try ForeignKey.pkcs8().prefix(100)) },
        KeyCase("first line only", "damaged") { "-----BEGIN PRIVATE KEY-----" },
        KeyCase("another label at the end", "damaged") {
            try ForeignKey.pkcs8().replacingOccurrences(of: "END PRIVATE", with: "END PUBLIC")
        }, KeyCase("nothing between the lines", "damaged") { Data().pem("PRIVATE KEY") },
        KeyCase("a line missing", "damaged") {
            var lines = try ForeignKey.pkcs8().split(separator: "\n")
            lines.remove(at: 2)
            return lines.joined(separator: "\n")
        }, KeyCase("no base64", "damaged") { "-----BEGIN PRIVATE KEY-----\n!!!!\n-----END PRIVATE KEY-----" },
        KeyCase("no ASN.1", "damaged") { Data(repeating: 0xFF, count: 100).pem("PRIVATE KEY") },
        KeyCase("another key's public half", "damaged") {
            let (one, other) = (try ForeignKey.pkcs8().pemContent, try ForeignKey.pkcs8().pemContent)
            return (one.dropLast(65) + other.suffix(65)).pem("PRIVATE KEY")
        },
    ]

    @Test(arguments: refused) func `refuses keys that cannot sign`(_ example: KeyCase) throws {
        let pem = try example.pem()
        let error = #expect(throws: KeyError.self) { try SigningKey(pem: pem) }
        #expect(error.flatMap(caseName) == example.error, "\(error?.description ?? "")")
        #expect(OpenSSLError.drain("test").messages.isEmpty)
        // Nothing of a key may show in a message.
        for line in pem.split(separator: "\n") where line.count > 40 && !line.hasPrefix("-----") {
            #expect(error?.description.contains(line) == false)
        }
    }

    @Test func `an error says what was seen and what is expected`() throws {
        let curve = #expect(throws: KeyError.self) { try SigningKey(pem: try ForeignKey.onCurve("P-384")) }
        #expect(curve?.description.contains("secp384r1") == true)
        #expect(curve?.description.contains("P-256") == true)
        let kind = #expect(throws: KeyError.self) { try SigningKey(pem: try ForeignKey.rsa()) }
        #expect(kind?.description.contains("RSA") == true)
        #expect(curve != kind)
        let cut = #expect(throws: KeyError.self) { try SigningKey(pem: try ForeignKey.sec1().withoutLastLine) }
        #expect(cut?.description.contains("the line -----END EC PRIVATE KEY----- is missing") == true)
        let mixed = try ForeignKey.pkcs8().replacingOccurrences(of: "END PRIVATE", with: "END PUBLIC")
        let mismatch = #expect(throws: KeyError.self) { try SigningKey(pem: mixed) }
        #expect(mismatch?.description.contains("the line -----END PRIVATE KEY----- is missing") == true)
    }

    @Test func `round trips through PEM`() throws {
        let key = try SigningKey.generate()
        #expect(key.privateKeyPEM.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let again = try SigningKey(pem: key.privateKeyPEM)
        #expect(again.privateKeyPEM == key.privateKeyPEM)
        #expect(again.verifyingKey.publicKeyPEM == key.verifyingKey.publicKeyPEM)
        #expect(try SigningKey.generate().privateKeyPEM != key.privateKeyPEM)
        #expect(try ForeignKey.publicHalf(of: key.privateKeyPEM) == key.verifyingKey.publicKeyPEM)
    }

    @Test func `signs so that OpenSSL verifies`() throws {
        let key = try SigningKey.generate()
        let message = Data("a message".utf8)
        let signature = try message.withUnsafeBytes { try key.derSignature(of: $0) }
        let run = try OpenSSLTool.run(
            ["dgst", "-sha256", "-verify", "key", "-signature", "signature", "message"],
            files: ["key": Data(key.verifyingKey.publicKeyPEM.utf8), "signature": Data(signature), "message": message])
        #expect(run.status == 0, "\(run.text)\(run.errors)")
    }

    @Test func `raw signatures have 64 bytes even with leading zeros`() throws {
        let key = try SigningKey.generate()
        let message = Array("x".utf8)
        // About one signature in 128 has a number that begins with a zero byte.
        for _ in 0..<400 {
            let signature = try message.withUnsafeBytes { try key.signature(of: $0) }
            #expect(signature.count == 64)
            #expect(key.verifyingKey.accepts(signature, of: message))
        }
    }
}

extension VerifyingKey {
    func outcome(_ signature: [UInt8], of message: [UInt8]) -> Bool? {
        signature.withUnsafeBytes { signature in message.withUnsafeBytes { verify(signature: signature, of: $0) } }
    }

    func accepts(_ signature: [UInt8], of message: [UInt8]) -> Bool { outcome(signature, of: message) == true }
}
