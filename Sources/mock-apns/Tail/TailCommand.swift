internal import ArgumentParser

struct TailCommand: AsyncParsableCommand {
    static let configuration = command(
        "Print events as they happen, until Ctrl-C.",
        discussion: """
            A broken connection is made again and continues after the last event; missed events are reported on \
            standard error. With --json each line is an event: {"event","id","data"}.
            """,
        examples: "mock-apns tail --types 'push.*' -q 'is:rejected'",
        #"mock-apns tail --json | jq -c 'select(.event == "push.delivered") | .data.request.payload'"#
    )

    @Option(
        name: [.customShort("q"), .customLong("query")],
        help: .value("search", "Only pushes that match this search, as 'type:alert is:rejected'.")
    )
    var query: String?

    @Option(help: .value("types", "Only these events, as 'push.*,device.*'; repeatable."))
    var types: [String] = []

    @Option(help: .value("seq", "Start after this number. (default: the newest event)"))
    var after: UInt64?

    @OptionGroup var client: ClientOptions

    func run() async throws {
        try await StopSignals.run(follow) {
            // Without anything to write, a closed output would go unnoticed.
            while !SystemFacts.isOutputClosed { try await Task.sleep(for: .milliseconds(250)) }
        }
    }

    @Sendable private func follow() async throws {
        var tail = EventTail(client: try client.api.client(), printsText: client.printsText)
        let types = types.isEmpty ? nil : types.joined(separator: ",")
        try await tail.run(query: [("types", types), ("q", query)], after: after)
    }
}
