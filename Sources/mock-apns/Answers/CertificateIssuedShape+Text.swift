internal import FoundationEssentials
internal import MockAPNsAPI

extension APIObject<CertificateIssuedShape> {
    /// The name of a file in this directory: what a server says is no path.
    var safeFileName: String { String(self.fileName.split(separator: "/").last ?? "client") }

    /// What is written: certificate and key, in PEM or as PKCS#12.
    ///
    /// - Throws: `CommandFailure` for an answer that is not base64.
    var content: [UInt8] {
        get throws {
            guard let p12 = self.p12 else { return Array((self.certificate + self.key).utf8) }
            guard let data = Data(base64Encoded: p12) else {
                throw CommandFailure(.unreachable, "the API's answer has a PKCS#12 file that is not base64")
            }
            return Array(data)
        }
    }

    /// What it is, for people.
    func sheet(file: String) -> String {
        var lines = [
            ("file", file), ("subject", self.subject), ("SHA-256", self.fingerprint),
            ("environment", self.environment),
            ("topics", self.topics.joined(separator: " ")), ("valid until", self.notAfter),
        ]
        if let password = self.password { lines.insert(("password", password), at: 1) }
        return Table.sheet(lines)
    }
}
