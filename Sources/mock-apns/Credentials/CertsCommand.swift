internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsCrypto

struct CertsCommand: ParsableCommand {
    static let configuration = command(
        "Create and show certificates.",
        subcommands: [Initialize.self, Authority.self, CertsIssueCommand.self],
        defaultSubcommand: Initialize.self
    )

    /// The options of the subcommands about a directory.
    struct Options: ParsableArguments {
        @OptionGroup var directory: CertificateDirectoryOption

        @Option(help: .value("name", "An additional host name or address; repeatable."))
        var tlsSan: [String] = []
    }

    struct Initialize: ParsableCommand {
        static let configuration = command(
            "Create what serve creates at its first start, and show it.",
            name: "init"
        )

        @OptionGroup var options: Options

        func run() throws {
            let directory = try options.directory.read()
            var reader = OptionReader(environment: SystemFacts.environment)
            let contents = try directory.certificate(
                additionalNames: try reader.list("tls-san", options.tlsSan) { $0 },
                hostName: SystemFacts.hostName,
                now: SystemFacts.now
            )
            if let note = contents.note { Console.standard.note(note) }
            let key = try directory.developmentKey()
            let facts = try CertificateFacts(pem: contents.identity.certificateChainPEM)
            let authority = try CertificateFacts(pem: contents.authorityPEM)
            Console.standard.answer(
                Table.sheet([
                    ("CA certificate", directory.authorityPath),
                    ("SHA-256", authority.fingerprint),
                    ("certificate", directory.certificatePath),
                    ("names", facts.names.all.joined(separator: " ")),
                    ("days left", "\((facts.notAfter - SystemFacts.now) / 86_400)"),
                    ("development key", key.path),
                    ("key id, team id", "\(key.key.keyID) \(key.key.teamID)"),
                ])
            )
        }
    }

    struct Authority: ParsableCommand {
        static let configuration = command(
            "Print the CA certificate that clients have to trust, in PEM.",
            name: "ca"
        )

        @OptionGroup var options: Options

        func run() throws {
            let directory = try options.directory.read()
            guard let authority = try directory.existingAuthority() else {
                throw CommandFailure(
                    .badConfiguration,
                    "\(directory.authorityPath) not found; run mock-apns certs to create it"
                )
            }
            Console.standard.write(authority)
        }
    }
}

/// The option `--certs-dir` of commands other than `serve`.
struct CertificateDirectoryOption: ParsableArguments {
    @Option(help: .value("dir", "The directory of certificates and the development key. (default: certs)"))
    var certsDir: String?

    /// The directory that is named by the option, the environment or the default.
    func read() throws -> CertificateDirectory {
        var reader = OptionReader(environment: SystemFacts.environment)
        return CertificateDirectory(path: try reader.value("certs-dir", certsDir, default: "certs") { $0 })
    }
}
