internal import ArgumentParser
internal import MockAPNsAPI

struct DevicesConnectCommand: AsyncParsableCommand {
    static let configuration = command(
        "Connect as a device, which is online until Ctrl-C, and print each push on a line.",
        discussion: "Stored notifications come first. With --json each line is the record of a push.",
        examples: "mock-apns devices connect alice",
        "mock-apns devices connect alice --json | jq .request.payload"
    )

    @OptionGroup var options: DeviceOptions

    func run() async throws { try await StopSignals.run(receive) }

    @Sendable private func receive() async throws {
        let api = try options.client.api.client()
        let printsText = options.client.printsText
        let refusal = try await api.stream(APIRequest("GET", options.device.path("connect"))) { event in
            try Self.handle(event, printsText: printsText, from: api.address)
        }
        if let refusal { try api.check(refusal, hint: options.device.hint) }
    }

    /// Prints an event.
    ///
    /// Returns whether to continue; `false` when the reader of the output has closed it.
    private static func handle(
        _ event: ServerSentEvent,
        printsText: Bool,
        from address: APIAddress
    ) throws -> Bool {
        switch event.name {
        case "connected":
            let name = try event.decoded(as: DeviceShape.self).name
            Console.standard.note(TerminalText.plain("connected as \(name), which is online until Ctrl-C"))
        case "push":
            let line = printsText ? try event.decoded(as: PushShape.self).line : event.line
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
