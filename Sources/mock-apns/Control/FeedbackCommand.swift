internal import ArgumentParser

/// `mock-apns feedback`: the device tokens that do not work any more.
struct FeedbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedback",
        abstract: "Device tokens that do not work any more.",
        discussion: """
            A provider should stop pushing to a token after its first 410: the column PUSHES AFTER counts \
            those that came all the same.

            Example:
              mock-apns feedback
              mock-apns feedback clear
            """,
        subcommands: [List.self, Clear.self],
        defaultSubcommand: List.self
    )

    /// `mock-apns feedback list`: lists them.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List them (default).",
            discussion: """
                Example:
                  mock-apns feedback list --since 2026-01-05T10:00:00Z
                """
        )

        @Option(
            help: ArgumentHelp("Only tokens that died at this time or later, in RFC 3339.", valueName: "time")
        )
        var since: String?

        @Flag(help: "Print device tokens in full.")
        var full = false

        @OptionGroup var client: ClientOptions

        func run() async throws {
            let response = try await client.ask(APIRequest("GET", ["feedback"], query: [("since", since)]))
            try client.show(response, as: FeedbackAnswer.self) { answer in
                guard answer.feedback.isEmpty else { return answer.table(full: full) }
                let when = since == nil ? "" : " since then"
                Console.standard.note(
                    "No dead tokens\(when). mock-apns devices uninstall <device> makes one."
                )
                return nil
            }
        }
    }

    /// `mock-apns feedback clear`: empties the list.
    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: "Empty the list; a token comes back to it when it is pushed to.",
            discussion: """
                Example:
                  mock-apns feedback clear
                """
        )

        @OptionGroup var client: ClientOptions

        func run() async throws {
            let response = try await client.ask(APIRequest("DELETE", ["feedback"]))
            try client.show(response, as: DeletionAnswer.self) { "\($0.deleted) removed from the list" }
        }
    }
}
