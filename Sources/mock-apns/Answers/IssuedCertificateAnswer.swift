internal import FoundationEssentials

/// A client certificate with its private key, as the API shows it.
struct IssuedCertificateAnswer: Decodable {
    let topics: [String]
    let environment: String
    let subject: String
    let fingerprint: String
    let notAfter: String
    let certificate: String
    let key: String
    let p12: String?
    let password: String?
    let fileName: String

    /// The name of a file in this directory: what a server says is no path.
    var safeFileName: String { String(fileName.split(separator: "/").last ?? "client") }

    /// What is written: certificate and key, in PEM or as PKCS#12.
    ///
    /// - Throws: `CommandFailure` for an answer that is not base64.
    var content: [UInt8] {
        get throws {
            guard let p12 else { return Array((certificate + key).utf8) }
            guard let data = Data(base64Encoded: p12) else {
                throw CommandFailure(.unreachable, "the API's answer has a PKCS#12 file that is not base64")
            }
            return Array(data)
        }
    }

    /// What it is, for people.
    func sheet(file: String) -> String {
        var lines = [
            ("file", file), ("subject", subject), ("SHA-256", fingerprint), ("environment", environment),
            ("topics", topics.joined(separator: " ")), ("valid until", notAfter),
        ]
        if let password { lines.insert(("password", password), at: 1) }
        return Table.sheet(lines)
    }
}
