import Foundation
import Testing

@testable import MockAPNsCrypto

/// The names a server is expected to go by.
let usualNames = CertificateNames(
    dnsNames: [
        "localhost", "some-host-name", "mock-apns", "host.docker.internal", "api.push.apple.com",
        "api.sandbox.push.apple.com", "api.development.push.apple.com",
    ], ipAddresses: ["127.0.0.1", "::1"])

private let day: Int64 = 86_400

/// `openssl verify` with the strictest settings, on a server certificate and the authority as only root.
private func verify(
    _ leaf: String, by authority: String, at time: Int64? = nil, _ arguments: [String]
) throws -> OpenSSLTool.Run {
    var options = ["verify", "-CAfile", "ca.pem", "-no-CApath", "-x509_strict", "-purpose", "sslserver"]
    if let time { options += ["-attime", "\(time)"] }
    return try OpenSSLTool.run(
        options + arguments + ["server.pem"], files: ["ca.pem": Data(authority.utf8), "server.pem": Data(leaf.utf8)])
}

@Suite struct CertificateAuthorityTests {
    static let now = Int64(Date().timeIntervalSince1970)

    @Test func `issues what the OpenSSL command accepts`() throws {
        let authority = try CertificateAuthority(names: usualNames, now: Self.now)
        let leaf = try authority.issueServerCertificate(names: usualNames, now: Self.now)
        for name in usualNames.dnsNames {
            let run = try verify(leaf.certificatePEM, by: authority.certificatePEM, ["-verify_hostname", name])
            #expect(run.status == 0, "\(name): \(run.errors)")
        }
        for address in usualNames.ipAddresses {
            let run = try verify(leaf.certificatePEM, by: authority.certificatePEM, ["-verify_ip", address])
            #expect(run.status == 0, "\(address): \(run.errors)")
        }
    }

    @Test(arguments: [
        ["-verify_hostname", "example.com"], ["-verify_hostname", "apple.com"], ["-verify_ip", "127.0.0.2"],
        ["-verify_hostname", "sub.localhost"], ["-purpose", "sslclient"],
    ]) func `a server certificate is refused for every other use`(_ arguments: [String]) throws {
        let authority = try CertificateAuthority(names: usualNames, now: Self.now)
        let leaf = try authority.issueServerCertificate(names: usualNames, now: Self.now)
        let run = try verify(leaf.certificatePEM, by: authority.certificatePEM, arguments)
        #expect(run.status != 0)
    }

    /// What an authority is for, what it is asked for, whether it issues that, and whether OpenSSL would accept it
    /// all the same.
    static let constrained: [(permitted: [String], wanted: [String], issues: Bool, accepted: Bool)] = [
        (["localhost"], ["localhost"], true, true), (["localhost"], ["below.localhost"], true, true),
        (["localhost"], ["example.com"], false, false), (["localhost"], ["localhost", "example.com"], false, false),
        (["localhost"], ["notlocalhost"], false, false), (["api.push.apple.com"], ["apple.com"], false, false),
        (["api.push.apple.com"], ["www.apple.com"], false, false), (["127.0.0.1"], ["127.0.0.1"], true, true),
        (["127.0.0.1"], ["localhost"], false, false), (["127.0.0.1"], ["example.com"], false, false),
        (["::1"], ["::1"], true, true),
        // Addresses are not in the constraints, because BoringSSL refuses those.
        (["localhost"], ["127.0.0.1"], false, true), (["localhost"], ["::1"], false, true),
        (["127.0.0.1"], ["127.0.0.2"], false, true), (["::1"], ["127.0.0.1"], false, true),
    ]

