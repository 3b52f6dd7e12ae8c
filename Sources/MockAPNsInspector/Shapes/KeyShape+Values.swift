internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsRules

/// The environments that a key or certificate is for; the names are part of the API.
enum KeyScope: String, CaseIterable {
    case sandbox
    case production
    case both

    /// The only environment; `nil` for both.
    var environment: Environment? { Environment(name: rawValue) }
}

extension APIObject<KeyShape> {
    /// A key; its private half is never shown.
    init(_ entry: KeyRing.Entry) {
        self.init()
        self.environment = entry.key.environment?.name ?? KeyScope.both.rawValue
        self.keyId = entry.key.keyID
        self.origin = entry.isFromStart ? "start" : "api"
        self.publicKey = entry.publicKeyPEM
        self.teamId = entry.key.teamID
        self.topics = entry.key.topics?.sorted()
    }
}
