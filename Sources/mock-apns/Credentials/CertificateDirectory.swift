internal import MockAPNs
internal import MockAPNsCrypto

/// The directory of certificates and the development key: made at the first start, used again while valid.
struct CertificateDirectory {
    /// The team of development keys.
    ///
    /// A `.p8` file does not tell its team, so there is one for all.
    static let developmentTeam = "MOCKTEAM01"

    let path: String

    var authorityPath: String { "\(path)/ca.pem" }
    var certificatePath: String { "\(path)/server.pem" }
    var keyPath: String { "\(path)/server-key.pem" }
    /// What faults show, each file with its key.
    var expiredPath: String { "\(path)/fault-expired.pem" }
    var wrongHostPath: String { "\(path)/fault-wrong-host.pem" }

    /// What was found or made.
    struct Contents {
        let identity: Configuration.Identity
        let authorityPEM: String
        /// `nil` in a directory that an older version made.
        let faultyCertificates: FaultyCertificates?
        /// What was made and why; `nil` when everything was there.
        let note: String?
    }

    /// The certificate for these names, made anew when the one at hand is missing, expired or lacks a name.
    ///
    /// The key of the authority is never written, so a new certificate means a new authority to trust. Several
    /// processes that start at once end up with one and the same.
    ///
    /// - Parameters:
    ///   - additionalNames: host names and addresses besides the standard ones.
    ///   - hostName: a name that a new certificate has too, and for whose sake none is made anew: a container's
    ///     changes whenever it is made again.
    ///   - now: the time in UNIX seconds.
    /// - Returns: what was found or made.
    /// - Throws: `CommandFailure`.
    func certificate(additionalNames: [String], hostName: String? = nil, now: Int64) throws -> Contents {
        if case .usable(let contents) = try existing(additionalNames: additionalNames, now: now) {
            return contents
        }
        return try withLock {
            switch try existing(additionalNames: additionalNames, now: now) {
            case .usable(let contents): return contents
            case .unusable(let why):
                let isRenewal = try existingAuthority() != nil
                return try make(
                    additionalNames + [hostName].compactMap { $0 },
                    because: why,
                    isRenewal: isRenewal
                )
            }
        }
    }

    /// What clients have to trust, as it lies there; `nil` when there is nothing.
    func existingAuthority() throws -> String? { try AtomicFile.read(authorityPath) }

    private func make(_ names: [String], because problem: String, isRenewal: Bool) throws -> Contents {
        let made: ServerCertificate
        do {
            made = try ServerCertificate.make(additionalNames: names)
        } catch {
            throw CommandFailure(.badConfiguration, error.description)
        }
        // The authority comes last: a start that is interrupted leaves files that do not match, and are made anew.
        try AtomicFile.write(made.identity.privateKeyPEM, to: keyPath, access: .owner)
        try AtomicFile.write(made.identity.certificateChainPEM, to: certificatePath, access: .everyone)
        for (faulty, file) in [
            (made.faultyCertificates.expired, expiredPath),
            (made.faultyCertificates.wrongHost, wrongHostPath),
        ] {
            try AtomicFile.write(faulty.certificateChainPEM + faulty.privateKeyPEM, to: file, access: .owner)
        }
        try AtomicFile.write(made.authorityPEM, to: authorityPath, access: .everyone)
        return Contents(
            identity: made.identity,
            authorityPEM: made.authorityPEM,
            faultyCertificates: made.faultyCertificates,
            note: isRenewal
                ? "made a new certificate authority and certificate in \(path)/ (\(problem));"
                    + " clients with a copy of the old ca.pem need the new \(authorityPath)"
                : "made a certificate authority and a certificate in \(path)/ (\(problem));"
                    + " clients trust \(authorityPath)"
        )
    }

    private func withLock<Result>(_ use: () throws -> Result) throws -> Result {
        try AtomicFile.makeDirectory(path)
        return try AtomicFile.withLock("\(path)/.lock", use)
    }

    private enum Existing {
        case usable(Contents)
        case unusable(String)
    }

