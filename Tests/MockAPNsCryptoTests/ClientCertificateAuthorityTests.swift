import Foundation
import Testing

@testable import MockAPNsCrypto

@Suite struct ClientCertificateAuthorityTests {
    static let now = Int64(Date().timeIntervalSince1970)

    /// What `openssl verify` says of a certificate with the authority as only root.
    private func verify(_ leaf: String, by authority: String, as purpose: String) throws -> OpenSSLTool.Run {
        try OpenSSLTool.run(
            ["verify", "-CAfile", "ca.pem", "-no-CApath", "-x509_strict", "-purpose", purpose, "leaf.pem"],
            files: ["ca.pem": Data(authority.utf8), "leaf.pem": Data(leaf.utf8)])
    }

    @Test func `a client certificate is valid for clients only`() throws {
        let authority = try ClientCertificateAuthority(now: Self.now)
        let leaf = try authority.issueUsual(now: Self.now)
        let client = try verify(leaf.certificatePEM, by: authority.certificatePEM, as: "sslclient")
        #expect(client.status == 0, "\(client.errors)")
        #expect(try verify(leaf.certificatePEM, by: authority.certificatePEM, as: "sslserver").status != 0)
        let facts = try CertificateFacts(pem: leaf.certificatePEM)
        #expect(try facts.isIssued(by: authority.certificatePEM))
        #expect(try facts.matches(privateKeyPEM: leaf.keyPEM))
        let text = ["x509", "-in", "in", "-noout", "-text"]
        #expect(try OpenSSLTool.text(text, input: leaf.certificatePEM).contains("CA:FALSE"))
        #expect(facts.names.isEmpty)
        let other = try ClientCertificateAuthority(now: Self.now)
        #expect(try verify(leaf.certificatePEM, by: other.certificatePEM, as: "sslclient").status != 0)
    }

    /// A server's certificate that the authority signed all the same would not be taken.
    @Test func `an authority for clients vouches for no server`() throws {
        let authority = try ClientCertificateAuthority(now: Self.now)
        let text = try OpenSSLTool.text(["x509", "-in", "in", "-noout", "-text"], input: authority.certificatePEM)
        #expect(text.contains("TLS Web Client Authentication") && !text.contains("TLS Web Server"))
        #expect(text.contains("CA:TRUE, pathlen:0"))
        let run = try verify(authority.certificatePEM, by: authority.certificatePEM, as: "sslserver")
        #expect(run.status != 0)
    }

    @Test func `subject and extensions are as asked for`() throws {
        let authority = try ClientCertificateAuthority(now: Self.now)
        let leaf = try authority.issueUsual(now: Self.now)
        let subject = try OpenSSLTool.text(
            ["x509", "-in", "in", "-noout", "-subject", "-nameopt", "RFC2253"], input: leaf.certificatePEM)
        #expect(subject == "subject=CN=Push Services: com.example.app,UID=com.example.app\n")
        let structure = try OpenSSLTool.text(["asn1parse", "-in", "in"], input: leaf.certificatePEM)
        let lines = structure.split(separator: "\n").map(String.init)
        for (identifier, content) in [
            ("1.2.840.113635.100.6.3.1", "[HEX DUMP]:0500"), ("1.2.3.4", "[HEX DUMP]:0C026869"),
        ] {
            let place = try #require(lines.firstIndex { $0.hasSuffix(":\(identifier)") })
            #expect(lines[place + 1].hasSuffix(content))
        }
    }

    /// Names of such certificates are longer than RFC 5280 allows common names to be.
    @Test func `a name of any length is kept whole`() throws {
        let name = "Push Services: " + String(repeating: "a.", count: 100) + "é"
        let authority = try ClientCertificateAuthority(now: Self.now)
        let leaf = try authority.issue(userID: name, commonName: name, extensions: [], now: Self.now)
        #expect(try CertificateFacts(pem: leaf.certificatePEM).subject == "CN=\(name),UID=\(name)")
    }

    @Test func `nothing is issued outside the authority's time`() throws {
        let authority = try ClientCertificateAuthority(now: Self.now)
        let life: Int64 = 10 * 365 * 86_400
        for time in [Self.now - 2 * 86_400, Self.now + life + 1] {
            let error = #expect(throws: CertificateError.self) { try authority.issueUsual(now: time) }
            #expect(error.flatMap(caseName) == "authorityNotValid")
        }
        let late = try authority.issueUsual(now: Self.now + life)
        #expect(try CertificateFacts(pem: late.certificatePEM).notAfter == Self.now + life)
        #expect(throws: CertificateError.badTime(-1)) { try ClientCertificateAuthority(now: -1) }
    }

    @Test(arguments: ["secret", "päss wörd", "\"'$\\", "x"]) func `a file opens with its password`(
        _ password: String
    ) throws {
        let leaf = try ClientCertificateAuthority(now: Self.now).issueUsual(now: Self.now)
        let file = Data(try leaf.pkcs12(password: password, name: "com.example.app"))
        func open(_ password: String, _ more: [String]) throws -> OpenSSLTool.Run {
            try OpenSSLTool.run(
                ["pkcs12", "-in", "in.p12", "-passin", "file:word"] + more,
                files: ["in.p12": file, "word": Data((password + "\n").utf8)])
        }
        let whole = try open(password, ["-nodes"])
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(whole.text.contains("friendlyName: com.example.app"))
        #expect(
            try CertificateFacts(pem: whole.text).fingerprint == CertificateFacts(pem: leaf.certificatePEM).fingerprint)
        #expect(try CertificateFacts(pem: leaf.certificatePEM).matches(privateKeyPEM: whole.text))
        // Go's reader takes one certificate and no more.
        #expect(whole.text.split(separator: "-----BEGIN CERTIFICATE-----").count == 2)
        #expect(try open(password + "x", ["-nodes"]).status != 0)
        let info = try open(password, ["-info", "-noout"])
        for word in ["MAC: sha1", "pbeWithSHA1And3-KeyTripleDES-CBC"] {
            #expect((info.text + info.errors).contains(word), "\(info.errors)")
        }
    }
}

extension ClientCertificateAuthority {
    fileprivate func issueUsual(now: Int64) throws -> IssuedCertificate {
        try issue(
            userID: "com.example.app", commonName: "Push Services: com.example.app",
            extensions: [("1.2.840.113635.100.6.3.1", [5, 0]), ("1.2.3.4", [0x0c, 2, 0x68, 0x69])], now: now)
    }
}
