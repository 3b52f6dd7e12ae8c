import Foundation
import MockAPNs
import MockAPNsCrypto
import Testing

@testable import mock_apns

/// The files created at the first start and used again.
@Suite struct CertificateDirectoryTests {
    private static let now = SystemFacts.now

    private func withDirectory(_ use: (CertificateDirectory) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "mock-apns-\(UUID().uuidString)/nested/certs"
        defer {
            do { try FileManager.default.removeItem(atPath: String(path.dropLast("/nested/certs".count))) } catch {
                Issue.record(error)
            }
        }
        try use(CertificateDirectory(path: path))
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    @Test func `the first start creates everything and reports it`() throws {
        try withDirectory { directory in
            let contents = try directory.certificate(additionalNames: ["extra.test"], now: Self.now)
            #expect(contents.note?.contains("none found") == true)
            #expect(contents.note?.contains("let clients trust \(directory.authorityPath)") == true)
            #expect(try mode(directory.keyPath) == 0o600)
            #expect(try mode(directory.certificatePath) == 0o644)
            #expect(try mode(directory.authorityPath) == 0o644)
            let facts = try CertificateFacts(pem: contents.identity.certificateChainPEM)
            #expect(facts.names.all.contains("extra.test"))
            #expect(Set(facts.names.all).isSuperset(of: ServerCertificate.standardNames))
            #expect(try facts.isIssued(by: contents.authorityPEM))
            #expect(AtomicFile.names(in: directory.path).filter { $0.contains("tmp") } == [])
            #expect(try mode(directory.expiredPath) == 0o600)
            #expect(try mode(directory.wrongHostPath) == 0o600)
        }
    }

    @Test func `the second start uses the same files`() throws {
        try withDirectory { directory in
            let first = try directory.certificate(additionalNames: [], now: Self.now)
            let second = try directory.certificate(additionalNames: [], now: Self.now)
            #expect(second.note == nil)
            #expect(second.authorityPEM == first.authorityPEM)
            #expect(second.identity.privateKeyPEM == first.identity.privateKeyPEM)
        }
    }

    @Test func `keeps the certificates of faults`() throws {
        try withDirectory { directory in
            let first = try directory.certificate(additionalNames: [], now: Self.now)
            let second = try directory.certificate(additionalNames: [], now: Self.now)
            let (made, kept) = try (#require(first.faultyCertificates), #require(second.faultyCertificates))
            for (made, kept) in [(made.expired, kept.expired), (made.wrongHost, kept.wrongHost)] {
                let (facts, keptFacts) = try (
                    CertificateFacts(pem: made.certificateChainPEM), CertificateFacts(pem: kept.certificateChainPEM)
                )
                #expect(facts == keptFacts)
                #expect(try facts.matches(privateKeyPEM: kept.privateKeyPEM))
                #expect(try facts.isIssued(by: second.authorityPEM))
            }
        }
    }

    @Test func `uses the directory of an older version`() throws {
        try withDirectory { directory in
            let first = try directory.certificate(additionalNames: [], now: Self.now)
            try FileManager.default.removeItem(atPath: directory.expiredPath)
            let second = try directory.certificate(additionalNames: [], now: Self.now)
            #expect(second.note == nil)
            #expect(second.authorityPEM == first.authorityPEM)
            #expect(second.faultyCertificates == nil)
        }
    }

    /// Older versions did not know all of Apple's hosts.
    @Test func `replaces a certificate that lacks a standard name`() throws {
        try withDirectory { directory in
            let names = try CertificateNames(parsing: Array(ServerCertificate.standardNames.dropLast()))
            let authority = try CertificateAuthority(names: names, now: Self.now)
            let issued = try authority.issueServerCertificate(names: names, now: Self.now)
            try AtomicFile.makeDirectory(directory.path)
            try AtomicFile.save(issued.keyPEM.utf8, to: directory.keyPath, access: .owner)
            try AtomicFile.save(issued.certificatePEM.utf8, to: directory.certificatePath, access: .everyone)
            try AtomicFile.save(authority.certificatePEM.utf8, to: directory.authorityPath, access: .everyone)
            let contents = try directory.certificate(additionalNames: [], now: Self.now)
            #expect(contents.note?.contains("lacks a name") == true)
            let facts = try CertificateFacts(pem: contents.identity.certificateChainPEM)
            #expect(Set(facts.names.all) == Set(ServerCertificate.standardNames))
        }
    }

    @Test func `fewer names or another host name create nothing`() throws {
        try withDirectory { directory in
            let first = try directory.certificate(
                additionalNames: ["a.test", "b.test"], hostName: "first.test", now: Self.now)
            #expect(try CertificateFacts(pem: first.identity.certificateChainPEM).names.all.contains("first.test"))
            let second = try directory.certificate(additionalNames: ["b.test"], hostName: "second.test", now: Self.now)
            #expect(second.note == nil)
            #expect(second.authorityPEM == first.authorityPEM)
        }
    }

    @Test func `processes that start together share the files`() async throws {
        let path = NSTemporaryDirectory() + "mock-apns-\(UUID().uuidString)"
        let directory = CertificateDirectory(path: path)
        let made = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let contents = try directory.certificate(additionalNames: [], now: Self.now)
                    return [contents.authorityPEM, try directory.developmentKey().key.keyID]
                }
            }
            return try await group.reduce(into: Set<[String]>()) { $0.insert($1) }
        }
        #expect(made.count == 1)
        try FileManager.default.removeItem(atPath: path)
    }

    @Test func `the user's own key is not a development key`() throws {
        try withDirectory { directory in
            let own = try DevelopmentKey.make(keyID: "AAAAAAAAAA", teamID: "TEAM123456")
            try AtomicFile.makeDirectory(directory.path)
            try AtomicFile.save(own.privateKeyPEM.utf8, to: "\(directory.path)/AuthKey_AAAAAAAAAA.p8", access: .owner)
            #expect(try directory.existingDevelopmentKey() == nil)
            #expect(try directory.developmentKey().key.keyID.hasPrefix("MOCK"))
        }
    }

    @Test func `other names make another certificate`() throws {
        try withDirectory { directory in
            let first = try directory.certificate(additionalNames: [], now: Self.now)
            let second = try directory.certificate(additionalNames: ["more.test"], now: Self.now)
            #expect(second.note?.contains("lacks a name") == true)
            #expect(second.authorityPEM != first.authorityPEM)
            #expect(try directory.certificate(additionalNames: ["more.test"], now: Self.now).note == nil)
        }
    }

    @Test func `an expired certificate is renewed`() throws {
        try withDirectory { directory in
            _ = try directory.certificate(additionalNames: [], now: Self.now)
            let day: Int64 = 86_400
            #expect(try directory.certificate(additionalNames: [], now: Self.now + 363 * day).note == nil)
            let renewed = try directory.certificate(additionalNames: [], now: Self.now + 366 * day)
            #expect(renewed.note?.contains("expired") == true)
        }
    }

    @Test func `replaces the authority of an older version`() throws {
        try withDirectory { directory in
            _ = try directory.certificate(additionalNames: [], now: Self.now)
            try AtomicFile.save(Self.constrainedAuthority.utf8, to: directory.authorityPath, access: .everyone)
            let renewed = try directory.certificate(additionalNames: [], now: Self.now)
            let note = try #require(renewed.note)
            #expect(note.contains("clients with BoringSSL, such as SwiftNIO, reject it"))
            #expect(note.contains("replace copies of the old ca.pem by \(directory.authorityPath)"))
            #expect(try !CertificateFacts(pem: renewed.authorityPEM).constrainsAddresses)
            #expect(try directory.certificate(additionalNames: [], now: Self.now).note == nil)
        }
    }

    /// An authority with IP addresses in its name constraints, as older versions made them.
    private static let constrainedAuthority = """
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

    @Test(arguments: ["ca.pem", "server.pem", "server-key.pem", "fault-expired.pem", "fault-wrong-host.pem"])
    func `a damaged or foreign file is replaced`(_ name: String) throws {
        try withDirectory { directory in
            _ = try directory.certificate(additionalNames: [], now: Self.now)
            try AtomicFile.save("not a certificate\n".utf8, to: "\(directory.path)/\(name)", access: .owner)
            #expect(
                try directory.certificate(additionalNames: [], now: Self.now).note?.contains("cannot read the old one")
                    == true)
            let other = try ServerCertificate.make(additionalNames: [])
            let faulty = other.faultyCertificates.expired
            let foreign =
                switch name {
                case "ca.pem": other.authorityPEM
                case "server.pem": other.identity.certificateChainPEM
                case "server-key.pem": other.identity.privateKeyPEM
                default: faulty.certificateChainPEM + faulty.privateKeyPEM
                }
            try AtomicFile.save(foreign.utf8, to: "\(directory.path)/\(name)", access: .owner)
            let note = try directory.certificate(additionalNames: [], now: Self.now).note
            #expect(note?.contains("do not match each other") == true)
            #expect(try directory.certificate(additionalNames: [], now: Self.now).note == nil)
        }
    }

    @Test func `the development key is created once`() throws {
        try withDirectory { directory in
            #expect(try directory.existingDevelopmentKey() == nil)
            let made = try directory.developmentKey()
            #expect(made.isNew)
            #expect(made.path.hasSuffix("/AuthKey_\(made.key.keyID).p8"))
            #expect(try mode(made.path) == 0o600)
            let again = try directory.developmentKey()
            #expect(!again.isNew)
            #expect(again.key.keyID == made.key.keyID)
            #expect(again.key.privateKeyPEM == made.key.privateKeyPEM)
            try AtomicFile.save("broken".utf8, to: made.path, access: .owner)
            #expect(throws: CommandFailure.self) { try directory.developmentKey() }
        }
    }
}
