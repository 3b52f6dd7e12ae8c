import Foundation
import MockAPNs
import MockAPNsCrypto
import MockAPNsInspector
import Testing

@testable import mock_apns

/// The authority of the user's own certificate.
@Suite struct ServeCredentialsTests {
    private let directory = NSTemporaryDirectory() + "mock-apns-\(UUID().uuidString)"

    private func write(_ text: String, _ name: String) throws -> String {
        try AtomicFile.makeDirectory(directory)
        try AtomicFile.save(text.utf8, to: "\(directory)/\(name)", access: .owner)
        return "\(directory)/\(name)"
    }

    private func facts(_ arguments: [String]) throws -> Inspector.Facts {
        let all = ["serve", "--certs-dir", "\(directory)/certs"] + arguments
        let command = try MockAPNsCommand.parseAsRoot(all)
        guard let serve = command as? ServeCommand else { throw CommandFailure(.internalError, "not serve") }
        var settings = try ServeSettings(serve.options, environment: [:], processors: 8)
        settings.isTemporary = true
        try settings.readCredentials()
        return settings.facts
    }

    @Test func `the authority is the one given, or the root of the chain`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let made = try ServerCertificate.make(additionalNames: [])
        let stranger = try ServerCertificate.make(additionalNames: [])
        let leaf = made.identity.certificateChainPEM
        let key = ["--tls-key", try write(made.identity.privateKeyPEM, "key.pem")]
        let alone = ["--tls-cert", try write(leaf, "leaf.pem")] + key
        let chain = try write(leaf + made.authorityPEM, "chain.pem")
        let authority = try write(made.authorityPEM, "ca.pem")
        let foreign = try write(stranger.authorityPEM, "foreign.pem")

        // As with a certificate of a public authority.
        #expect(try facts(alone).certificateAuthority == nil)

        let found = try #require(try facts(["--tls-cert", chain] + key).certificateAuthority)
        #expect(found.file == chain)
        #expect(try CertificateFacts(pem: found.pem) == CertificateFacts(pem: made.authorityPEM))

        let out = "\(directory)/out.pem"
        let more = ["--tls-ca", authority, "--ca-out", out]
        let named = try #require(try facts(alone + more).certificateAuthority)
        #expect(named.file == authority && named.fingerprint == found.fingerprint)
        #expect(try AtomicFile.text(at: out) == named.pem)

        for (more, message) in [
            (["--tls-ca", foreign], "did not issue the certificate in \(directory)/leaf.pem"),
            (["--tls-ca", "\(directory)/none.pem"], "none.pem': file not found"),
            (["--tls-ca", "\(directory)/key.pem"], "invalid --tls-cert or --tls-ca:"),
            (["--ca-out", out], "--ca-out: no CA certificate is known for --tls-cert"),
        ] {
            let failure = #expect(throws: CommandFailure.self) { try facts(alone + more) }
            #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "none")")
        }
    }
}
