internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsRules

/// `mock-apns token`: prints a provider token, so that a push with curl is one line.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print a provider token.",
        discussion: "Signed with the development key in --certs-dir, or with --key. It is good for an hour."
    )

    @Option(help: ArgumentHelp("Where the development key is kept. (default: certs)", valueName: "dir"))
    var certsDir: String?

    @Option(help: ArgumentHelp("A private key of your own: path[,keyId,teamId].", valueName: "key"))
    var key: String?

    @Option(help: ArgumentHelp("The claim iat, in UNIX seconds. (default: now)", valueName: "seconds"))
    var issuedAt: Int64?

    func run() throws {
        var settings = Settings(environment: SystemFacts.environment)
        let directory = CertificateDirectory(
            path: try settings.value("certs-dir", flag: certsDir, default: "certs") { $0 }
        )
        let signer: DevelopmentKey
        if let key {
            let argument = try settings.value("key", flag: key, default: "") { try KeyArgument(parsing: $0) }
            let pem = try argument.load().pem
            signer = DevelopmentKey(
                keyID: argument.key.keyID,
                teamID: argument.key.teamID,
                privateKeyPEM: pem
            )
        } else if let existing = try directory.existingDevelopmentKey() {
            signer = existing.key
        } else {
            throw CommandFailure(
                .badConfiguration,
                "there is no AuthKey_<keyId>.p8 in \(directory.path)/; start mock-apns serve once, or name a key with --key"
            )
        }
        do {
            Console.standard.answer(try signer.providerToken(issuedAt: issuedAt ?? SystemFacts.now))
        } catch {
            throw CommandFailure(.badConfiguration, "\(error)")
        }
    }
}
