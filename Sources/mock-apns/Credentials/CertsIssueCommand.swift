internal import ArgumentParser
internal import FoundationEssentials
internal import MockAPNsAPI

struct CertsIssueCommand: AsyncParsableCommand {
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

    @Option(help: .value("format", "pem or p12. (default: pem)"))
    var format: String?

    @Option(help: .value("name", "sandbox, production or both. (default: both)"))
    var environment: String?

    @Option(help: .value("password", "The password of the p12 file. (default: random)"))
    var password: String?

    @Option(name: [.short, .long], help: .value("file", "The file to write. (default: <topic>.pem or .p12)"))
    var output: String?

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let request = APIRequest("POST", ["certificates", "issue"]).sending([
            "topic": topic, "format": format, "environment": environment, "password": password,
        ])
        let response = try await client.ask(request)
        let issued = try response.decoded(as: CertificateIssuedShape.self)
        let path = output ?? issued.safeFileName
        try AtomicFile.create(try issued.content, at: path, access: .owner)
        Console.standard.note("wrote \(path)")
        try client.show(response) { issued.sheet(file: path) }
    }
}

extension APIObject<CertificateIssuedShape> {
    /// The name of a file in this directory: what a server says is no path.
    var safeFileName: String { String(self.fileName.split(separator: "/").last ?? "client") }

    /// What is written: certificate and key, in PEM or as PKCS#12.
    var content: [UInt8] {
        get throws {
            guard let p12 = self.p12 else { return Array((self.certificate + self.key).utf8) }
            guard let data = Data(base64Encoded: p12) else {
                throw CommandFailure(.unreachable, "the API's answer has a PKCS#12 file that is not base64")
            }
            return Array(data)
        }
    }

    func sheet(file: String) -> String {
        var lines = [
            ("file", file), ("subject", self.subject), ("SHA-256", self.fingerprint),
            ("environment", self.environment),
            ("topics", self.topics.joined(separator: " ")), ("valid until", self.notAfter),
        ]
        if let password = self.password { lines.insert(("password", password), at: 1) }
        return Table.sheet(lines)
    }
}
