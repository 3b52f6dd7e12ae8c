internal import ArgumentParser
internal import FoundationEssentials

/// `mock-apns certs issue`: asks a running server for a client certificate.
struct CertsIssueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Take a client certificate for an app from a running server.",
        discussion: """
            Writes the certificate with its private key to one file, which must not be there yet. The server does \
            not take it in place of a provider token yet; its subject stands in the record of each push.

            Example:
              mock-apns certs issue --topic com.example.app
              mock-apns certs issue --topic com.example.app --format p12 --password secret -o app.p12
            """
    )

    @Option(help: ArgumentHelp("The bundle identifier of the app.", valueName: "topic"))
    var topic: String

    @Option(help: ArgumentHelp("pem or p12. (default: pem)", valueName: "format"))
    var format: String?

    @Option(help: ArgumentHelp("sandbox, production or both. (default: both)", valueName: "name"))
    var environment: String?

    @Option(help: ArgumentHelp("Opens the p12 file. (default: random)", valueName: "password"))
    var password: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The file to write. (default: <topic>.pem or .p12)", valueName: "file")
    )
    var output: String?

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let body = Body(topic: topic, format: format, environment: environment, password: password)
        let response = try await client.ask(APIRequest("POST", ["certificates", "issue"]).sending(body))
        let issued = try response.decoded(as: IssuedCertificateAnswer.self)
        let path = output ?? issued.safeFileName
        try AtomicFile.create(try issued.content, at: path, access: .owner)
        Console.standard.note("wrote \(path)")
        try client.show(response, as: IssuedCertificateAnswer.self) { $0.sheet(file: path) }
    }

    private struct Body: Encodable {
        let topic: String
        let format: String?
        let environment: String?
        let password: String?
    }
}
