internal import ArgumentParser

/// `mock-apns faults list`: the faults there are, in their order.
struct FaultsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List faults, with how often each fired.",
        discussion: """
            Example:
              mock-apns faults list
              mock-apns faults list --json | jq '.faults[].stats.draws'
            """
    )

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let response = try await client.ask(APIRequest("GET", ["faults"]))
        try client.show(response, as: FaultListAnswer.self) { answer in
            guard answer.faults.isEmpty else { return FaultAnswer.table(answer.faults) }
            Console.standard.note("No faults. mock-apns faults add --respond 503 --times 2")
            return nil
        }
    }
}
