internal import ArgumentParser

/// `mock-apns faults`: what goes wrong on purpose on a running server.
struct FaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract: "Break things on purpose: answers, streams, connections, deliveries.",
        discussion: """
            Faults stand in a list; the first that fires for a push is the only one. What they draw at random \
            comes from the seed of the server, so the same run breaks in the same places.

            Example:
              mock-apns faults add --respond 503 --topic com.example.app --times 2
              mock-apns faults preset goaway-then-refuse:after=10
              mock-apns faults list
              mock-apns faults clear
            """,
        subcommands: [
            FaultsListCommand.self, FaultsAddCommand.self, FaultsPresetCommand.self, FaultsRemoveCommand.self,
            FaultsOnCommand.self, FaultsOffCommand.self, FaultsClearCommand.self,
        ]
    )

    static let idHelp: ArgumentHelp = "The id of a fault, flt_..., as faults list shows it."
}
