internal import MockAPNs
internal import MockAPNsCrypto
internal import MockAPNsInspector
internal import MockAPNsRules

/// The certificates and keys of `serve`: the user's own, or those of the directory.
struct ServeCredentials {
    typealias Authority = Inspector.Facts.CertificateAuthority

    /// The certificate that clients have to trust; `nil` when the user's own certificate has no known authority.
    let authority: Authority?
    let developmentKey: CertificateDirectory.Key

    /// Reads or creates them, reports new files unless they are temporary, and puts them into the configuration.
    init(_ settings: inout ServeSettings) throws {
        let directory = settings.certificates
        if let own = settings.ownCertificate {
            let chain = try AtomicFile.pem(own.chain, option: "--tls-cert")
            settings.configuration.identity = Configuration.Identity(
                certificateChainPEM: chain,
                privateKeyPEM: try AtomicFile.pem(own.key, option: "--tls-key")
            )
            authority = try CommandFailure.explaining("invalid --tls-cert or --tls-ca") {
                try Self.authority(
                    of: CertificateFacts.chain(pem: chain),
                    in: own.chain,
                    given: own.authority
                )
            }
        } else {
            let contents = try directory.certificate(
                additionalNames: settings.additionalNames,
                hostName: SystemFacts.hostName,
                now: SystemFacts.now
            )
            if !settings.isTemporary, let note = contents.note { Console.note(note) }
            settings.configuration.identity = contents.identity
            settings.configuration.faultyCertificates = contents.faultyCertificates
            let facts = try CertificateFacts(pem: contents.authorityPEM)
            authority = Self.described(facts, file: directory.authorityPath)
        }
        if let file = settings.authorityOut {
            guard let authority else {
                let problem = "--ca-out: no CA certificate is known for --tls-cert; add --tls-ca"
                throw CommandFailure(.badConfiguration, problem)
            }
            try AtomicFile.save(authority.pem.utf8, to: file, access: .everyone)
        }
        developmentKey = try directory.developmentKey()
        let key = developmentKey.key
        if !settings.isTemporary, developmentKey.isNew {
            let ids = "key id \(key.keyID), team id \(key.teamID)"
            Console.note("created a development key: \(developmentKey.path), \(ids)")
        }
        if !settings.configuration.keys.contains(where: { $0.key.keyID == key.keyID }) {
            settings.configuration.keys.append(key.configured)
        }
    }

    /// The certificate that clients need to trust the user's own: the one in the file of `--tls-ca`, or the self-signed
    /// one in the chain.
    ///
    /// Returns `nil` when there is neither, as with a certificate of a public authority.
    private static func authority(
        of chain: [CertificateFacts],
        in chainFile: String,
        given file: String?
    ) throws -> Authority? {
        guard let file else {
            return chain.first(where: \.isSelfIssued).map { described($0, file: chainFile) }
        }
        let authority = try CertificateFacts(pem: try AtomicFile.pem(file, option: "--tls-ca"))
        guard try chain.contains(where: { try $0.isIssued(by: authority.certificatePEM) }) else {
            throw CommandFailure(
                .badConfiguration,
                "invalid --tls-ca '\(file)': \(authority.subject) did not issue the certificate in \(chainFile)"
            )
        }
        return described(authority, file: file)
    }

    private static func described(_ facts: CertificateFacts, file: String) -> Authority {
        Authority(pem: facts.certificatePEM, file: file, fingerprint: facts.fingerprint)
    }
}
