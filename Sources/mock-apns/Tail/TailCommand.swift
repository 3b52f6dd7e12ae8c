internal import ArgumentParser
internal import NIOCore

/// `mock-apns tail`: what happens, as it happens.
struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Print what happens, as it happens, until Ctrl-C.",
        discussion: """
            A connection that breaks is made again, from the last event on; what cannot be had any more is said on \
            standard error. With --json each line is an event: {"event","id","data"}.

            Example:
              mock-apns tail --types 'push.*' -q 'is:rejected'
              mock-apns tail --json | jq -c 'select(.event == "push.delivered") | .data.request.payload'
            """
    )

    @Option(
        name: [.customShort("q"), .customLong("query")],
        help: ArgumentHelp("Only pushes of this search, as 'type:alert is:rejected'.", valueName: "search")
    )
    var query: String?

    @Option(
        help: ArgumentHelp("Only these events, as 'push.*,device.*'; repeatable.", valueName: "types")
    )
    var types: [String] = []

    @Option(help: ArgumentHelp("Begin after this number. (default: with what comes now)", valueName: "seq"))
    var after: UInt64?

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let signals = try StopSignals()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await signals.wait() }
            group.addTask { try await ClosedOutput.wait() }
            group.addTask { try await follow() }
            // Whichever comes first ends the others.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func follow() async throws {
        var tail = EventTail(client: try client.api.client(), printsText: client.printsText)
        try await tail.run(query: [("types", typeList), ("q", query)], after: after)
    }

    private var typeList: String? { types.isEmpty ? nil : types.joined(separator: ",") }
}
