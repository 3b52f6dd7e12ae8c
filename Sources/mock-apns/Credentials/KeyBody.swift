internal import MockAPNsCrypto
internal import MockAPNsRules

/// A key as the API takes it; the private half stays where it is.
struct KeyBody: Encodable {
    let keyId: String
    let teamId: String
    let topics: [String]?
    let environment: String?
    let publicKey: String

    /// Describes a key.
    ///
    /// - Throws: `CommandFailure` for a text that holds none.
    init(_ key: ProviderKey, pem: String) throws {
        keyId = key.keyID
        teamId = key.teamID
        topics = key.topics?.sorted()
        environment = key.environment?.name
        do {
            publicKey = try VerifyingKey(pem: pem).publicKeyPEM
        } catch {
            throw CommandFailure(.badConfiguration, "the key \(key.keyID) cannot be used: \(error)")
        }
    }

    /// What tells a server of the key.
    var request: APIRequest { get throws { try APIRequest("POST", ["keys"]).sending(self) } }
}
