internal import ArgumentParser
internal import NIOCore

/// `mock-apns clock`: the time that the simulated service goes by.
struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "The time of the simulated service: expiration, storage, token age, rates.",
        discussion: """
            Times are written as in RFC 3339, 2030-01-01T00:00:00Z; durations as 500ms, 5s, 2m, 1h or 30d. \
            Everything that is due has happened when a command ends.

            Example:
              mock-apns clock freeze
              mock-apns clock advance 31d
              mock-apns clock real
            """,
        subcommands: [Show.self, Freeze.self, Set.self, Advance.self, Real.self],
        defaultSubcommand: Show.self
    )

    /// `mock-apns clock show`: what it shows.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show it (default).",
            discussion: """
                Example:
                  mock-apns clock show
                """
        )

        @OptionGroup var client: ClientOptions

        func run() async throws {
            let response = try await client.ask(APIRequest("GET", ["clock"]))
            try client.show(response, as: ClockAnswer.self) { Table.sheet($0.lines) }
        }
    }

    /// `mock-apns clock freeze`: stops it.
    struct Freeze: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "freeze",
            abstract: "Stop it, where it is or at a time.",
            discussion: """
                Example:
                  mock-apns clock freeze 2030-01-01T00:00:00Z
                """
        )

        @Argument(help: ArgumentHelp("Where to stop it, in RFC 3339. (default: now)", valueName: "time"))
        var time: String?

        @OptionGroup var change: Change

        func run() async throws {
            try await change.send("PUT", ["clock"], ["mode": "frozen", "now": time].compactMapValues { $0 })
        }
    }

    /// `mock-apns clock set`: stops it at a time.
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Stop it at a time.",
            discussion: """
                Example:
                  mock-apns clock set 2030-01-01T00:00:00Z
                """
        )

        @Argument(help: ArgumentHelp("Where to stop it, in RFC 3339.", valueName: "time"))
        var time: String

        @OptionGroup var change: Change

        func run() async throws {
            try await change.send("PUT", ["clock"], ["mode": "frozen", "now": time])
        }
    }

    /// `mock-apns clock advance`: moves it forward.
    struct Advance: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "advance",
            abstract: "Move it forward, and do everything that becomes due.",
            discussion: """
                Example:
                  mock-apns clock advance 1h
                """
        )

        @Argument(help: ArgumentHelp("How far: 500ms, 5s, 2m, 1h or 30d.", valueName: "duration"))
        var duration: String

        @OptionGroup var change: Change

        func run() async throws {
            try await change.send("POST", ["clock", "advance"], ["by": duration])
        }
    }

    /// `mock-apns clock real`: lets it run with the system's.
    struct Real: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "real",
            abstract: "Let it run again, with the system's clock.",
            discussion: """
                Example:
                  mock-apns clock real
                """
        )

        @OptionGroup var change: Change

        func run() async throws { try await change.send("PUT", ["clock"], ["mode": "real"]) }
    }

    /// What all changes of the clock have in common.
    struct Change: ParsableArguments {
        @Flag(help: "Print all ids and tokens of what happened.")
        var full = false

        @OptionGroup var client: ClientOptions

        /// Sends a change, and prints what happened.
        func send(_ method: String, _ path: [String], _ body: [String: String]) async throws {
            let request = try APIRequest(method, path).sending(body)
            // Years of a full house may have to be lived through.
            let response = try await client.ask(request, timeout: .seconds(300))
            try client.show(response, as: ClockChangeAnswer.self) { $0.text(full: full) }
        }
    }
}
