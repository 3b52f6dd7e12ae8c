internal import ArgumentParser
internal import FoundationEssentials
internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsCrypto

struct CertsCommand: ParsableCommand {
    static let configuration = command(
        "Create and show certificates.", examples: "mock-apns certs", "mock-apns certs ca > ca.pem",
        "mock-apns certs issue --topic com.example.app",
        subcommands: [
            Initialize.self, Authority.self, Client<CertsIssueCommand>.self, Client<CertsListCommand>.self,
            Client<CertsRevokeCommand>.self,
        ], defaultSubcommand: Initialize.self)

    struct Options: ParsableArguments {
        @OptionGroup var directory: CertificateDirectoryOption

        @Option("name", "An additional host name or address; repeatable.") var tlsSan: [String] = []
    }

    struct Initialize: ParsableCommand {
        static let configuration = command(
            "Create what serve creates at its first start, and show it.", name: "init",
            examples: "mock-apns certs init --tls-san apns.test")

        @OptionGroup var options: Options

        func run() throws {
            let directory = try options.directory.read()
            var reader = OptionReader(options)
            let names = try reader.list("tls-san") { $0 }
            let (host, now) = (SystemFacts.hostName, SystemFacts.now)
            let contents = try directory.certificate(additionalNames: names, hostName: host, now: now)
            if let note = contents.note { Console.note(note) }
            let key = try directory.developmentKey()
            let facts = try CertificateFacts(pem: contents.identity.certificateChainPEM)
            let authority = try CertificateFacts(pem: contents.authorityPEM)
            Console.answer(
                Table.sheet([
                    ("CA certificate", directory.authorityPath), ("SHA-256", authority.fingerprint),
                    ("certificate", directory.certificatePath), ("names", facts.names.all.joined(separator: " ")),
                    ("days left", "\((facts.notAfter - now) / 86_400)"), ("development key", key.path),
                    ("key id, team id", "\(key.key.keyID) \(key.key.teamID)"),
                ]))
        }
    }

    struct Authority: ParsableCommand {
        static let configuration = command(
            "Print the CA certificate that clients have to trust, in PEM.", name: "ca",
            examples: "mock-apns certs ca > ca.pem")

        @OptionGroup var options: Options

        func run() throws {
            let directory = try options.directory.read()
            guard let authority = try directory.existingAuthority() else {
                let problem = "\(directory.authorityPath) not found; run mock-apns certs to create it"
                throw CommandFailure(.badConfiguration, problem)
            }
            Console.write(authority.utf8)
        }
    }
}

struct CertificateDirectoryOption: ParsableArguments {
    @Option("dir", "The directory of certificates and the development key. (default: certs)") var certsDir: String?

    func read() throws -> CertificateDirectory {
        var reader = OptionReader(self)
        return CertificateDirectory(path: try reader.value("certs-dir", default: "certs") { $0 })
    }
}
