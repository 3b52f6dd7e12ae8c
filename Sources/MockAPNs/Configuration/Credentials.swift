internal import MockAPNsCrypto
internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld

/// The keys and certificates of a configuration in the form that lower layers require.
struct Credentials: Sendable {
    let tls: TLSContext
    /// The context of the binary interface, which requires a client certificate.
    let binaryTLS: TLSContext
    let faultyTLS: FaultyTLS
    let authorityPEM: String?
    let keys: [String: Ruleset.RegisteredKey]
    let developmentKey: DevelopmentKey?

    init(_ configuration: Configuration) throws(MockAPNsError) {
        developmentKey = configuration.keys.isEmpty ? try DevelopmentKey.make() : nil
        keys = try Self.register(configuration.keys + [developmentKey?.configured].compactMap { $0 })
        let identity: Configuration.Identity
        var faultyCertificates = configuration.faultyCertificates
        if let given = configuration.identity {
            identity = given
            authorityPEM = nil
        } else {
            let made = try ServerCertificate.make(additionalNames: configuration.additionalNames)
            identity = made.identity
            authorityPEM = made.authorityPEM
            faultyCertificates = faultyCertificates ?? made.faultyCertificates
        }
        faultyTLS = FaultyTLS(faultyCertificates, requiresALPN: configuration.transport.requiresALPN)
        tls = try MockAPNsError.wrapping(.badCertificate) {
            try identity.tlsContext(requiresALPN: configuration.transport.requiresALPN)
        }
        binaryTLS = try MockAPNsError.wrapping(.badCertificate) {
            try identity.tlsContext(requiresClientCertificate: true)
        }
    }

    /// Returns the context of a listener; `nil` for clear text.
    func tls(for address: ListenAddress) -> TLSContext? {
        guard address.isSecure else { return nil }
        return address.interface == .http2 ? tls : binaryTLS
    }

    private static func register(_ keys: [Configuration.Key]) throws(MockAPNsError) -> [String: Ruleset.RegisteredKey] {
        var registered: [String: Ruleset.RegisteredKey] = [:]
        for key in keys {
            guard registered[key.key.keyID] == nil else {
                let problem = "the key id \(key.key.keyID) is given twice; every key needs its own"
                throw MockAPNsError(.badKey, problem)
            }
            registered[key.key.keyID] = try MockAPNsError.wrapping(.badKey, "key \(key.key.keyID): ") {
                Ruleset.RegisteredKey(
                    key: key.key, verifier: KeyVerifier(key: try VerifyingKey(pem: key.pem)), pem: key.pem)
            }
        }
        return registered
    }
}

/// Provides a key's cryptography to the rules.
struct KeyVerifier: SignatureVerifier {
    let key: VerifyingKey

    func verify(
        signature: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer, algorithm: ProviderToken.Algorithm
    ) -> Bool? {
        let digest: VerifyingKey.Digest =
            switch algorithm {
            case .es256: .sha256
            case .es512: .sha512
            }
        return key.verify(signature: signature, of: message, digest: digest)
    }
}
