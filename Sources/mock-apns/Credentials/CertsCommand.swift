internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsCrypto

/// `mock-apns certs`: the certificates of a server.
struct CertsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certs",
        abstract: "Make and show certificates.",
        subcommands: [Initialize.self, Authority.self, CertsIssueCommand.self],
        defaultSubcommand: Initialize.self
    )

    /// What the subcommands about a directory are told.
    struct Options: ParsableArguments {
        @Option(help: ArgumentHelp("Where certificates are kept. (default: certs)", valueName: "dir"))
        var certsDir: String?

        @Option(help: ArgumentHelp("Another host name or address; repeatable.", valueName: "name"))
        var tlsSan: [String] = []

        func directory() throws -> (CertificateDirectory, names: [String]) {
            var settings = Settings(environment: SystemFacts.environment)
            let path = try settings.value("certs-dir", flag: certsDir, default: "certs") { $0 }
            return (CertificateDirectory(path: path), try settings.list("tls-san", flags: tlsSan) { $0 })
        }
    }

    /// `mock-apns certs init`: makes what is missing, and says what is there.
    struct Initialize: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Make what serve would make at its first start."
        )

        @OptionGroup var options: Options

        func run() throws {
            let (directory, names) = try options.directory()
            let contents = try directory.certificate(
                additionalNames: names,
                hostName: SystemFacts.hostName,
                now: SystemFacts.now
            )
            if let note = contents.note { Console.standard.note(note) }
            let key = try directory.developmentKey()
            let facts = try CertificateFacts(pem: contents.identity.certificateChainPEM)
            let authority = try CertificateFacts(pem: contents.authorityPEM)
            Console.standard.answer(
                """
                CA certificate   \(directory.authorityPath)
                SHA-256          \(authority.fingerprint)
                certificate      \(directory.certificatePath)
                names            \(facts.names.all.joined(separator: " "))
                days left        \((facts.notAfter - SystemFacts.now) / 86_400)
                development key  \(key.path)
                key id, team id  \(key.key.keyID) \(key.key.teamID)
                """
            )
        }
    }

    /// `mock-apns certs ca`: prints what clients have to trust.
    struct Authority: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ca",
            abstract: "Print the CA certificate that clients have to trust, in PEM."
        )

        @OptionGroup var options: Options

        func run() throws {
            let directory = try options.directory().0
            guard let authority = try directory.existingAuthority() else {
                throw CommandFailure(
                    .badConfiguration,
                    "there is no \(directory.authorityPath); start mock-apns serve once, or run mock-apns certs"
                )
            }
            Console.standard.write(authority, to: 1)
        }
    }
}
