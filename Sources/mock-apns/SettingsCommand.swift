internal import ArgumentParser

/// `mock-apns settings`: what can be set while a server runs.
struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show and change the settings of a running server.",
        discussion: """
            Example:
              mock-apns settings
              mock-apns settings set auth=wellformed deviceRate=10/1s
              mock-apns settings set strict=true deviceRate=null
            """,
        subcommands: [Show.self, Set.self],
        defaultSubcommand: Show.self
    )

    /// `mock-apns settings show`: shows them.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show them (default).",
            discussion: """
                Example:
                  mock-apns settings show --json | jq .auth
                """
        )

        @OptionGroup var client: ClientOptions

        func run() async throws {
            let response = try await client.ask(APIRequest("GET", ["settings"]))
            try client.show(response, as: JSONDocument.self) { $0.settings }
        }
    }

    /// `mock-apns settings set`: changes some.
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change some of them, all at once, until a reset.",
            discussion: """
                A value is what JSON has for it; what JSON does not know is a text.

                Example:
                  mock-apns settings set unknownTokens=reject errorLimit=3
                """
        )

        @Argument(help: ArgumentHelp("What to set, and to what.", valueName: "name=value"))
        var changes: [String]

        @OptionGroup var client: ClientOptions

        func run() async throws {
            var body: [String: JSONDocument] = [:]
            for change in changes {
                let parts = change.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, !parts[0].isEmpty else {
                    throw CommandFailure(
                        .usage,
                        "'\(change)' should be a name and a value, as in auth=any; mock-apns settings shows them"
                    )
                }
                guard body[String(parts[0])] == nil else {
                    throw CommandFailure(.usage, "'\(parts[0])' is set twice")
                }
                body[String(parts[0])] = JSONDocument(Array(parts[1].utf8)) ?? .string(String(parts[1]))
            }
            let request = try APIRequest("PATCH", ["settings"]).sending(JSONDocument.object(body))
            try client.show(try await client.ask(request), as: JSONDocument.self) { $0.settings }
        }
    }
}

extension JSONDocument {
    /// Settings by name, a line for each.
    fileprivate var settings: String {
        guard case .object(let members) = self else { return "" }
        let lines = members.sorted { $0.key < $1.key }.map { name, value in
            switch value {
            case .string(let text): (name, text)
            case .null: (name, "none")
            case .bool(let bool): (name, "\(bool)")
            case .integer(let number): (name, "\(number)")
            case .number(let number): (name, "\(number)")
            case .array, .object: (name, "…")
            }
        }
        return Table.sheet(lines.map { (name: $0.0, value: $0.1) })
    }
}
