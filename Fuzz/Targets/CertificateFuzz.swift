import MockAPNsFormats
import MockAPNsRules

@testable import MockAPNs
@testable import MockAPNsCrypto

/// The certificates of clients, which show them before anything is known of them.
enum CertificateFuzz {
    /// The longest text of a certificate that is kept, in bytes, with the replacement of a character that is cut.
    private static let longestText = 512 + 3
    private static let mostTopics = 400

    /// Apple's extension with topics: what is read from it, written again, is read unchanged.
    static func topics(_ bytes: [UInt8]) throws {
        guard let topics = PushCertificateExtension.topics(in: bytes) else { return }
        let size = topics.reduce(0) { $0 + $1.utf8.count }
        // A byte that is not UTF-8 becomes a replacement character of three bytes.
        try require(size <= 3 * bytes.count, "\(size) bytes of topics in \(bytes.count) bytes")
        let written = PushCertificateExtension.content(of: topics.map { (name: $0, kind: "app") })
        let again = PushCertificateExtension.topics(in: written)
        try require(again.map(utf8) == utf8(topics), "\(topics) was read again as \(String(describing: again))")
    }

    /// A certificate in DER: limits, the same contents in PEM, and what the server makes of it.
    static func certificate(_ bytes: [UInt8]) throws {
        let certificate = try? PushCertificate(der: bytes)
        let inAnyMode = try anyone.get().judge([bytes])
        try require(
            (certificate == nil) == (inAnyMode.standing == .unreadable),
            "\(inAnyMode.standing), although the certificate is \(certificate == nil ? "unreadable" : "readable")")
        // Without an authority, nothing is trusted.
        let standing = try issuedOnly.get().judge([bytes, bytes]).standing
        try require(standing != .verified, "trusted without an authority")
        guard let certificate else { return }
        try require((try? PushCertificate(pem: pem(of: bytes))) == certificate, "another certificate in PEM")
        try checkLimits(of: certificate)
        try checkJudgement(inAnyMode)
    }

    private static func checkLimits(of certificate: PushCertificate) throws {
        let topics = certificate.topics ?? []
        for text in topics + [certificate.subject, certificate.issuer, certificate.userID ?? ""] {
            try require(text.utf8.count <= longestText, "a text of \(text.utf8.count) bytes")
        }
        try require(topics.count <= mostTopics, "\(topics.count) topics")
        try require(certificate.serial.utf8.count <= 64, "a serial number of \(certificate.serial.utf8.count) digits")
    }

    private static func checkJudgement(_ judged: ClientCertificate) throws {
        try require(!judged.environments.isEmpty, "a certificate for no environment")
        if let topic = judged.onlyTopic { try require(judged.topics.contains(topic), "the only topic is not listed") }
        guard judged.standing == .verified else { return }
        try require(!judged.topics.isEmpty && !judged.app.isEmpty, "verified, and for no app")
    }

    /// Compared by their bytes: `String` considers equivalent characters equal.
    private static func utf8(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static func pem(of bytes: [UInt8]) -> String {
        let alphabet = Base64URL.encode(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        let padded = alphabet + Array(repeating: "=", count: (4 - alphabet.count % 4) % 4)
        let lines = stride(from: 0, to: padded.count, by: 64).map {
            String(padded[$0..<min($0 + 64, padded.count)]) + "\n"
        }
        return "-----BEGIN CERTIFICATE-----\n\(lines.joined())-----END CERTIFICATE-----\n"
    }

    private static let anyone = certificates(.any)
    private static let issuedOnly = certificates(.issued)

    private static func certificates(_ mode: ClientCertificates.Mode) -> Result<ClientCertificates, any Error> {
        var options = ClientCertificates.Options()
        options.mode = mode
        return Result { try ClientCertificates(options) }
    }
}
