internal import ArgumentParser
internal import MockAPNs

/// `mock-apns keys list`: the keys that a running server knows.
struct KeysListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys that a running server knows.",
        discussion: """
            Example:
              mock-apns keys list
            """
    )

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let response = try await client.ask(APIRequest("GET", ["keys"]))
        try client.show(response, as: KeyListAnswer.self) { answer in
            if answer.auth != "verify" {
                Console.standard.note("The server does not verify signatures (auth is \(answer.auth)).")
            }
            guard answer.keys.isEmpty else { return KeyAnswer.table(answer.keys) }
            Console.standard.note("No keys. mock-apns keys generate --register makes one.")
            return nil
        }
    }
}

/// `mock-apns keys add`: tells a running server of a key.
struct KeysAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Tell a running server of a key, until a reset.",
        discussion: """
            The server gets the public half alone.

            Example:
              mock-apns keys add AuthKey_ABC123DEFG.p8,ABC123DEFG,TEAM123456
            """
    )

    @Argument(
        help: ArgumentHelp(
            "path[,keyId,teamId[,topic+topic...][,sandbox|production]], as for serve --key.",
            valueName: "key"
        )
    )
    var key: String

    @OptionGroup var client: ClientOptions

    func run() async throws {
        var settings = Settings(environment: [:])
        let argument = try settings.value("key", flag: key, default: "") { try KeyArgument(parsing: $0) }
        let body = try KeyBody(argument.key, pem: try argument.load().pem)
        let response = try await client.ask(body.request)
        try client.show(response, as: KeyAnswer.self) { KeyAnswer.table([$0]) }
    }
}

/// `mock-apns keys rm`: makes a running server forget a key.
struct KeysRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Make a running server forget a key; its tokens are refused from then on.",
        discussion: """
            A key of the start comes back with a reset.

            Example:
              mock-apns keys rm ABC123DEFG
            """
    )

    @Argument(help: ArgumentHelp("The key identifier.", valueName: "key-id"))
    var keyID: String

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let hint = "mock-apns keys list shows them"
        _ = try await client.ask(APIRequest("DELETE", ["keys", keyID]), hint: hint)
        if client.printsText { Console.standard.note("\(TerminalText.plain(keyID)) is forgotten") }
    }
}
