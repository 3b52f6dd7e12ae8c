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
        let request = options.device.request("GET", "connect")
        let refusal = try await api.stream(request) { try handle($0, from: api.address) }
        if let refusal { try api.check(refusal, to: request) }
    }

    /// Prints an event, and returns whether to continue: not when the reader of the output has closed it.
    private func handle(_ event: ServerSentEvent, from address: APIAddress) throws -> Bool {
        switch event.name {
        case "connected":
            let name = try event.decoded(as: DeviceShape.self).name
            Console.note(TerminalText.plain("connected as \(name), which is online until Ctrl-C"))
        case "push":
            let printsText = options.client.printsText
            return Console.answer(printsText ? try event.decoded(as: PushShape.self).line : event.line)
        case "gap":
            let missed = event.text("missed") ?? "some"
            Console.note("\(missed) pushes skipped: they came faster than they were read")
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
