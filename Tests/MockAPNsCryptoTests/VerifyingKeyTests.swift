import Foundation
import Testing

@testable import MockAPNsCrypto

/// The order of the group of P-256: the first number that r and s may not be.
private let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA,
    0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
]

/// A change to a good signature, given as raw and as DER, that makes it bad.
struct SpoiledSignature: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (_ raw: [UInt8], _ der: [UInt8]) -> [UInt8]

    init(_ name: String, _ make: @escaping @Sendable (_ raw: [UInt8], _ der: [UInt8]) -> [UInt8]) {
        testDescription = name
        self.make = make
    }
}

@Suite struct VerifyingKeyTests {
    static let message = Array("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJURUFNIn0".utf8)

    @Test func `accepts signatures in raw form and in DER`() throws {
        let key = try SigningKey.generate()
        for message in [Self.message, [], [UInt8](repeating: 7, count: 100_000)] {
            let raw = try message.withUnsafeBytes { try key.signature(of: $0) }
            let der = try message.withUnsafeBytes { try key.derSignature(of: $0) }
            #expect(raw.count == 64)
            #expect((68...72).contains(der.count))
            #expect(key.verifyingKey.outcome(raw, of: message) == true)
            #expect(key.verifyingKey.outcome(der, of: message) == true)
            #expect(key.verifyingKey.outcome(raw, of: message + [0]) == false)
            #expect(key.verifyingKey.outcome(der, of: message + [0]) == false)
        }
    }

