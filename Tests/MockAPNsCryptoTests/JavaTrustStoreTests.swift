import Foundation
import MockAPNsCrypto
import Testing

/// The trust store, read by OpenSSL; `Tests/Interop` reads it with Java.
@Suite struct JavaTrustStoreTests {
    private func authority(_ name: String) throws -> String {
        try CertificateAuthority(names: CertificateNames(dnsNames: [name]), now: 1_800_000_000).certificatePEM
    }

    @Test func `a trust store has every certificate as an authority`() throws {
        let authorities = [try authority("a.test"), try authority("b.test")]
        let damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        let text = "# A comment\n" + authorities[0] + damaged + authorities[1]
        let store = Data(try JavaTrustStore.pkcs12(pem: text, password: "changeit"))
        let arguments = ["pkcs12", "-in", "in", "-passin", "pass:changeit", "-nokeys", "-nodes"]
        let shown = String(decoding: try OpenSSLTool.output(arguments, files: ["in": store]), as: UTF8.self)
        #expect(shown.components(separatedBy: "-----BEGIN CERTIFICATE-----").count == 3)
        // Newer versions of OpenSSL have a name for the attribute.
        let names = ["2.16.840.1.113894.746875.1.1", "Trusted key usage (Oracle)"]
        #expect(names.map { shown.components(separatedBy: "    \($0): ").count - 1 }.reduce(0, +) == 2)
        for authority in authorities {
            #expect(shown.contains(authority.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")))
        }
        let wrong = ["pkcs12", "-in", "in", "-passin", "pass:wrong", "-nokeys"]
        #expect(try OpenSSLTool.run(wrong, files: ["in": store]).status != 0)
    }
}
