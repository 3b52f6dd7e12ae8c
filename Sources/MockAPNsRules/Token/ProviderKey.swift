/// What a registered signing key may do; the key material itself lies elsewhere.
public struct ProviderKey: Hashable, Sendable {
    /// The key identifier, 10 characters at Apple; tokens name it as `kid`.
    public let keyID: String
    /// The team the key belongs to, 10 characters at Apple; tokens name it as `iss`.
    public let teamID: String
    /// The bundle identifiers a topic-specific key is for; `nil` for a team's key, which serves every topic.
    public let topics: Set<String>?
    /// The only environment the key may be used in; `nil` for both.
    public let environment: Environment?

    /// The most topics a topic-specific key can have (documented).
    public static let maximumTopics = 400

    /// Describes a key.
    public init(keyID: String, teamID: String, topics: Set<String>? = nil, environment: Environment? = nil) {
        self.keyID = keyID
        self.teamID = teamID
        self.topics = topics
        self.environment = environment
    }

    /// Whether a text has the form of Apple's key and team identifiers: ten capital letters and digits (documented).
    public static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) }
    }

    /// Whether the key may push to the app with this bundle identifier.
    func covers(_ bundleID: ByteSpan) -> Bool {
        guard let topics else { return true }
        return topics.contains(bundleID.text)
    }

    /// Whether both keys may be used on one connection.
    ///
    /// Documented: a team's keys share a connection within an environment, a topic-specific key only with the
    /// related one. What "related" means is not told; the same team and topics is inferred. A key of the other
    /// environment is refused before this is asked.
    func isRelated(to other: ProviderKey) -> Bool {
        keyID == other.keyID || (teamID == other.teamID && topics == other.topics)
    }
}
