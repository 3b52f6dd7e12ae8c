internal import MockAPNs
internal import MockAPNsCrypto
internal import MockAPNsRules

/// The value of `--key`: `path[,keyId,teamId[,topics][,environment]]`.
///
/// Topics are separated by `+`. The key id may be left out when the file is named as Apple names it.
struct KeyArgument: Equatable {
    let path: String
    let key: ProviderKey

    static let expected =
        "path[,keyId,teamId[,topic+topic...][,sandbox|production]], with ten-character ids of capitals and digits"

    /// Reads the value.
    init(parsing text: String) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let path = parts.first, !path.isEmpty, parts.count <= 5 else {
            throw Settings.Expected(Self.expected)
        }
        self.path = path
        let fileName = path.split(separator: "/").last.map(String.init) ?? path
        let given = parts.count > 1 ? parts[1] : ""
        guard let keyID = given.isEmpty ? Self.keyID(fromFileName: fileName) : given, Self.isIdentifier(keyID)
        else {
            throw Settings.Expected(
                "\(Self.expected); the key id cannot be told from the file name, which is not AuthKey_<keyId>.p8"
            )
        }
        let teamID = parts.count > 2 ? parts[2] : CertificateDirectory.developmentTeam
        guard Self.isIdentifier(teamID) else { throw Settings.Expected(Self.expected) }
        var topics: Set<String>?
        var environment: MockAPNsRules.Environment?
        for part in parts.dropFirst(3) {
            if let named = MockAPNsRules.Environment(name: part), environment == nil {
                environment = named
            } else if topics == nil, !part.isEmpty {
                topics = Set(part.split(separator: "+").map(String.init))
            } else {
                throw Settings.Expected(Self.expected)
            }
        }
        if let count = topics?.count, count > ProviderKey.maximumTopics {
            throw Settings.Expected("at most \(ProviderKey.maximumTopics) topics, and there are \(count)")
        }
        key = ProviderKey(keyID: keyID, teamID: teamID, topics: topics, environment: environment)
    }

    /// The key with what its file holds.
    func load() throws -> Configuration.Key {
        guard let pem = try AtomicFile.read(path) else {
            throw CommandFailure(.badConfiguration, "--key: there is no file \(path)")
        }
        do {
            _ = try VerifyingKey(pem: pem)
        } catch {
            throw CommandFailure(.badConfiguration, "--key: \(path): \(error)")
        }
        return Configuration.Key(key: key, pem: pem)
    }

    /// The key id in a file name of Apple's form, `AuthKey_ABC123DEFG.p8`.
    static func keyID(fromFileName name: String) -> String? {
        guard name.hasPrefix("AuthKey_"), name.hasSuffix(".p8") else { return nil }
        let keyID = String(name.dropFirst(8).dropLast(3))
        return isIdentifier(keyID) ? keyID : nil
    }

    /// Whether a text has the form of Apple's key and team identifiers.
    static func isIdentifier(_ text: String) -> Bool { ProviderKey.isIdentifier(text) }
}
