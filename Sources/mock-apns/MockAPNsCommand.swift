internal import ArgumentParser

/// The command line: `mock-apns` alone serves.
@main
struct MockAPNsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mock-apns",
        abstract: "A mock APNs: the Apple Push Notification service, on your machine.",
        discussion: """
            Point your provider at it (host, port, CA), push, and see what APNs would have answered.
            Every option of serve can also be set in the environment: --apns-listen is MOCK_APNS_APNS_LISTEN.
            """,
        version: Version.text,
        subcommands: [
            ServeCommand.self, TokenCommand.self, KeysCommand.self, CertsCommand.self, ReadyzCommand.self,
            ReferenceCommand.self, VersionCommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            Console.standard.error(failure.message)
            exit(withError: ExitCode(failure.status.rawValue))
        } catch {
            exit(withError: error)
        }
    }
}
