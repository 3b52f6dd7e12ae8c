internal import MockAPNs
internal import MockAPNsCrypto
internal import MockAPNsRules

/// The value of `--key`; its key id may be omitted when the file name has Apple's form.
struct KeyArgument {
    let path: String
    let key: ProviderKey
    /// What errors call it: `--key`, or `key` for an argument.
    let name: String

    static let form = "path[,keyId,teamId[,topic+...][,environment]]"
    static let expected =
        "\(form); ids have ten characters, uppercase letters and digits; the environment is sandbox or production"

    /// Reads the value.
    ///
    /// If the form is invalid and the file does not exist, the error is about the file, because a wrong path is
    /// the likely cause of both.
    init(parsing text: String, named name: String = "--key") throws {
        do { try self.init(form: text, named: name) } catch {
            let path = String(text.prefix { $0 != "," })
            if !path.isEmpty, !SystemFacts.exists(path) { throw AtomicFile.notFound(path, option: name) }
            throw error
        }
    }

    /// Reads the value, whether the file exists or not.
    init(form text: String, named name: String = "--key") throws {
        self.name = name
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        path = parts[0]
        try OptionReader.check(!path.isEmpty && parts.count <= 5, Self.expected)
        let fileName = path.split(separator: "/").last.map(String.init) ?? path
        let given = parts.count > 1 ? parts[1] : ""
        guard let keyID = given.isEmpty ? Self.keyID(fromFileName: fileName) : given, ProviderKey.isIdentifier(keyID)
        else {
            let omission = "the key id may be omitted only when the file name is AuthKey_<keyId>.p8"
            throw OptionReader.Invalid(expected: "\(Self.expected); \(omission)")
        }
        let teamID = parts.count > 2 ? parts[2] : CertificateDirectory.developmentTeam
        try OptionReader.check(ProviderKey.isIdentifier(teamID), Self.expected)
        var topics: Set<String>?
        var environment: MockAPNsRules.Environment?
        for part in parts.dropFirst(3) {
            if let named = MockAPNsRules.Environment(rawValue: part), environment == nil {
                environment = named
            } else if topics == nil, !part.isEmpty {
                topics = Set(part.split(separator: "+").map(String.init))
            } else {
                throw OptionReader.Invalid(expected: Self.expected)
            }
        }
        let (count, most) = (topics?.count ?? 0, ProviderKey.maximumTopics)
        try OptionReader.check(count <= most, "at most \(most) topics; there are \(count)")
        key = ProviderKey(keyID: keyID, teamID: teamID, topics: topics, environment: environment)
    }

    /// Reads the value of an option that has no environment variable.
    init(option text: String) throws {
        var reader = OptionReader(flags: ["key": [text]], environment: [:])
        self = try reader.value("key", default: "") { try KeyArgument(parsing: $0) }
    }

    /// Reads the value of an argument.
    init(argument text: String) throws {
        self = try CommandFailure.explaining("invalid key '\(TerminalText.plain(text))'") {
            try KeyArgument(parsing: text, named: "key")
        }
    }

    func load() throws -> Configuration.Key {
        let pem = try AtomicFile.pem(path, option: name)
        _ = try CommandFailure.explaining("invalid \(name) '\(path)'") { try VerifyingKey(pem: pem) }
        return Configuration.Key(key: key, pem: pem)
    }

    /// The key id in a file name of Apple's form, `AuthKey_ABC123DEFG.p8`.
    static func keyID(fromFileName name: String) -> String? {
        guard name.hasPrefix("AuthKey_"), name.hasSuffix(".p8") else { return nil }
        let keyID = String(name.dropFirst(8).dropLast(3))
        return ProviderKey.isIdentifier(keyID) ? keyID : nil
    }
}
