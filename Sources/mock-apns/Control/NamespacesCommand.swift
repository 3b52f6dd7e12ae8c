internal import ArgumentParser

/// `mock-apns ns`: worlds of their own on a running server.
struct NamespacesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ns",
        abstract: "Namespaces: worlds of their own, for tests that run at the same time.",
        discussion: """
            Every command that asks a server takes --ns, or MOCK_APNS_NS.

            Example:
              mock-apns ns create t-42 --ttl 10m
              mock-apns devices list --ns t-42
              mock-apns ns rm t-42
            """,
        subcommands: [List.self, Create.self, Remove.self],
        defaultSubcommand: List.self
    )

    /// `mock-apns ns list`: lists them.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List them (default).",
            discussion: """
                Example:
                  mock-apns ns list
                """
        )

        @OptionGroup var client: ClientOptions

        func run() async throws {
            let response = try await client.ask(APIRequest("GET", ["namespaces"]))
            try client.show(response, as: NamespaceListAnswer.self) { NamespaceAnswer.table($0.namespaces) }
        }
    }

    /// `mock-apns ns create`: makes one.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Make a namespace, with a port of its own.",
            discussion: """
                Example:
                  mock-apns ns create t-42 --ttl 10m --json | jq -r .apns
                """
        )

        @Argument(help: "Its name: letters, digits and -._, 64 at most.")
        var name: String

        @Flag(inversion: .prefixedNo, help: "Whether it has a port of its own. (default: it has)")
        var listener: Bool?

        @Option(help: ArgumentHelp("The environment of its port: sandbox or production.", valueName: "name"))
        var environment: String?

        @Option(
            help: ArgumentHelp(
                "Remove it when nobody has pushed to it or asked about it for so long. (default: never)",
                valueName: "duration"
            )
        )
        var ttl: String?

        @Option(
            help: ArgumentHelp(
                "Whose keys, settings and first devices it gets: a namespace, or none. (default: default)",
                valueName: "name"
            )
        )
        var inherit: String?

        @OptionGroup var client: ClientOptions

        func run() async throws {
            let body = Body(
                name: name,
                listener: listener,
                environment: environment,
                ttl: ttl,
                inherit: inherit
            )
            let response = try await client.ask(APIRequest("POST", ["namespaces"]).sending(body))
            try client.show(response, as: NamespaceAnswer.self) { $0.sheet }
        }

        private struct Body: Encodable {
            let name: String
            let listener: Bool?
            let environment: String?
            let ttl: String?
            let inherit: String?
        }
    }

    /// `mock-apns ns rm`: removes one.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rm",
            abstract: "Remove a namespace with everything that happened in it.",
            discussion: """
                Example:
                  mock-apns ns rm t-42
                """
        )

        @Argument(help: "Its name.")
        var name: String

        @OptionGroup var client: ClientOptions

        func run() async throws {
            let hint = "mock-apns ns list shows them"
            _ = try await client.ask(APIRequest("DELETE", ["namespaces", name]), hint: hint)
            if client.printsText { Console.standard.note("\(TerminalText.plain(name)) is removed") }
        }
    }
}
