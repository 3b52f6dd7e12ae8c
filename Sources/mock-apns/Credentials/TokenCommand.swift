internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsRules

struct TokenCommand: ParsableCommand {
    static let configuration = command(
        "Print a provider token.",
        discussion: "Signed with the development key in --certs-dir, or with --key. It is valid for an hour."
    )

    @OptionGroup var directory: CertificateDirectoryOption

    @Option(help: .value("key", "Your own private key: path[,keyId,teamId]."))
    var key: String?

    @Option(help: .value("seconds", "The claim iat, in UNIX seconds. (default: now)"))
    var issuedAt: Int64?

    func run() throws {
        let directory = try directory.read()
        let signer: DevelopmentKey
        if let key {
            let argument = try KeyArgument(option: key)
            signer = DevelopmentKey(
                keyID: argument.key.keyID,
                teamID: argument.key.teamID,
                privateKeyPEM: try argument.load().pem
            )
        } else if let existing = try directory.existingDevelopmentKey() {
            signer = existing.key
        } else {
            throw CommandFailure(
                .badConfiguration,
                "no AuthKey_<keyId>.p8 in \(directory.path)/; start mock-apns serve once, or use --key"
            )
        }
        do {
            Console.standard.answer(try signer.providerToken(issuedAt: issuedAt ?? SystemFacts.now))
        } catch {
            throw CommandFailure(.badConfiguration, "\(error)")
        }
    }
}
