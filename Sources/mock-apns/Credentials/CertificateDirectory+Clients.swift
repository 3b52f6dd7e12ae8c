internal import MockAPNs
internal import MockAPNsCrypto

/// The client certificates in the directory, so that they are valid after a restart.
extension CertificateDirectory {
    private var clientAuthorityPath: String { "\(path)/client-ca.pem" }
    private var clientAuthorityKeyPath: String { "\(path)/client-ca-key.pem" }
    /// The issued certificates, without their keys.
    private var issuedPath: String { "\(path)/client-issued.pem" }
    /// The serial numbers of revoked certificates, one per line.
    private var revokedPath: String { "\(path)/client-revoked.txt" }

    func clientCertificates() throws -> ClientCertificates.Stored {
        var stored = ClientCertificates.Stored()
        stored.authorityPEM = try AtomicFile.text(at: clientAuthorityPath)
        stored.authorityKeyPEM = try AtomicFile.text(at: clientAuthorityKeyPath)
        let issued = try AtomicFile.text(at: issuedPath) ?? ""
        stored.issued = try CommandFailure.explaining("invalid file '\(issuedPath)'") {
            try CertificateFacts.chain(pem: issued).map(\.certificatePEM)
        }
        let revoked = try AtomicFile.text(at: revokedPath) ?? ""
        stored.revoked = Set(revoked.split(separator: "\n").map(String.init))
        return stored
    }

    /// Writes what has changed; the key comes before its certificate, and both before what they have signed.
    func store(_ state: ClientCertificates.Stored) throws {
        let files: [(path: String, text: String?, access: AtomicFile.Access)] = [
            (clientAuthorityKeyPath, state.authorityKeyPEM, .owner),
            (clientAuthorityPath, state.authorityPEM, .everyone), (issuedPath, state.issued.joined(), .everyone),
            (revokedPath, state.revoked.sorted().map { $0 + "\n" }.joined(), .everyone),
        ]
        for file in files {
            guard let text = file.text, try AtomicFile.text(at: file.path) ?? "" != text else { continue }
            try AtomicFile.save(text.utf8, to: file.path, access: file.access)
        }
    }
}
