internal import ArgumentParser
internal import MockAPNsFormats

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
            try client.show(response) { JSONParser.value(of: response.body)?.settings }
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
            var body: [String: JSONValue] = [:]
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
                body[String(parts[0])] =
                    JSONParser.value(of: Array(parts[1].utf8)) ?? .string(String(parts[1]))
            }
            let request = APIRequest("PATCH", ["settings"]).sending(.object(body))
            let response = try await client.ask(request)
            try client.show(response) { JSONParser.value(of: response.body)?.settings }
        }
    }
}

extension JSONValue {
    /// Settings by name, a line for each.
    fileprivate var settings: String {
        Table.sheet(
            sortedMembers.map { name, value in
                (name: name, value: value == .null ? "none" : value.plainText ?? "…")
            }
        )
    }
}
