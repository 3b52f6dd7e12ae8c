import MockAPNsCrypto
import MockAPNsRules
import Testing

@testable import MockAPNs

/// Client certificates as Apple makes them.
@Suite struct ClientCertificateTests {
    /// The example of Apple's list of topics that stands in the documents of this project.
    @Test func `the list of topics is written as Apple's is`() {
        let list = PushCertificateExtension.content(of: [("com.x", "app"), ("com.x.voip", "voip")])
        let expected: [UInt8] =
            [0x30, 0x22, 0x0c, 5] + Array("com.x".utf8) + [0x30, 5, 0x0c, 3] + Array("app".utf8) + [0x0c, 10]
            + Array("com.x.voip".utf8) + [0x30, 6, 0x0c, 4] + Array("voip".utf8)
        #expect(list == expected)
    }

    @Test(arguments: [(127, [0x0c, 0x7f]), (128, [0x0c, 0x81, 0x80]), (255, [0x0c, 0x81, 0xff])])
    func `lengths are written as DER wants them`(count: Int, head: [UInt8]) {
        let list = PushCertificateExtension.content(of: [(String(repeating: "a", count: count), "")])
        let text = head + Array(repeating: UInt8(ascii: "a"), count: count) + [0x30, 2, 0x0c, 0]
        let start: [UInt8] =
            text.count < 256 ? [0x30, 0x81, UInt8(text.count)] : [0x30, 0x82, 1, UInt8(text.count - 256)]
        #expect(list == start + text)
    }

    /// An environment, the service's name, the topics, and the last numbers of Apple's extensions.
    static let kinds: [(Environment?, String, [String], [Int])] = [
        (nil, "Apple Push Services", ["com.x", "com.x.voip", "com.x.complication"], [1, 2, 6]),
        (.sandbox, "Apple Development IOS Push Services", ["com.x"], [1]),
        (.production, "Apple Push Services", ["com.x"], [2]),
    ]

    @Test(arguments: kinds) func `a certificate says what it is for`(
        environment: Environment?, service: String, topics: [String], extensions: [Int]
    ) async throws {
        let issued = try ClientCertificates().issue(Self.draft("com.x", in: environment))
        #expect(issued.subject == "CN=\(service): com.x,UID=com.x")
        #expect(issued.topics == topics)
        let facts = try CertificateFacts(pem: issued.certificatePEM)
        #expect(try facts.isIssued(by: issued.authorityPEM) && facts.matches(privateKeyPEM: issued.keyPEM))
        #expect(facts.fingerprint == issued.fingerprint)
        #expect(issued.notAfter.microseconds == facts.notAfter * 1_000_000)
        // 1.2.840.113635.100.6.3.<n>, as it lies in the certificate.
        let bytes = Self.content(of: issued.certificatePEM)
        let prefix: [UInt8] = [0x06, 0x0a, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x06, 0x03]
        let found = (1...6).filter { Self.find(prefix + [UInt8($0)], in: bytes) }
        #expect(found == extensions)
        let list = PushCertificateExtension.content(of: zip(topics, ["app", "voip", "complication"]).map { ($0, $1) })
        #expect(Self.find(list, in: bytes) == (environment == nil))
    }

    @Test func `one server has one authority`() async throws {
        try await withMockAPNs { server in
            let authorities = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<8 {
                    group.addTask { try server.clientCertificates.issue(Self.draft("com.x\(number)")).authorityPEM }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(authorities.count == 1)
            let other = try ClientCertificates().issue(Self.draft("com.x"))
            #expect(!authorities.contains(other.authorityPEM))
        }
    }

    @Test(arguments: [
        ("com.example.app", true), ("a", true), ("com.apple.mgmt.External.0-1_2", true), ("", false),
        ("com.x app", false), ("com.é", false), ("com/x", false), (String(repeating: "a", count: 200), true),
        (String(repeating: "a", count: 201), false), ("com.x\0", false),
    ]) func `a bundle identifier is letters and a few more`(text: String, isOne: Bool) {
        #expect(ClientCertificates.isBundleID(text) == isOne)
        if !isOne { #expect(throws: MockAPNsError.self) { try ClientCertificates().issue(Self.draft(text)) } }
    }

    private static func draft(_ bundleID: String, in environment: Environment? = nil) -> ClientCertificates.Draft {
        var draft = ClientCertificates.Draft(bundleID: bundleID)
        draft.environment = environment
        return draft
    }

    private static func content(of pem: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for character in pem.split(separator: "\n").dropFirst().dropLast().joined().utf8 {
            let value =
                switch character {
                case 0x41...0x5a: Int(character) - 0x41
                case 0x61...0x7a: Int(character) - 0x61 + 26
                case 0x30...0x39: Int(character) - 0x30 + 52
                case UInt8(ascii: "+"): 62
                case UInt8(ascii: "/"): 63
                default: -1
                }
            guard value >= 0 else { break }
            (bits, count) = (bits << 6 | value, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> count & 0xff))
                bits &= (1 << count) - 1
            }
        }
        return bytes
    }

    private static func find(_ part: [UInt8], in bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }
}
