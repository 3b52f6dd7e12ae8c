internal import ArgumentParser
internal import MockAPNsFormats

/// The command line; `mock-apns` without a subcommand runs `serve`.
@main
struct MockAPNsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mock-apns",
        abstract: "A mock of the Apple Push Notification service (APNs) on your machine.",
        discussion: """
            Point your provider at it (host, port, CA certificate), push, and see how APNs would respond.
            Every option of serve is also an environment variable: --apns-listen is MOCK_APNS_APNS_LISTEN.

            Example:
              mock-apns serve
              mock-apns devices add --label alice --topic com.example.app
            """,
        version: Version.text,
        subcommands: [
            ServeCommand.self, ExecCommand.self, Client<SendCommand>.self, Client<ResendCommand>.self,
            PushesCommand.self, Client<WaitCommand>.self, Client<VerifyCommand>.self,
            Client<ExplainCommand>.self,
            Client<TailCommand>.self, Client<PreviewCommand>.self, DevicesCommand.self, ChannelsCommand.self,
            FaultsCommand.self,
            NamespacesCommand.self, FeedbackCommand.self, ClockCommand.self, SettingsCommand.self,
            Client<ResetCommand>.self, CheckCommand.self, TokenCommand.self, KeysCommand.self,
            CertsCommand.self, DataCommand.self, ReadyzCommand.self, ReferenceCommand.self,
            VersionCommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )

    static func main() async {
        do {
            try SubcommandCheck.check(Array(CommandLine.arguments.dropFirst()), of: Self.self)
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            // ArgumentParser prints its own errors.
            let isUnexpected = !(error is ExitCode) && exitCode(for: error) == .failure
            let unexpected = isUnexpected ? CommandFailure(.internalError, "\(error)") : nil
            guard let failure = error as? CommandFailure ?? unexpected else { exit(withError: error) }
            Console.error(failure.message)
            exit(withError: ExitCode(failure.status.rawValue))
        }
    }
}

struct VersionCommand: ParsableCommand {
    static let configuration = command("Print the version.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() {
        let object = JSONValue.members(["version": Version.text]).text
        Console.answer(json ? String(decoding: object, as: UTF8.self) : Version.text)
    }
}

extension ExitCode {
    static let unmet = ExitCode(CommandFailure.Status.unmet.rawValue)
}

/// Finds misspelt subcommands before ArgumentParser takes them for arguments of the default subcommand.
enum SubcommandCheck {
    static func check(_ arguments: [String], of root: any ParsableCommand.Type) throws {
        var command = root
        var path = [root.configuration.commandName ?? ""]
        for word in arguments.prefix(while: { !$0.hasPrefix("-") }) {
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty || word == "help" && path.count == 1 { return }
            guard let next = subcommands.first(where: { $0.configuration.commandName == word }) else {
                let names = subcommands.compactMap { $0.configuration.commandName }
                let parent = path.joined(separator: " ")
                let hint =
                    Suggestion.nearest(to: word, among: names).map { "did you mean '\(parent) \($0)'?" }
                    ?? "expected one of \(names.joined(separator: ", "))."
                let name = "\(parent) \(TerminalText.plain(word))"
                throw ValidationError("unknown command '\(name)': \(hint)")
            }
            command = next
            path.append(word)
        }
    }
}
