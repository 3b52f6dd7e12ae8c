internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsCrypto
internal import MockAPNsRules

struct KeysCommand: AsyncParsableCommand {
    static let configuration = command(
        "Create signing keys, and register them with a running server.", examples: "mock-apns keys generate --register",
        "mock-apns keys list", "mock-apns keys rm ABC123DEFG",
        subcommands: [Client<Generate>.self, Client<List>.self, Client<Add>.self, Client<Remove>.self])

    struct Generate: ClientTask {
        static let configuration = command(
            "Create a signing key for a provider.",
            discussion: """
                Writes the .p8 file for the provider, and prints the value for serve --key. With --register, a \
                running server accepts the key from then on, until a reset.
                """, examples: "mock-apns keys generate --topic com.example.app --register")

        @Option(help: .value("team", "The team id: ten uppercase letters and digits.")) var team = CertificateDirectory
            .developmentTeam

        @Option("key", "The key id: ten uppercase letters and digits. (default: random)") var keyId: String?

        @Option("topic", "A bundle identifier the key is limited to; repeatable. (default: all)") var topic: [String] =
            []

        @Option("file", "The file to write. (default: AuthKey_<keyId>.p8)", name: .shortAndLong) var output: String?

        @Flag(help: "Register the public key with a running server.") var register = false

        func validate() throws {
            for id in [team, keyId].compactMap({ $0 }) where !ProviderKey.isIdentifier(id) {
                throw ValidationError("invalid identifier '\(id)': expected ten uppercase letters and digits")
            }
        }

        func run(_ client: ClientOptions) async throws {
            let key = try DevelopmentKey.make(keyID: keyId, teamID: team)
            let path = output ?? "AuthKey_\(key.keyID).p8"
            try AtomicFile.create(key.privateKeyPEM.utf8, at: path, access: .owner)
            Console.note("wrote \(path)")
            if register {
                let topics = topic.isEmpty ? nil : Set(topic)
                let provider = ProviderKey(keyID: key.keyID, teamID: key.teamID, topics: topics)
                try await client.ask(KeysCommand.registration(provider, pem: key.privateKeyPEM))
                Console.note("registered \(key.keyID)")
            }
            let topics = topic.isEmpty ? "" : "," + topic.joined(separator: "+")
            Console.answer("\(path),\(key.keyID),\(key.teamID)\(topics)")
        }
    }

    struct List: ClientTask {
        static let configuration = command("List the keys of a running server.", examples: "mock-apns keys list")

        func run(_ client: ClientOptions) async throws {
            try await client.show(APIRequest("GET", ["keys"]), as: KeyListShape.self) { answer in
                if answer.auth != "verify" {
                    Console.note("The server does not verify signatures (auth is \(answer.auth)).")
                }
                let none = "No keys. mock-apns keys generate --register creates one."
                return answer.keys.isEmpty ? Console.none(none) : APIObject<KeyShape>.table(answer.keys)
            }
        }
    }

    struct Add: ClientTask {
        static let configuration = command(
            "Register a key with a running server, until a reset.", discussion: "Only the public key is sent.",
            examples: "mock-apns keys add AuthKey_ABC123DEFG.p8,ABC123DEFG,TEAM123456")

        @Argument(help: .value("key", "\(KeyArgument.form), as for serve --key.")) var key: String

        func run(_ client: ClientOptions) async throws {
            let argument = try KeyArgument(argument: key)
            let request = try KeysCommand.registration(argument.key, pem: try argument.load().pem)
            try await client.show(request, as: KeyShape.self) { APIObject<KeyShape>.table([$0]) }
        }
    }

    struct Remove: ClientTask {
        static let configuration = command(
            "Remove a key from a running server; its tokens are rejected from then on.", name: "rm",
            discussion: "A reset restores the keys of the start.", examples: "mock-apns keys rm ABC123DEFG")

        @Argument(help: .value("key-id", "The key id.")) var keyID: String

        func run(_ client: ClientOptions) async throws {
            try await client.remove(APIRequest("DELETE", ["keys", keyID]), name: keyID)
        }
    }

    private static func registration(_ key: ProviderKey, pem: String) throws -> APIRequest {
        let publicKey = try CommandFailure.explaining("invalid key '\(key.keyID)'") {
            try VerifyingKey(pem: pem).publicKeyPEM
        }
        return APIRequest("POST", ["keys"]).sending([
            "keyId": key.keyID, "teamId": key.teamID, "topics": key.topics?.sorted(),
            "environment": key.environment?.rawValue, "publicKey": publicKey,
        ])
    }
}

extension APIObject<KeyShape> {
    static func table(_ keys: [APIObject<KeyShape>]) -> String {
        let columns: [Table.Column] = [
            .fixed("KEY"), .fixed("TEAM"), .fixed("ENVIRONMENT").optional(2), .fixed("ORIGIN").optional(1), "TOPICS",
        ]
        return Table.text(columns, of: keys) { key in
            [key.keyId, key.teamId, key.environment, key.origin, key.topics?.joined(separator: " ") ?? "all"]
        }
    }
}

struct TokenCommand: ParsableCommand {
    static let configuration = command(
        "Print a provider token.",
        discussion: "Signed with the development key in --certs-dir, or with --key. It is valid for an hour.",
        examples: "mock-apns token", "mock-apns token --key AuthKey_ABC123DEFG.p8,ABC123DEFG,TEAM123456")

    @OptionGroup var directory: CertificateDirectoryOption

    @Option("key", "Your own private key: path[,keyId,teamId].") var key: String?

    @Option("seconds", "The claim iat, in UNIX seconds. (default: now)") var issuedAt: Int64?

    func run() throws {
        let directory = try directory.read()
        let given = try key.map { text in
            let own = try KeyArgument(option: text).load()
            return DevelopmentKey(keyID: own.key.keyID, teamID: own.key.teamID, privateKeyPEM: own.pem)
        }
        guard let signer = try given ?? directory.existingDevelopmentKey()?.key else {
            let fix = "start mock-apns serve once, or use --key"
            throw CommandFailure(.badConfiguration, "no AuthKey_<keyId>.p8 in \(directory.path)/; \(fix)")
        }
        let time = issuedAt ?? SystemFacts.now
        Console.answer(try CommandFailure.explaining { try signer.providerToken(issuedAt: time) })
    }
}
