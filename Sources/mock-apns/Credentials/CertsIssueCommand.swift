internal import ArgumentParser
internal import FoundationEssentials
internal import MockAPNsAPI
internal import MockAPNsClient

struct CertsIssueCommand: ClientTask {
    static let configuration = command(
        "Get a client certificate for an app from a running server.",
        discussion: """
            Writes the certificate with its private key to one file, which must not exist yet. A provider that \
            presents it needs no provider token. It stays valid after a restart of the server.
            """, examples: "mock-apns certs issue --topic com.example.app",
        "mock-apns certs issue --topic com.example.app --format p12 --password secret -o app.p12",
        "mock-apns certs issue --topic com.example.app --expires -1d", "mock-apns certs issue --mdm")

    @Option("topic", "The bundle identifier of the app. (with --mdm, default: random)") var topic: String?

    @Option("topics", "The topics, separated by commas. (default: app, VoIP, complication)") var topics: String?

    @Option("format", "pem, p12 or p12-legacy, for clients that read only RC2. (default: pem)") var format: String?

    @Option("name", "sandbox, production or both. (default: both; with --mdm, production)") var environment: String?

    @Option("duration", "When it begins to be valid, from now. (default: -1d)", parsing: .unconditional) var starts:
        String?

    @Option("duration", "When it expires, from now; -1d for an expired one. (default: 365d)", parsing: .unconditional)
    var expires: String?

    @Flag(help: "Sign it with its own key, so that the server refuses it.") var selfSigned = false

    @Flag(help: "Make it for device management (MDM).") var mdm = false

    @Option("password", "The password of the p12 file. (default: random)") var password: String?

    @Option("file", "The file to write. (default: <topic>.pem or .p12)", name: .shortAndLong) var output: String?

    func run(_ client: ClientOptions) async throws {
        let expected = "the bundle identifier of the app, such as com.example.app"
        try CommandFailure.check(topic != nil || mdm, .usage, "missing --topic: expected \(expected)")
        let request = APIRequest("POST", ["certificates", "issue"]).sending([
            "topic": topic, "topics": topics.map { $0.split(separator: ",").map(String.init) }, "format": format,
            "environment": environment, "starts": starts, "expires": expires, "selfSigned": selfSigned ? true : nil,
            "mdm": mdm ? true : nil, "password": password,
        ])
        let response = try await client.ask(request)
        let (name, content) = try response.decoded(as: CertificateIssuedShape.self) {
            ($0.safeFileName, try $0.content())
        }
        let path = output ?? name
        try AtomicFile.create(content, at: path, access: .owner)
        Console.note("wrote \(path)")
        try client.show(response, as: CertificateIssuedShape.self) { issued in
            Table.sheet([
                ("file", path), ("password", issued.password), ("subject", issued.subject),
                ("SHA-256", issued.fingerprint), ("environment", issued.environment),
                ("topics", issued.topics.joined(separator: " ")), ("serial", issued.serial),
                ("valid from", issued.notBefore), ("valid until", issued.notAfter),
            ])
        }
    }
}

struct CertsListCommand: ClientTask {
    static let configuration = command(
        "List the client certificates that a running server has issued.", name: "list", examples: "mock-apns certs list"
    )

    func run(_ client: ClientOptions) async throws {
        try await client.show(APIRequest("GET", ["certificates"]), as: CertificateListShape.self) { answer in
            if answer.mode != "issued" {
                Console.note("The server was started with --client-certificates \(answer.mode).")
            }
            let none = "No certificates. mock-apns certs issue --topic com.example.app makes one."
            guard !answer.certificates.isEmpty else { return Console.none(none) }
            return Table.text(
                [
                    .fixed("SERIAL"), .fixed("STANDING"), .text("ENVIRONMENTS").optional(2),
                    .fixed("VALID UNTIL").optional(1), "TOPICS",
                ], of: answer.certificates
            ) {
                [
                    $0.serial, $0.standing, $0.environments.joined(separator: " "), $0.notAfter ?? "",
                    $0.topics.joined(separator: " "),
                ]
            }
        }
    }
}

struct CertsRevokeCommand: ClientTask {
    static let configuration = command(
        "Revoke a client certificate; new connections with it are refused from then on.", name: "revoke",
        examples: "mock-apns certs revoke 5F3A9C0012345678")

    @Argument(help: .value("serial", "The serial number, as certs list shows it.")) var serial: String

    func run(_ client: ClientOptions) async throws {
        try await client.ask(APIRequest("DELETE", ["certificates", serial]))
        if client.printsText { Console.note("\(TerminalText.plain(serial)) revoked") }
    }
}

extension APIObject<CertificateIssuedShape> {
    /// The name of a file in this directory: a path from a server is not trusted.
    var safeFileName: String { String(self.fileName.split(separator: "/").last ?? "client") }

    func content() throws -> [UInt8] {
        guard let p12 = self.p12 else { return Array((self.certificate + self.key).utf8) }
        guard let data = Data(base64Encoded: p12) else {
            throw CommandFailure(.unreachable, "the API's response has a PKCS#12 file that is not base64")
        }
        return Array(data)
    }
}
