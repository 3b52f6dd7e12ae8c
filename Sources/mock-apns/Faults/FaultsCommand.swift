internal import ArgumentParser
internal import MockAPNsAPI

struct FaultsCommand: AsyncParsableCommand {
    static let configuration = command(
        "Faults: failing responses, streams, connections and deliveries.",
        discussion: """
            Faults are in a list; for each push only the first one that fires applies. Random decisions come from \
            the seed of the server, so a run can be repeated.
            """,
        examples: "mock-apns faults add --respond 503 --topic com.example.app --times 2",
        "mock-apns faults preset goaway-then-refuse:after=10",
        "mock-apns faults list",
        "mock-apns faults clear",
        subcommands: [
            FaultsListCommand.self, FaultsAddCommand.self, FaultsPresetCommand.self, FaultsRemoveCommand.self,
            FaultsOnCommand.self, FaultsOffCommand.self, FaultsClearCommand.self,
        ]
    )
}

struct FaultsListCommand: AsyncParsableCommand {
    static let configuration = command(
        "List faults, with how often each fired.",
        examples: "mock-apns faults list",
        "mock-apns faults list --json | jq '.faults[].stats.draws'"
    )

    @OptionGroup var client: ClientOptions

    func run() async throws {
        try await client.show(APIRequest("GET", ["faults"]), as: APIObject<FaultListShape>.self) { answer in
            guard answer.faults.isEmpty else { return APIObject<FaultShape>.table(answer.faults) }
            Console.standard.note("No faults. mock-apns faults add --respond 503 --times 2 adds one.")
            return nil
        }
    }
}
