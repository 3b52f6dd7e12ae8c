/// The permissions of a registered signing key, without its key material.
public struct ProviderKey: Hashable, Sendable {
    /// The key ID, 10 characters for Apple's keys; the `kid` of tokens.
    public let keyID: String
    /// The ID of the key's team, 10 characters for Apple's teams; the `iss` of tokens.
    public let teamID: String
    /// The bundle identifiers of a topic-specific key; `nil` for a team's key, which is valid for every
    /// topic.
    public let topics: Set<String>?
    /// The only environment in which the key is valid; `nil` for both.
    public let environment: Environment?

    /// The maximum number of topics of a topic-specific key (documented).
    public static let maximumTopics = 400

    /// Creates a key.
    public init(keyID: String, teamID: String, topics: Set<String>? = nil, environment: Environment? = nil) {
        self.keyID = keyID
        self.teamID = teamID
        self.topics = topics
        self.environment = environment
    }

    /// Whether a string has the form of Apple's key and team IDs: ten capital letters and digits
    /// (documented).
    public static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 10 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) }
    }

    /// Whether the key may push to the app with this bundle identifier.
    func covers(_ bundleID: ByteSpan) -> Bool {
        guard let topics else { return true }
        return topics.contains(bundleID.text)
    }

    /// Whether both keys may be used on one connection.
    ///
    /// Documented: a team's keys share a connection within an environment, a topic-specific key only with a
    /// related one. "Related" is not defined; the same team and topics is inferred. A key of the other
    /// environment is rejected before this.
    func isRelated(to other: ProviderKey) -> Bool {
        keyID == other.keyID || (teamID == other.teamID && topics == other.topics)
    }
}

/// Verifies signatures with one key; implemented by higher layers, because the rules have no cryptography.
public protocol SignatureVerifier: Sendable {
    /// Returns whether `signature` is the key's signature of `message`, created with `algorithm`.
    ///
    /// `nil` if the cryptographic library failed, for example for lack of memory.
    func verify(
        signature: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer, algorithm: ProviderToken.Algorithm
    ) -> Bool?
}
