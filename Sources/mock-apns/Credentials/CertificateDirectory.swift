internal import MockAPNs
internal import MockAPNsCrypto

/// The directory of certificates and the development key: created at the first start, used again while valid.
struct CertificateDirectory {
    /// The team of development keys; the same for all, because a `.p8` file does not contain its team.
    static let developmentTeam = "MOCKTEAM01"

    /// The beginning of the ids of development keys, which distinguishes them from other keys.
    static let developmentKeyPrefix = "MOCK"

    let path: String

    var authorityPath: String { "\(path)/ca.pem" }
    var certificatePath: String { "\(path)/server.pem" }
    var keyPath: String { "\(path)/server-key.pem" }
    /// The certificates of faults, each file with its key.
    var expiredPath: String { "\(path)/fault-expired.pem" }
    var wrongHostPath: String { "\(path)/fault-wrong-host.pem" }

    struct Contents {
        let identity: Configuration.Identity
        let authorityPEM: String
        /// `nil` in a directory created by an older version.
        let faultyCertificates: FaultyCertificates?
        /// A message about new files; `nil` when the old ones are used.
        var note: String?
    }

    /// The certificate for these names, created when it is missing, has expired or lacks a name.
    ///
    /// The key of the authority is never written, so a new certificate means a new authority to trust. Processes that
    /// start at the same time use the same certificate.
    ///
    /// A new certificate includes the host name. An old one may lack it: the host name of a container changes whenever
    /// the container is created again.
    func certificate(additionalNames: [String], hostName: String? = nil, now: Int64) throws -> Contents {
        if let contents = try existing(additionalNames: additionalNames, now: now).contents { return contents }
        return try AtomicFile.withLock(in: path) {
            let (contents, reason) = try existing(additionalNames: additionalNames, now: now)
            if let contents { return contents }
            let names = additionalNames + [hostName].compactMap { $0 }
            return try create(names, because: reason, isRenewal: existingAuthority() != nil)
        }
    }

    /// The certificate that clients have to trust.
    func existingAuthority() throws -> String? { try AtomicFile.text(at: authorityPath) }

    private func create(_ names: [String], because reason: String, isRenewal: Bool) throws -> Contents {
        let created = try CommandFailure.explaining { try ServerCertificate.make(additionalNames: names) }
        let (expired, wrongHost) = (created.faultyCertificates.expired, created.faultyCertificates.wrongHost)
        // The authority comes last: files of an interrupted start do not match, and are created again.
        let files: [(path: String, text: String, access: AtomicFile.Access)] = [
            (keyPath, created.identity.privateKeyPEM, .owner),
            (certificatePath, created.identity.certificateChainPEM, .everyone),
            (expiredPath, expired.certificateChainPEM + expired.privateKeyPEM, .owner),
            (wrongHostPath, wrongHost.certificateChainPEM + wrongHost.privateKeyPEM, .owner),
            (authorityPath, created.authorityPEM, .everyone),
        ]
        for file in files { try AtomicFile.save(file.text.utf8, to: file.path, access: file.access) }
        let (made, fix) =
            isRenewal
            ? ("a new certificate authority and certificate", "replace copies of the old ca.pem by")
            : ("a certificate authority and a certificate", "let clients trust")
        return Contents(
            identity: created.identity, authorityPEM: created.authorityPEM,
            faultyCertificates: created.faultyCertificates,
            note: "created \(made) in \(path)/ (\(reason)); \(fix) \(authorityPath)")
    }

    /// The files as they are; no contents, and a reason, when they cannot be used.
    private func existing(additionalNames: [String], now: Int64) throws -> (contents: Contents?, reason: String) {
        guard let authority = try existingAuthority(), let chain = try AtomicFile.text(at: certificatePath),
            let key = try AtomicFile.text(at: keyPath)
        else { return (nil, "none found") }
        let identity = Configuration.Identity(certificateChainPEM: chain, privateKeyPEM: key)
        // The files of faults have certificate and key in one.
        let faults = try [expiredPath, wrongHostPath].compactMap(AtomicFile.text(at:)).map {
            Configuration.Identity(certificateChainPEM: $0, privateKeyPEM: $0)
        }
        do {
            let facts = try CertificateFacts(pem: chain)
            let authorityFacts = try CertificateFacts(pem: authority)
            guard !authorityFacts.constrainsAddresses else {
                let clients = "clients with BoringSSL, such as SwiftNIO"
                return (nil, "an older version created the old one; \(clients), reject it")
            }
            for identity in [identity] + faults {
                let facts = try CertificateFacts(pem: identity.certificateChainPEM)
                guard try facts.matches(privateKeyPEM: identity.privateKeyPEM), try facts.isIssued(by: authority) else {
                    return (nil, "the old files do not match each other")
                }
            }
            let soon = now + 86_400
            guard facts.notBefore <= now, facts.notAfter > soon, authorityFacts.notAfter > soon else {
                return (nil, "the old one has expired, or expires within a day")
            }
            let wanted = try CertificateNames(parsing: ServerCertificate.standardNames + additionalNames)
            guard Set(facts.names.all).isSuperset(of: wanted.all) else { return (nil, "the old one lacks a name") }
        } catch { return (nil, "cannot read the old one: \(error)") }
        let faulty = faults.count == 2 ? FaultyCertificates(expired: faults[0], wrongHost: faults[1]) : nil
        return (Contents(identity: identity, authorityPEM: authority, faultyCertificates: faulty), "")
    }

    struct Key {
        let key: DevelopmentKey
        let path: String
        let isNew: Bool
    }

    func existingDevelopmentKey() throws -> Key? {
        for name in AtomicFile.names(in: path) {
            let file = "\(path)/\(name)"
            guard let keyID = KeyArgument.keyID(fromFileName: name), keyID.hasPrefix(Self.developmentKeyPrefix),
                let pem = try AtomicFile.text(at: file)
            else { continue }
            _ = try CommandFailure.explaining("invalid key file '\(file)'") { try SigningKey(pem: pem) }
            let key = DevelopmentKey(keyID: keyID, teamID: Self.developmentTeam, privateKeyPEM: pem)
            return Key(key: key, path: file, isNew: false)
        }
        return nil
    }

    func developmentKey() throws -> Key {
        if let existing = try existingDevelopmentKey() { return existing }
        return try AtomicFile.withLock(in: path) {
            if let existing = try existingDevelopmentKey() { return existing }
            let keyID = Self.developmentKeyPrefix + DevelopmentKey.randomIdentifier(length: 6)
            let created = try DevelopmentKey.make(keyID: keyID, teamID: Self.developmentTeam)
            let file = "\(path)/AuthKey_\(created.keyID).p8"
            try AtomicFile.save(created.privateKeyPEM.utf8, to: file, access: .owner)
            return Key(key: created, path: file, isNew: true)
        }
    }
}
