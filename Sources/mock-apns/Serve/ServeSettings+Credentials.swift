internal import MockAPNs
internal import MockAPNsCrypto
internal import MockAPNsInspector
internal import MockAPNsRules

extension ServeSettings {
    private typealias Authority = Inspector.Facts.CertificateAuthority

    /// The file of the certificate that clients have to trust, as it was given.
    var authorityFile: String { ownCertificate.map { $0.authority ?? $0.chain } ?? certificates.authorityPath }

    /// Reads or creates the certificate and the development key, and reports new files unless they are temporary.
    mutating func readCredentials() throws {
        if let own = ownCertificate {
            let chain = try AtomicFile.pem(own.chain, option: "--tls-cert")
            configuration.identity = Configuration.Identity(
                certificateChainPEM: chain, privateKeyPEM: try AtomicFile.pem(own.key, option: "--tls-key"))
            facts.certificateAuthority = try CommandFailure.explaining("invalid --tls-cert or --tls-ca") {
                let issued = try CertificateFacts.chain(pem: chain)
                return try Self.authority(of: issued, in: own.chain, given: own.authority)
            }
        } else {
            let contents = try certificates.certificate(
                additionalNames: additionalNames, hostName: SystemFacts.hostName, now: SystemFacts.now)
            if !isTemporary, let note = contents.note { Console.note(note) }
            configuration.identity = contents.identity
            configuration.faultyCertificates = contents.faultyCertificates
            let authority = try CertificateFacts(pem: contents.authorityPEM)
            facts.certificateAuthority = Self.described(authority, file: certificates.authorityPath)
        }
        configuration.clientCertificates.stored = try certificates.clientCertificates()
        configuration.clientCertificates.store = { [certificates] in try certificates.store($0) }
        if let file = authorityOut {
            guard let authority = facts.certificateAuthority else {
                let problem = "--ca-out: no CA certificate is known for --tls-cert; add --tls-ca"
                throw CommandFailure(.badConfiguration, problem)
            }
            try AtomicFile.save(authority.pem.utf8, to: file, access: .everyone)
        }
        let development = try certificates.developmentKey()
        let key = development.key
        facts.developmentKey = .init(
            keyID: key.keyID, teamID: key.teamID, path: SystemFacts.absolutePath(development.path))
        if !isTemporary, development.isNew {
            let ids = "key id \(key.keyID), team id \(key.teamID)"
            Console.note("created a development key: \(development.path), \(ids)")
        }
        if !configuration.keys.contains(where: { $0.key.keyID == key.keyID }) {
            configuration.keys.append(key.configured)
        }
    }

    /// The certificate that clients need to trust the user's own: the one in the file of `--tls-ca`, or the self-signed
    /// one in the chain.
    ///
    /// Returns `nil` when there is neither, as with a certificate of a public authority.
    private static func authority(
        of chain: [CertificateFacts], in chainFile: String, given file: String?
    ) throws -> Authority? {
        guard let file else { return chain.first(where: \.isSelfIssued).map { described($0, file: chainFile) } }
        let authority = try CertificateFacts(pem: try AtomicFile.pem(file, option: "--tls-ca"))
        guard try chain.contains(where: { try $0.isIssued(by: authority.certificatePEM) }) else {
            throw CommandFailure(
                .badConfiguration,
                "invalid --tls-ca '\(file)': \(authority.subject) did not issue the certificate in \(chainFile)")
        }
        return described(authority, file: file)
    }

    private static func described(_ facts: CertificateFacts, file: String) -> Authority {
        Authority(pem: facts.certificatePEM, file: SystemFacts.absolutePath(file), fingerprint: facts.fingerprint)
    }
}
