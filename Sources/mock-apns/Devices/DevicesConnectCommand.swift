internal import ArgumentParser
internal import MockAPNsAPI

/// Connects as a device while it runs.
struct DevicesConnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "connect",
        "Connect as a device: it is online until Ctrl-C, and each push is printed on a line.",
        discussion: "Stored notifications come first. With --json each line is the record of a push.",
        examples: "mock-apns devices connect alice",
        "mock-apns devices connect alice --json | jq .request.payload"
    )

    @Argument(help: DeviceArgument.help)
    var device: DeviceArgument

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let signals = try StopSignals()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await signals.wait() }
            group.addTask { try await receive() }
            // The first to end cancels the other.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func receive() async throws {
        let api = try client.api.client()
        let printsText = client.printsText
        let refusal = try await api.stream(APIRequest("GET", device.path("connect"))) { event in
            try Self.handle(event, printsText: printsText, from: api.address)
        }
        if let refusal { try ClientOptions.check(refusal, of: api.address, hint: device.hint) }
    }

    /// Prints an event.
    ///
    /// - Returns: whether to continue; `false` when the reader of the output has closed it.
    /// - Throws: `CommandFailure` when the server ends the stream.
    private static func handle(
        _ event: ServerSentEvent,
        printsText: Bool,
        from address: APIAddress
    ) throws -> Bool {
        switch event.name {
        case "connected":
            let name = try event.decoded(as: APIObject<DeviceShape>.self).name
            Console.standard.note(TerminalText.plain("connected as \(name), which is online until Ctrl-C"))
        case "push":
            let line = printsText ? try event.decoded(as: APIObject<PushShape>.self).line : event.line
            return Console.standard.answer(line)
        case "gap":
            let missed = event.text("missed") ?? "some"
            Console.standard.note("\(missed) pushes skipped: they came faster than they were read")
        case "closed":
            switch event.text("reason") ?? "closed" {
            case "forgotten": throw CommandFailure(.unmet, "the device was removed")
            case "namespace-deleted": throw CommandFailure(.unmet, "the namespace was removed")
            case let reason: throw address.connectionEnded(reason)
            }
        default: break
        }
        return true
    }
}