    private func existing(additionalNames: [String], now: Int64) throws -> Existing {
        guard let authority = try AtomicFile.read(authorityPath),
            let chain = try AtomicFile.read(certificatePath),
            let key = try AtomicFile.read(keyPath)
        else { return .unusable("there was none") }
        let expired = try AtomicFile.read(expiredPath)
        let wrongHost = try AtomicFile.read(wrongHostPath)
        do {
            let facts = try CertificateFacts(pem: chain)
            let authorityFacts = try CertificateFacts(pem: authority)
            guard !authorityFacts.constrainsAddresses else {
                return .unusable(
                    "an older version made the one there, and clients on BoringSSL, such as SwiftNIO, refuse it"
                )
            }
            guard try facts.matches(privateKeyPEM: key), try facts.isIssued(by: authority) else {
                return .unusable("the files there did not belong together")
            }
            for faulty in [expired, wrongHost].compactMap({ $0 }) {
                let facts = try CertificateFacts(pem: faulty)
                guard try facts.matches(privateKeyPEM: faulty), try facts.isIssued(by: authority) else {
                    return .unusable("the files there did not belong together")
                }
            }
            let soon = now + 86_400
            guard facts.notBefore <= now, facts.notAfter > soon, authorityFacts.notAfter > soon else {
                return .unusable("the one there had expired, or would within a day")
            }
            let wanted = try CertificateNames(parsing: ServerCertificate.standardNames + additionalNames)
            guard Set(facts.names.all).isSuperset(of: wanted.all) else {
                return .unusable("the one there lacked a name")
            }
        } catch {
            return .unusable("the one there could not be read: \(error)")
        }
        let identity = Configuration.Identity(certificateChainPEM: chain, privateKeyPEM: key)
        let faulty = expired.flatMap { expired in
            wrongHost.map { wrongHost in
                FaultyCertificates(
                    expired: Configuration.Identity(certificateChainPEM: expired, privateKeyPEM: expired),
                    wrongHost: Configuration.Identity(
                        certificateChainPEM: wrongHost,
                        privateKeyPEM: wrongHost
                    )
                )
            }
        }
        return .usable(
            Contents(identity: identity, authorityPEM: authority, faultyCertificates: faulty, note: nil)
        )
    }

    /// The development key, and where it lies.
    struct Key {
        let key: DevelopmentKey
        let path: String
        let isNew: Bool
    }

    /// What the key ids of development keys begin with: it tells them from keys of the user's own.
    static let developmentKeyPrefix = "MOCK"

    /// The first development key there; `nil` when there is none.
    ///
    /// - Returns: the key.
    /// - Throws: `CommandFailure` when the file cannot be used.
    func existingDevelopmentKey() throws -> Key? {
        for name in AtomicFile.names(in: path) {
            guard let keyID = KeyArgument.keyID(fromFileName: name),
                keyID.hasPrefix(Self.developmentKeyPrefix)
            else { continue }
            let file = "\(path)/\(name)"
            guard let pem = try AtomicFile.read(file) else { continue }
            do {
                _ = try SigningKey(pem: pem)
            } catch {
                throw CommandFailure(.badConfiguration, "\(file): \(error)")
            }
            let key = DevelopmentKey(keyID: keyID, teamID: Self.developmentTeam, privateKeyPEM: pem)
            return Key(key: key, path: file, isNew: false)
        }
        return nil
    }

    /// The development key, made when there is none.
    func developmentKey() throws -> Key {
        if let existing = try existingDevelopmentKey() { return existing }
        return try withLock {
            if let existing = try existingDevelopmentKey() { return existing }
            let keyID = Self.developmentKeyPrefix + DevelopmentKey.randomIdentifier(length: 6)
            let made = try DevelopmentKey.make(keyID: keyID, teamID: Self.developmentTeam)
            let file = "\(path)/AuthKey_\(made.keyID).p8"
            try AtomicFile.write(made.privateKeyPEM, to: file, access: .owner)
            return Key(key: made, path: file, isNew: true)
        }
    }
}
