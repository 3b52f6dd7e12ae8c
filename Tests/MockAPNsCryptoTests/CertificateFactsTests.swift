import Foundation
import Testing

@testable import MockAPNsCrypto

@Suite struct CertificateFactsTests {
    static let now: Int64 = 1_800_000_000

    @Test func `reads back what was issued`() throws {
        let authority = try CertificateAuthority(names: usualNames, now: Self.now)
        let leaf = try authority.issueServerCertificate(names: usualNames, now: Self.now)
        let facts = try CertificateFacts(pem: leaf.certificatePEM)
        #expect(facts.subject == "CN=localhost")
        #expect(facts.names == usualNames)
        #expect(facts.notBefore == Self.now - 86_400)
        #expect(facts.notAfter == Self.now + 365 * 86_400)
        let root = try CertificateFacts(pem: authority.certificatePEM)
        #expect(root.names.isEmpty)
        #expect(root != facts)
        #expect(try CertificateFacts(pem: leaf.keyPEM + "\nnotes\n" + leaf.certificatePEM) == facts)
        let shown = try OpenSSLTool.text(
            ["x509", "-noout", "-fingerprint", "-sha256", "-in", "in"], input: leaf.certificatePEM)
        #expect(shown.hasSuffix("=\(facts.fingerprint)\n"))
    }

    @Test func `knows the authorities that BoringSSL refuses`() throws {
        let authority = try CertificateAuthority(names: usualNames, now: Self.now)
        let leaf = try authority.issueServerCertificate(names: usualNames, now: Self.now)
        #expect(try CertificateFacts(pem: Self.constrainedAuthority).constrainsAddresses)
        #expect(try !CertificateFacts(pem: authority.certificatePEM).constrainsAddresses)
        #expect(try !CertificateFacts(pem: leaf.certificatePEM).constrainsAddresses)
        #expect(try CertificateFacts(pem: authority.certificatePEM).isSelfIssued)
        #expect(try !CertificateFacts(pem: leaf.certificatePEM).isSelfIssued)
    }

    /// An authority as it was made before IP addresses left the name constraints.
    static let constrainedAuthority = """
        -----BEGIN CERTIFICATE-----
        MIICWTCCAf+gAwIBAgIQFwR30vbqVJIMNJ8k9c1glTAKBggqhkjOPQQDAjAgMR4w
        HAYDVQQDDBVtb2NrLWFwbnMgQ0EgMmRhMDJlZmMwHhcNMjYxMTIxMDYxMTQ4WhcN
        MjcxMTIyMDYxMTQ4WjAgMR4wHAYDVQQDDBVtb2NrLWFwbnMgQ0EgMmRhMDJlZmMw
        WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASXrtmbPEi/ZcEtK5qFXU0/t3x0XLTt
        u84UVpzwNFM4fEcAUwv+SiU/gSBRU1hTEGSGuivmr+fFzf/6D654W43do4IBGTCC
        ARUwEgYDVR0TAQH/BAgwBgEB/wIBADAOBgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYE
        FC2gLvz4HyTHSAGq+V2P8jtusURVMIHPBgNVHR4BAf8EgcQwgcGggb4wC4IJbG9j
        YWxob3N0MAuCCW1vY2stYXBuczAWghRob3N0LmRvY2tlci5pbnRlcm5hbDAUghJh
        cGkucHVzaC5hcHBsZS5jb20wHIIaYXBpLnNhbmRib3gucHVzaC5hcHBsZS5jb20w
        IIIeYXBpLmRldmVsb3BtZW50LnB1c2guYXBwbGUuY29tMASCAnZtMAqHCH8AAAH/
        ////MCKHIAAAAAAAAAAAAAAAAAAAAAH/////////////////////MAoGCCqGSM49
        BAMCA0gAMEUCIQCtwo3vXlX1RLAIVlDp3fSu7NPGcTKAUZngw+hOroV1jAIgS17r
        nC5tSSD9g3KA0sYLaqvqpGKHzce1PNSSofofM3g=
        -----END CERTIFICATE-----
        """

    @Test func `a certificate is used again only if its names and dates fit`() throws {
        let (authority, other) = (
            try CertificateAuthority(names: usualNames, now: Self.now),
            try CertificateAuthority(names: usualNames, now: Self.now)
        )
        let leaf = try authority.issueServerCertificate(names: usualNames, now: Self.now)
        let otherLeaf = try authority.issueServerCertificate(names: usualNames, now: Self.now)
        let facts = try CertificateFacts(pem: leaf.certificatePEM)
        #expect(try facts.matches(privateKeyPEM: leaf.keyPEM))
        #expect(try !facts.matches(privateKeyPEM: otherLeaf.keyPEM))
        #expect(try !facts.matches(privateKeyPEM: try ForeignKey.rsa()))
        #expect(try !facts.matches(privateKeyPEM: try ForeignKey.onCurve("P-384")))
        #expect(try facts.isIssued(by: authority.certificatePEM))
        #expect(try !facts.isIssued(by: other.certificatePEM))
        #expect(try !facts.isIssued(by: leaf.certificatePEM))
        #expect(try CertificateFacts(pem: authority.certificatePEM).isIssued(by: authority.certificatePEM))
        #expect(OpenSSLError.drain("test").messages.isEmpty)
    }