    @Test(arguments: constrained) func `constraints hold even for what the authority would not issue`(
        _ example: (permitted: [String], wanted: [String], issues: Bool, accepted: Bool)
    ) throws {
        let authority = try CertificateAuthority(names: try CertificateNames(parsing: example.permitted), now: Self.now)
        let wanted = try CertificateNames(parsing: example.wanted)
        let leaf = try authority.issue(names: wanted, validity: (Self.now - day)...(Self.now + day))
        let run = try verify(leaf.certificatePEM, by: authority.certificatePEM, [])
        #expect((run.status == 0) == example.accepted, "\(run.errors)")
        #expect(run.errors.contains("subtree violation") != example.accepted)
        if example.issues {
            #expect(throws: Never.self) { try authority.issueServerCertificate(names: wanted, now: Self.now) }
        } else {
            let error = #expect(throws: CertificateError.self) {
                try authority.issueServerCertificate(names: wanted, now: Self.now)
            }
            #expect(error.flatMap(caseName) == "nameNotPermitted")
        }
    }

    @Test func `authority has the expected extensions`() throws {
        let authority = try CertificateAuthority(names: usualNames, now: Self.now)
        let text = try OpenSSLTool.text(["x509", "-noout", "-text", "-in", "in"], input: authority.certificatePEM)
        for line in [
            "X509v3 Basic Constraints: critical\n                CA:TRUE, pathlen:0\n",
            "X509v3 Key Usage: critical\n                Certificate Sign, CRL Sign\n",
            "X509v3 Subject Key Identifier: \n", "X509v3 Name Constraints: critical\n", "DNS:localhost\n",
            "NIST CURVE: P-256\n", "ecdsa-with-SHA256\n", "Version: 3 (0x2)\n",
        ] { #expect(text.contains(line), "\(line)\n\(text)") }
        #expect(!text.contains("IP:"))
        let subject = try CertificateFacts(pem: authority.certificatePEM).subject
        let keyID = text.components(separatedBy: "X509v3 Subject Key Identifier: \n").last?.trimmingCharacters(
            in: .whitespaces
        ).prefix(11).replacingOccurrences(of: ":", with: "").lowercased()
        #expect(subject == "CN=mock-apns CA \(keyID ?? "")")
        #expect(!authority.certificatePEM.contains("PRIVATE"))
    }

    @Test func `can issue a certificate that has expired`() throws {
        let authority = try CertificateAuthority(names: usualNames, now: Self.now)
        let leaf = try authority.issueExpiredServerCertificate(names: usualNames, now: Self.now)
        let facts = try CertificateFacts(pem: leaf.certificatePEM)
        #expect(facts.notAfter == Self.now - day)
        #expect(facts.notBefore == Self.now - 31 * day)
        #expect(facts.names == usualNames)
        #expect(try facts.matches(privateKeyPEM: leaf.keyPEM))
        // That it has run out is all that is wrong with it.
        let hostName = ["-verify_hostname", "localhost"]
        let run = try verify(leaf.certificatePEM, by: authority.certificatePEM, hostName)
        #expect(run.status != 0)
        #expect(run.errors.contains("certificate has expired"))
        let then = try verify(leaf.certificatePEM, by: authority.certificatePEM, hostName + ["-no_check_time"])
        #expect(then.status == 0, "\(then.errors)")
        #expect(throws: CertificateError.badTime(0)) {
            try authority.issueExpiredServerCertificate(names: usualNames, now: 0)
        }
        let foreign = CertificateNames(dnsNames: ["example.com"])
        #expect(throws: CertificateError.nameNotPermitted("example.com")) {
            try authority.issueExpiredServerCertificate(names: foreign, now: Self.now)
        }
    }

    @Test func `leaf has the expected extensions`() throws {
        let authority = try CertificateAuthority(names: usualNames, now: Self.now)
        let leaf = try authority.issueServerCertificate(names: usualNames, now: Self.now)
        let text = try OpenSSLTool.text(["x509", "-noout", "-text", "-in", "in"], input: leaf.certificatePEM)
        for line in [
            "X509v3 Basic Constraints: critical\n                CA:FALSE\n",
            "X509v3 Key Usage: critical\n                Digital Signature\n",
            "X509v3 Extended Key Usage: \n                TLS Web Server Authentication\n",
            "X509v3 Subject Key Identifier: \n", "X509v3 Authority Key Identifier: \n", "Subject: CN = localhost\n",
            "IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1\n",
        ] { #expect(text.contains(line), "\(line)\n\(text)") }
        #expect(leaf.keyPEM.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(!leaf.certificatePEM.contains("PRIVATE"))
    }

    @Test func `every serial number and key is new`() throws {
        let authority = try CertificateAuthority(names: usualNames, now: Self.now)
        var seen: Set<String> = []
        for _ in 0..<8 {
            let leaf = try authority.issueServerCertificate(names: usualNames, now: Self.now)
            let text = try OpenSSLTool.text(["x509", "-noout", "-serial", "-in", "in"], input: leaf.certificatePEM)
            #expect(text.count > "serial=".count + 24)
            #expect(seen.insert(text).inserted)
            #expect(seen.insert(leaf.keyPEM).inserted)
        }
    }

    @Test func `validity is a year and never past the authority`() throws {
        let authority = try CertificateAuthority(names: usualNames, now: Self.now)
        let facts = try CertificateFacts(pem: authority.certificatePEM)
        #expect(facts.notBefore == Self.now - day)
        #expect(facts.notAfter == Self.now + 365 * day)

        func leaf(at time: Int64) throws -> CertificateFacts {
            let leaf = try authority.issueServerCertificate(names: usualNames, now: time)
            return try CertificateFacts(pem: leaf.certificatePEM)
        }
        let later = try leaf(at: Self.now + 300 * day)
        #expect(later.notBefore == Self.now + 299 * day)
        #expect(later.notAfter == facts.notAfter)
        let earlier = try leaf(at: Self.now - day)
        #expect(earlier.notBefore == facts.notBefore)
        #expect(earlier.notAfter == Self.now + 364 * day)

        for time in [facts.notBefore - 1, facts.notAfter + 1, 0, Int64.min, Int64.max] {
            let error = #expect(throws: CertificateError.self) { try leaf(at: time) }
            #expect(error.flatMap(caseName) == "authorityNotValid")
        }
        let leafPEM = try authority.issueServerCertificate(names: usualNames, now: Self.now).certificatePEM
        for time in [facts.notBefore - 10, facts.notAfter + 10] {
            #expect(try verify(leafPEM, by: authority.certificatePEM, at: time, []).status != 0)
        }
    }

    @Test(arguments: [1_000_000, 2_524_607_999, 4_000_000_000, 253_370_764_799]) func `writes times far away`(
        _ now: Int64
    ) throws {
        let authority = try CertificateAuthority(names: usualNames, now: now)
        let leaf = try authority.issueServerCertificate(names: usualNames, now: now)
        let facts = try CertificateFacts(pem: leaf.certificatePEM)
        #expect(facts.notBefore == now - day)
        #expect(facts.notAfter == now + 365 * day)
        #expect(try verify(leaf.certificatePEM, by: authority.certificatePEM, at: now, []).status == 0)
    }

    @Test(arguments: [Int64.min, -1, 0, 253_402_300_799, Int64.max]) func `refuses times that cannot be written`(
        _ now: Int64
    ) {
        let error = #expect(throws: CertificateError.self) { try CertificateAuthority(names: usualNames, now: now) }
        #expect(error.flatMap(caseName) == "badTime")
    }

    @Test func `refuses an empty list of names, and invalid names`() throws {
        let none = #expect(throws: CertificateError.self) {
            try CertificateAuthority(names: CertificateNames(), now: Self.now)
        }
        #expect(none == .noNames)
        let bad = #expect(throws: CertificateError.self) {
            try CertificateAuthority(names: CertificateNames(dnsNames: ["a,permitted;DNS:b"]), now: Self.now)
        }
        #expect(bad.flatMap(caseName) == "badName")
        let authority = try CertificateAuthority(names: usualNames, now: Self.now)
        let noneToo = #expect(throws: CertificateError.self) {
            try authority.issueServerCertificate(names: CertificateNames(), now: Self.now)
        }
        #expect(noneToo == .noNames)
    }

    @Test func `the common name is the first host name of at most 64 characters`() throws {
        let long = Array(repeating: "abcdefg", count: 9).joined(separator: ".")
        let cases: [([String], String)] = [
            (["\(long).test", "localhost"], "CN=localhost"), (["::1"], "CN=mock-apns server"),
            (["127.0.0.1", "b.test", "a.test"], "CN=b.test"),
        ]
        for (list, subject) in cases {
            let names = try CertificateNames(parsing: list)
            let authority = try CertificateAuthority(names: names, now: Self.now)
            let leaf = try authority.issueServerCertificate(names: names, now: Self.now)
            #expect(try CertificateFacts(pem: leaf.certificatePEM).subject == subject)
            #expect(try verify(leaf.certificatePEM, by: authority.certificatePEM, []).status == 0)
        }
    }

    @Test func `issues from many threads at once`() async throws {
        let authority = try CertificateAuthority(names: usualNames, now: Self.now)
        let issued = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let leaf = try authority.issueServerCertificate(names: usualNames, now: Self.now)
                    return try CertificateFacts(pem: leaf.certificatePEM).isIssued(by: authority.certificatePEM)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(issued == Array(repeating: true, count: 8))
    }
}
