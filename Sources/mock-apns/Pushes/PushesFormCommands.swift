internal import ArgumentParser

/// `mock-apns pushes raw`: the body of a push.
struct PushesRawCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "raw",
        abstract: "Print the body of a push, byte for byte.",
        discussion: """
            Example:
              mock-apns pushes raw latest > payload.json
            """
    )

    @Argument(help: PushArgument.help)
    var push: PushArgument

    @OptionGroup var api: APIOptions

    func run() async throws { try await PushDocument(push: push, form: "raw").print(api) }
}

/// `mock-apns pushes curl`: a push as a command.
struct PushesCurlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "curl",
        abstract: "Print a curl command that sends a push again, with a new provider token.",
        discussion: """
            Example:
              mock-apns pushes curl latest | sh
            """
    )

    @Argument(help: PushArgument.help)
    var push: PushArgument

    @OptionGroup var api: APIOptions

    func run() async throws { try await PushDocument(push: push, form: "curl").print(api) }
}

/// `mock-apns pushes simctl`: a push for the Simulator.
struct PushesSimctlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simctl",
        abstract: "Print a push as xcrun simctl push takes it.",
        discussion: """
            Example:
              mock-apns pushes simctl latest | xcrun simctl push booted -
            """
    )

    @Argument(help: PushArgument.help)
    var push: PushArgument

    @OptionGroup var api: APIOptions

    func run() async throws { try await PushDocument(push: push, form: "simctl.apns").print(api) }
}
