internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsRules

/// `mock-apns keys`: signing keys for providers.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make signing keys, and tell a running server of them.",
        discussion: """
            Example:
              mock-apns keys generate --register
              mock-apns keys list
              mock-apns keys rm ABC123DEFG
            """,
        subcommands: [
            Generate.self, KeysListCommand.self, KeysAddCommand.self, KeysRemoveCommand.self,
        ]
    )

    /// `mock-apns keys generate`: makes a key as Apple's portal would.
    struct Generate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "generate",
            abstract: "Make a signing key for a provider.",
            discussion: """
                Prints what to give to serve --key, and writes the .p8 file for the provider. With --register, \
                a running server knows the key from then on, until a reset.
                """
        )

        @Option(help: ArgumentHelp("The team identifier, ten capitals and digits.", valueName: "team"))
        var team = CertificateDirectory.developmentTeam

        @Option(
            help: ArgumentHelp(
                "The key identifier, ten capitals and digits. (default: random)",
                valueName: "key"
            )
        )
        var keyId: String?

        @Option(
            help: ArgumentHelp(
                "A bundle identifier that the key is for; repeatable. (default: all)",
                valueName: "topic"
            )
        )
        var topic: [String] = []

        @Option(
            name: [.short, .long],
            help: ArgumentHelp(
                "The file to write. (default: AuthKey_<keyId>.p8)",
                valueName: "file"
            )
        )
        var output: String?

        @Flag(help: "Tell a running server of the key; it gets the public half alone.")
        var register = false

        @OptionGroup var client: ClientOptions

        func validate() throws {
            for identifier in [team, keyId].compactMap({ $0 }) where !KeyArgument.isIdentifier(identifier) {
                throw ValidationError("'\(identifier)' is not an identifier of ten capitals and digits")
            }
        }

        func run() async throws {
            let key = try DevelopmentKey.make(keyID: keyId, teamID: team)
            let path = output ?? "AuthKey_\(key.keyID).p8"
            try AtomicFile.create(key.privateKeyPEM, at: path, access: .owner)
            Console.standard.note("wrote \(path)")
            if register {
                let described = ProviderKey(
                    keyID: key.keyID,
                    teamID: key.teamID,
                    topics: topic.isEmpty ? nil : Set(topic)
                )
                _ = try await client.ask(KeyBody(described, pem: key.privateKeyPEM).request)
                Console.standard.note("registered \(key.keyID)")
            }
            let topics = topic.isEmpty ? "" : "," + topic.joined(separator: "+")
            Console.standard.answer("\(path),\(key.keyID),\(key.teamID)\(topics)")
        }
    }
}