    @Test func `a spoiled signature is not the authority's`() throws {
        let authority = try CertificateAuthority(names: usualNames, now: Self.now)
        let leaf = try authority.issueServerCertificate(names: usualNames, now: Self.now)
        var content = leaf.certificatePEM.pemContent
        content[content.endIndex - 1] ^= 0x01
        let spoiled = try CertificateFacts(pem: content.pem("CERTIFICATE"))
        #expect(try !spoiled.isIssued(by: authority.certificatePEM))
        #expect(spoiled.names == usualNames)
        #expect(OpenSSLError.drain("test").messages.isEmpty)
    }

    @Test func `same name but another key is not the authority`() throws {
        let key = try ForeignKey.pkcs8()
        let impostor = try ForeignKey.pkcs8()
        func root(_ key: String) throws -> String {
            try OpenSSLTool.text(
                ["req", "-x509", "-key", "in", "-subj", "/CN=same", "-addext", "subjectKeyIdentifier=none"], input: key)
        }
        let facts = try CertificateFacts(pem: try root(key))
        #expect(try facts.isIssued(by: try root(key)))
        #expect(try !facts.isIssued(by: try root(impostor)))
        #expect(try !facts.isIssued(by: try root(try ForeignKey.rsa())))
    }

    @Test func `reads certificates of other programs`() throws {
        let pem = try OpenSSLTool.text(
            [
                "req", "-x509", "-key", "in", "-subj", "/O=Ünïcode, Inc./CN=example.com", "-utf8", "-days", "10",
                "-addext", "subjectAltName=DNS:Example.COM,email:a@b.test,URI:https://c,IP:10.0.0.1,DNS:*.d.test",
            ], input: try ForeignKey.rsa())
        let facts = try CertificateFacts(pem: pem)
        #expect(facts.subject == "CN=example.com,O=Ünïcode\\, Inc.")
        #expect(facts.names == CertificateNames(dnsNames: ["Example.COM", "*.d.test"], ipAddresses: ["10.0.0.1"]))
        #expect(facts.notAfter - facts.notBefore == 10 * 86_400)
    }

    static let refused: [(name: String, error: String, pem: String)] = [
        ("empty", "noCertificate", ""), ("prose", "noCertificate", "hello"),
        ("a key", "noCertificate", Data([1]).pem("PRIVATE KEY")),
        ("nothing inside", "damaged", Data().pem("CERTIFICATE")),
        ("garbage inside", "damaged", Data(repeating: 0x30, count: 500).pem("CERTIFICATE")),
        ("first line only", "damaged", "-----BEGIN CERTIFICATE-----\n"),
        ("too long", "tooLong", String(repeating: "x", count: (1 << 20) + 1)),
    ]

    @Test(arguments: refused) func `refuses text that is not a certificate`(
        _ example: (name: String, error: String, pem: String)
    ) {
        let error = #expect(throws: CertificateError.self) { try CertificateFacts(pem: example.pem) }
        #expect(error.flatMap(caseName) == example.error, "\(error?.description ?? "")")
        #expect(OpenSSLError.drain("test").messages.isEmpty)
    }

    @Test func `refuses every truncation`() throws {
        let authority = try CertificateAuthority(names: usualNames, now: Self.now)
        let leaf = try authority.issueServerCertificate(names: usualNames, now: Self.now)
        let content = leaf.certificatePEM.pemContent
        for count in stride(from: 0, to: content.count, by: 7) {
            let error = #expect(throws: CertificateError.self) {
                try CertificateFacts(pem: content.prefix(count).pem("CERTIFICATE"))
            }
            #expect(error.flatMap(caseName) == "damaged")
        }
        #expect(throws: CertificateError.self) { try CertificateFacts(pem: leaf.certificatePEM.withoutLastLine) }
    }

    @Test func `a flipped byte is refused or read without a crash`() throws {
        let authority = try CertificateAuthority(names: usualNames, now: Self.now)
        let leaf = try authority.issueServerCertificate(names: usualNames, now: Self.now)
        let content = leaf.certificatePEM.pemContent
        let good = try CertificateFacts(pem: leaf.certificatePEM)
        for position in content.indices {
            var spoiled = content
            spoiled[position] ^= 0x21
            do {
                let facts = try CertificateFacts(pem: spoiled.pem("CERTIFICATE"))
                #expect(facts != good)
                let isIssued = try facts.isIssued(by: authority.certificatePEM)
                #expect(!isIssued, "byte \(position)")
            } catch { #expect(error is CertificateError || error is OpenSSLError, "\(error)") }
            #expect(OpenSSLError.drain("test").messages.isEmpty)
        }
    }
}
