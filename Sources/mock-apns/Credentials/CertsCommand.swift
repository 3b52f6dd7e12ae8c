internal import ArgumentParser
internal import FoundationEssentials
internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsCrypto

struct CertsCommand: ParsableCommand {
    static let configuration = command(
        "Create and show certificates.",
        subcommands: [Initialize.self, Authority.self, Client<CertsIssueCommand>.self],
        defaultSubcommand: Initialize.self
    )

    struct Options: ParsableArguments {
        @OptionGroup var directory: CertificateDirectoryOption

        @Option("name", "An additional host name or address; repeatable.")
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
                    ("CA certificate", directory.authorityPath),
                    ("SHA-256", authority.fingerprint),
                    ("certificate", directory.certificatePath),
                    ("names", facts.names.all.joined(separator: " ")),
                    ("days left", "\((facts.notAfter - now) / 86_400)"),
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
                let problem = "\(directory.authorityPath) not found; run mock-apns certs to create it"
                throw CommandFailure(.badConfiguration, problem)
            }
            Console.write(authority.utf8)
        }
    }
}

struct CertificateDirectoryOption: ParsableArguments {
    @Option("dir", "The directory of certificates and the development key. (default: certs)")
    var certsDir: String?

    func read() throws -> CertificateDirectory {
        var reader = OptionReader(self)
        return CertificateDirectory(path: try reader.value("certs-dir", default: "certs") { $0 })
    }
}

struct CertsIssueCommand: ClientTask {
    static let configuration = command(
        "Get a client certificate for an app from a running server.",
        discussion: """
            Writes the certificate with its private key to one file, which must not exist yet. The server does \
            not accept it in place of a provider token yet; its subject is in the record of each push.
            """,
        examples: "mock-apns certs issue --topic com.example.app",
        "mock-apns certs issue --topic com.example.app --format p12 --password secret -o app.p12"
    )

    @Option(help: .value("topic", "The bundle identifier of the app."))
    var topic: String

    @Option("format", "pem or p12. (default: pem)")
    var format: String?

    @Option("name", "sandbox, production or both. (default: both)")
    var environment: String?

    @Option("password", "The password of the p12 file. (default: random)")
    var password: String?

    @Option("file", "The file to write. (default: <topic>.pem or .p12)", name: .shortAndLong)
    var output: String?

    func run(_ client: ClientOptions) async throws {
        let request = APIRequest("POST", ["certificates", "issue"]).sending([
            "topic": topic, "format": format, "environment": environment, "password": password,
        ])
        let response = try await client.ask(request)
        let issued = try response.decoded(as: CertificateIssuedShape.self)
        let path = output ?? issued.safeFileName
        try AtomicFile.create(issued.content(), at: path, access: .owner)
        Console.note("wrote \(path)")
        try client.show(response) {
            Table.sheet([
                ("file", path), ("password", issued.password), ("subject", issued.subject),
                ("SHA-256", issued.fingerprint), ("environment", issued.environment),
                ("topics", issued.topics.joined(separator: " ")), ("valid until", issued.notAfter),
            ])
        }
    }
}

extension APIObject<CertificateIssuedShape> {
    /// The name of a file in this directory: a path from a server is not trusted.
    var safeFileName: String { String(self.fileName.split(separator: "/").last ?? "client") }

    func content() throws -> [UInt8] {
        guard let p12 = self.p12 else { return Array((self.certificate + self.key).utf8) }
        guard let data = Data(base64Encoded: p12) else {
            throw CommandFailure(.unreachable, "the API's answer has a PKCS#12 file that is not base64")
        }
        return Array(data)
    }
}
