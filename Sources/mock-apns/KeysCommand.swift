internal import ArgumentParser
internal import MockAPNs

/// `mock-apns keys`: signing keys for providers.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make signing keys.",
        subcommands: [Generate.self]
    )

    /// `mock-apns keys generate`: makes a key as Apple's portal would.
    struct Generate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "generate",
            abstract: "Make a signing key for a provider.",
            discussion: "Prints what to give to serve --key, and writes the .p8 file for the provider."
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

        func validate() throws {
            for identifier in [team, keyId].compactMap({ $0 }) where !KeyArgument.isIdentifier(identifier) {
                throw ValidationError("'\(identifier)' is not an identifier of ten capitals and digits")
            }
        }

        func run() throws {
            let key = try DevelopmentKey.make(keyID: keyId, teamID: team)
            let path = output ?? "AuthKey_\(key.keyID).p8"
            try AtomicFile.create(key.privateKeyPEM, at: path, access: .owner)
            Console.standard.note("wrote \(path)")
            let topics = topic.isEmpty ? "" : "," + topic.joined(separator: "+")
            Console.standard.answer("\(path),\(key.keyID),\(key.teamID)\(topics)")
        }
    }
}
