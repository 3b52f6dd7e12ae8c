internal import MockAPNs
internal import MockAPNsCrypto
internal import MockAPNsInspector
internal import MockAPNsRules

/// The certificates and keys that `serve` uses: the user's own, or those of the directory.
struct ServeCredentials {
    /// What clients have to trust; `nil` when the user brought a certificate, and no authority for it.
    let authority: Inspector.Facts.CertificateAuthority?
    let developmentKey: CertificateDirectory.Key

    /// Reads or makes them, says what was made if it stays, and puts them into the configuration.
    init(_ settings: inout ServeSettings, isForOnce: Bool = false) throws {
        let directory = settings.certificates
        if let own = settings.ownCertificate {
            settings.configuration.identity = Configuration.Identity(
                certificateChainPEM: try Self.read(own.chain, "--tls-cert"),
                privateKeyPEM: try Self.read(own.key, "--tls-key")
            )
            authority = try Self.authority(of: own)
        } else {
            let contents = try directory.certificate(
                additionalNames: settings.additionalNames,
                hostName: SystemFacts.hostName,
                now: SystemFacts.now
            )
            if !isForOnce, let note = contents.note { Console.standard.note(note) }
            settings.configuration.identity = contents.identity
            settings.configuration.faultyCertificates = contents.faultyCertificates
            authority = Inspector.Facts.CertificateAuthority(
                pem: contents.authorityPEM,
                file: directory.authorityPath,
                fingerprint: try CertificateFacts(pem: contents.authorityPEM).fingerprint
            )
        }
        if let file = settings.authorityOut {
            guard let authority else {
                throw CommandFailure(
                    .badConfiguration,
                    "--ca-out: no CA certificate is known for --tls-cert; name it with --tls-ca"
                )
            }
            try AtomicFile.write(authority.pem, to: file, access: .everyone)
        }
        developmentKey = try directory.developmentKey()
        if !isForOnce, developmentKey.isNew {
            Console.standard.note(
                "made a development key: \(developmentKey.path), key id \(developmentKey.key.keyID),"
                    + " team id \(developmentKey.key.teamID)"
            )
        }
        let isGivenToo = settings.configuration.keys.contains { $0.key.keyID == developmentKey.key.keyID }
        if !isGivenToo { settings.configuration.keys.append(developmentKey.key.configured) }
    }

    /// What clients need to trust the user's own certificate: the file of `--tls-ca`, or the self-signed certificate in
    /// the chain.
    ///
    /// - Returns: `nil` when there is neither, as with a certificate of a public authority.
    /// - Throws: `CommandFailure` for a file that cannot be used.
    private static func authority(
        of own: (chain: String, key: String, authority: String?)
    ) throws -> Inspector.Facts.CertificateAuthority? {
        do {
            let chain = try CertificateFacts.chain(pem: try read(own.chain, "--tls-cert"))
            guard let file = own.authority else {
                return chain.first(where: \.isSelfIssued).map {
                    Inspector.Facts.CertificateAuthority(
                        pem: $0.certificatePEM,
                        file: own.chain,
                        fingerprint: $0.fingerprint
                    )
                }
            }
            let authority = try CertificateFacts(pem: try read(file, "--tls-ca"))
            guard try chain.contains(where: { try $0.isIssued(by: authority.certificatePEM) }) else {
                throw CommandFailure(
                    .badConfiguration,
                    "--tls-ca: the certificate in \(file) (\(authority.subject)) did not issue the one in \(own.chain)"
                )
            }
            return Inspector.Facts.CertificateAuthority(
                pem: authority.certificatePEM,
                file: file,
                fingerprint: authority.fingerprint
            )
        } catch let error as CertificateError {
            throw CommandFailure(.badConfiguration, "--tls-cert or --tls-ca: \(error)")
        }
    }

    private static func read(_ path: String, _ flag: String) throws -> String {
        guard let text = try AtomicFile.read(path) else {
            throw CommandFailure(.badConfiguration, "\(flag): there is no file \(path)")
        }
        return text
    }
}