    @Test func `accepts the example of RFC 7515`() throws {
        // RFC 7515, appendix A.3: a key and a token that somebody else made.
        let point =
            Data(base64URL: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
            + Data(base64URL: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
        let signed =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
            + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let signature = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let header: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
            0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
        ]
        let key = try VerifyingKey(pem: (Data(header) + point).pem("PUBLIC KEY"))
        #expect(key.accepts(Array(Data(base64URL: signature)), of: Array(signed.utf8)))
    }

    @Test func `accepts what the OpenSSL command signs`() throws {
        let pem = try ForeignKey.sec1WithParameters()
        let signature = try OpenSSLTool.output(
            ["dgst", "-sha256", "-sign", "key", "message"],
            files: ["key": Data(pem.utf8), "message": Data(Self.message)])
        #expect(try VerifyingKey(pem: pem).accepts(Array(signature), of: Self.message))
    }

    /// As PHP's web-token makes it for ES512 from a key on P-256: SHA-512, and r and s padded to 66 bytes each.
    @Test func `accepts ES512 of the same key`() throws {
        let pem = try ForeignKey.sec1WithParameters()
        let key = try VerifyingKey(pem: pem)
        let der = try OpenSSLTool.output(
            ["dgst", "-sha512", "-sign", "key", "message"],
            files: ["key": Data(pem.utf8), "message": Data(Self.message)])
        let raw = try #require(Array(der).withUnsafeBytes { ECDSASignature(der: $0) }).raw
        let zeros = [UInt8](repeating: 0, count: 34)
        let padded = zeros + raw[..<32] + zeros + raw[32...]
        func outcome(_ signature: [UInt8], _ digest: VerifyingKey.Digest) -> Bool? {
            signature.withUnsafeBytes { signature in
                Self.message.withUnsafeBytes { key.verify(signature: signature, of: $0, digest: digest) }
            }
        }
        #expect(outcome(padded, .sha512) == true && outcome(Array(der), .sha512) == true)
        #expect(outcome(padded, .sha256) == false && outcome(Array(der), .sha256) == false)
        #expect(outcome(raw, .sha512) == false)
        #expect(outcome([1] + padded.dropFirst(), .sha512) == false)
        #expect(outcome(Array(padded.dropLast()), .sha512) == false)
    }

    @Test func `refuses another key`() throws {
        let (key, other) = (try SigningKey.generate(), try SigningKey.generate())
        let raw = try Self.message.withUnsafeBytes { try key.signature(of: $0) }
        let der = try Self.message.withUnsafeBytes { try key.derSignature(of: $0) }
        #expect(other.verifyingKey.outcome(raw, of: Self.message) == false)
        #expect(other.verifyingKey.outcome(der, of: Self.message) == false)
    }

    @Test func `refuses any single flipped bit`() throws {
        let key = try SigningKey.generate()
        let raw = try Self.message.withUnsafeBytes { try key.signature(of: $0) }
        let der = try Self.message.withUnsafeBytes { try key.derSignature(of: $0) }
        for signature in [raw, der] {
            for position in 0..<signature.count {
                var spoiled = signature
                spoiled[position] ^= 1 << UInt8(position % 8)
                #expect(key.verifyingKey.outcome(spoiled, of: Self.message) == false, "byte \(position)")
            }
        }
        for position in [0, 1, Self.message.count / 2, Self.message.count - 1] {
            var spoiled = Self.message
            spoiled[position] ^= 0x01
            #expect(key.verifyingKey.outcome(raw, of: spoiled) == false)
        }
    }

    static let spoiled: [SpoiledSignature] = [
        SpoiledSignature("empty") { _, _ in [] }, SpoiledSignature("63 bytes") { raw, _ in Array(raw.dropLast()) },
        SpoiledSignature("65 bytes") { raw, _ in raw + [0] },
        SpoiledSignature("65 bytes, zero first") { raw, _ in [0] + raw },
        SpoiledSignature("64 zero bytes") { _, _ in [UInt8](repeating: 0, count: 64) },
        SpoiledSignature("72 zero bytes") { _, _ in [UInt8](repeating: 0, count: 72) },
        SpoiledSignature("64 bytes of 0x30") { _, _ in [UInt8](repeating: 0x30, count: 64) },
        SpoiledSignature("100,000 bytes") { raw, _ in raw + [UInt8](repeating: 1, count: 99_936) },
        SpoiledSignature("100,000 bytes after DER") { _, der in der + [UInt8](repeating: 0, count: 99_930) },
        SpoiledSignature("r and s exchanged") { raw, _ in Array(raw[32...] + raw[..<32]) },
        SpoiledSignature("r is zero") { raw, _ in [UInt8](repeating: 0, count: 32) + raw[32...] },
        SpoiledSignature("s is zero") { raw, _ in raw[..<32] + [UInt8](repeating: 0, count: 32) },
        SpoiledSignature("r is the order") { raw, _ in order + raw[32...] },
        SpoiledSignature("s is the order") { raw, _ in raw[..<32] + order },
        SpoiledSignature("both above the order") { _, _ in [UInt8](repeating: 0xFF, count: 64) },
        SpoiledSignature("r is zero, DER") { _, _ in [0x30, 6, 2, 1, 0, 2, 1, 1] },
        SpoiledSignature("s is zero, DER") { _, _ in [0x30, 6, 2, 1, 1, 2, 1, 0] },
        SpoiledSignature("a byte after DER") { _, der in der + [0] },
        SpoiledSignature("a byte after s, within the sequence") { _, der in [0x30, der[1] + 1] + der[2...] + [0] },
        SpoiledSignature("a third integer") { _, der in [0x30, der[1] + 3] + der[2...] + [2, 1, 1] },
        SpoiledSignature("length in two bytes") { _, der in [0x30, 0x81, der[1]] + der[2...] },
        SpoiledSignature("indefinite length") { _, der in [0x30, 0x80] + der[2...] + [0, 0] },
        SpoiledSignature("length too short") { _, der in [0x30, der[1] - 1] + der[2...] },
        SpoiledSignature("length too long") { _, der in [0x30, der[1] + 1] + der[2...] },
        SpoiledSignature("a SET") { _, der in [0x31] + der[1...] },
        SpoiledSignature("r padded") { _, der in [0x30, der[1] + 1, 2, der[3] + 1, 0] + der[4...] },
        SpoiledSignature("DER cut off") { _, der in Array(der.dropLast()) },
        SpoiledSignature("DER in hexadecimal") { _, der in Array(der.map { String($0, radix: 16) }.joined().utf8) },
        SpoiledSignature("DER in base64") { _, der in Array(Data(der).base64EncodedData()) },
    ]

    @Test(arguments: spoiled) func `refuses spoiled signatures and stays usable`(_ example: SpoiledSignature) throws {
        let key = try SigningKey.generate()
        let raw = try Self.message.withUnsafeBytes { try key.signature(of: $0) }
        let der = try Self.message.withUnsafeBytes { try key.derSignature(of: $0) }
        let signature = example.make(raw, der)
        #expect(key.verifyingKey.outcome(signature, of: Self.message) == false)
        #expect(OpenSSLError.drain("test").messages.isEmpty)
        #expect(key.verifyingKey.outcome(raw, of: Self.message) == true)
        #expect(OpenSSLError.drain("test").messages.isEmpty)
    }

    static let refused: [KeyCase] = [
        KeyCase("empty", "notPEM") { "" },
        KeyCase("RSA", "notEllipticCurve") { try ForeignKey.publicHalf(of: try ForeignKey.rsa()) },
        KeyCase("RSA in its own form", "notEllipticCurve") {
            try OpenSSLTool.text(["rsa", "-in", "in", "-RSAPublicKey_out"], input: try ForeignKey.rsa())
        }, KeyCase("P-384", "wrongCurve") { try ForeignKey.publicHalf(of: try ForeignKey.onCurve("P-384")) },
        KeyCase("P-384, private", "wrongCurve") { try ForeignKey.onCurve("P-384") },
        KeyCase("parameters alone", "noKey") { try OpenSSLTool.text(["ecparam", "-name", "prime256v1"]) },
        KeyCase("cut off", "damaged") { try ForeignKey.publicHalf(of: try ForeignKey.pkcs8()).withoutLastLine },
        KeyCase("not on the curve", "damaged") {
            var content = try ForeignKey.publicHalf(of: try ForeignKey.pkcs8()).pemContent
            content[content.endIndex - 1] ^= 0x01
            return content.pem("PUBLIC KEY")
        },
    ]

    @Test(arguments: refused) func `refuses keys that are not on P-256`(_ example: KeyCase) throws {
        let pem = try example.pem()
        let error = #expect(throws: KeyError.self) { try VerifyingKey(pem: pem) }
        #expect(error.flatMap(caseName) == example.error, "\(error?.description ?? "")")
        #expect(OpenSSLError.drain("test").messages.isEmpty)
    }

    @Test func `does not keep the private key`() throws {
        let pem = try ForeignKey.pkcs8()
        let keys = [
            try VerifyingKey(pem: pem), try SigningKey(pem: pem).verifyingKey, try SigningKey.generate().verifyingKey,
        ]
        for key in keys { #expect(throws: OpenSSLError.self) { try withErrorQueue { try key.key.privatePEM() } } }
    }

    @Test func `works from many threads at once`() async throws {
        let key = try SigningKey.generate()
        let raw = try Self.message.withUnsafeBytes { try key.signature(of: $0) }
        let bad = [UInt8](repeating: 1, count: 64)
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<50).allSatisfy { _ in
                        key.verifyingKey.outcome(bad, of: Self.message) == false
                            && key.verifyingKey.outcome(raw, of: Self.message) == true
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes == Array(repeating: true, count: 8))
    }
}

extension Data {
    /// The bytes of a base64url text without padding; none if it is not one.
    init(base64URL text: some StringProtocol) {
        let text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        self = Data(base64Encoded: text + padding) ?? Data()
    }
}
