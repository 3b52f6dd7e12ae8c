internal import MockAPNs
internal import MockAPNsCrypto
internal import MockAPNsInspector
internal import MockAPNsRules

/// The certificates and keys that `serve` uses: the user's own, or those of the directory.
struct ServeCredentials {
    /// What clients have to trust; `nil` when the user brought a certificate.
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
            authority = nil
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
            if let file = settings.authorityOut {
                try AtomicFile.write(contents.authorityPEM, to: file, access: .everyone)
            }
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

    private static func read(_ path: String, _ flag: String) throws -> String {
        guard let text = try AtomicFile.read(path) else {
            throw CommandFailure(.badConfiguration, "\(flag): there is no file \(path)")
        }
        return text
    }
}
