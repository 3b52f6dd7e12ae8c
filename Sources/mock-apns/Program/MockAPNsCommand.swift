internal import ArgumentParser
internal import MockAPNsFormats

/// The command line; `mock-apns` without a subcommand runs `serve`.
@main struct MockAPNsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mock-apns", abstract: "A mock of the Apple Push Notification service (APNs) on your machine.",
        discussion: """
            Point your provider at it (host, port, CA certificate), push, and see how APNs would respond.
            Every option of serve is also an environment variable: --apns-listen is MOCK_APNS_APNS_LISTEN.

            Examples:
              mock-apns serve
              mock-apns devices add --label alice --topic com.example.app
            """, version: Version.text,
        subcommands: [
            ServeCommand.self, ExecCommand.self, InterceptCommand.self, Client<SendCommand>.self,
            Client<ResendCommand>.self, PushesCommand.self, Client<WaitCommand>.self, Client<VerifyCommand>.self,
            Client<ExplainCommand>.self, Client<TailCommand>.self, Client<PreviewCommand>.self, DevicesCommand.self,
            AppsCommand.self, ChannelsCommand.self, FaultsCommand.self, NamespacesCommand.self, FeedbackCommand.self,
            ClockCommand.self, SettingsCommand.self, Client<ResetCommand>.self, CheckCommand.self, DriftCommand.self,
            TokenCommand.self, KeysCommand.self, CertsCommand.self, DataCommand.self, ReadyzCommand.self,
            ReferenceCommand.self, VersionCommand.self,
        ], defaultSubcommand: ServeCommand.self)

    static func main() async {
        await Terminal.$output.withValue(SystemFacts.terminal(1)) { await run(CommandLine.arguments.dropFirst()) }
    }

    private static func run(_ arguments: ArraySlice<String>) async {
        let path = CommandPath(Array(arguments), of: Self.self)
        do {
            try path.check(of: Self.self)
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            let width = HelpText.width(of: .output, environment: SystemFacts.environment)
            let failure: CommandFailure
            switch (error, exitCode(for: error)) {
            case (let known as CommandFailure, _): failure = known
            case (is ExitCode, _): exit(withError: error)
            case (_, .success):
                let text = fullMessage(for: error, columns: width)
                Console.answer(HelpText.shown(text, width: width, on: .output))
                exit()
            case (_, .validationFailure):
                let (message, full) = (message(for: error), fullMessage(for: error, columns: width))
                failure = ArgumentMistake(message: message, full: full, of: path).failure
            default: failure = CommandFailure(.internalError, "unexpected error: \(TerminalText.plain("\(error)"))")
            }
            Console.error(failure.message)
            exit(withError: ExitCode(failure.status.rawValue))
        }
    }
}

struct VersionCommand: ParsableCommand {
    static let configuration = command("Print the version.", examples: "mock-apns version --json")

    @Flag(help: "Print JSON.") var json = false

    func run() {
        let object = JSONValue.members(["version": Version.text]).text
        Console.answer(json ? String(decoding: object, as: UTF8.self) : Version.text)
    }
}

extension ExitCode { static let unmet = ExitCode(CommandFailure.Status.unmet.rawValue) }
