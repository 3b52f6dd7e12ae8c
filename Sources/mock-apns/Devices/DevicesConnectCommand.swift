internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats

struct DevicesConnectCommand: ClientTask {
    static let configuration = command(
        "Connect as a device, or as many, which are online until Ctrl-C, and print each push on a line.",
        discussion: """
            Stored notifications come first. What happens to Live Activities is also printed. With --json each line is \
            the record of a push, or an event with the Live Activity as "activity". Without a device, --search, --topic and \
            --count choose many devices, which share one connection; each line then names its device, with --json as \
            "device" and "label" beside "push".
            """, examples: "mock-apns devices connect alice",
        "mock-apns devices connect alice --json | jq .request.payload", "mock-apns devices connect --search load-",
        "mock-apns devices connect --topic com.example.app --count 1000 --json | jq .label")

    @Argument(help: "The device: @label, a device token, or dev_..., as in devices list.") var device: DeviceArgument?

    @Option("text", "All devices with this text in the label or in a token.") var search: String?

    @Option("topic", "All devices with an app of this topic.") var topic: String?

    @Option("n", "The first of the matching devices. (default: all, 100000 at most)") var count: Int?

    func validate() throws {
        let isMany = search != nil || topic != nil || count != nil
        guard isMany == (device != nil) else { return }
        throw ValidationError(
            device == nil
                ? "No device: give one, or --search, --topic or --count for many."
                : "A device and --search, --topic or --count cannot be combined.")
    }

    func run(_ client: ClientOptions) async throws {
        let api = try client.api.client()
        let many = [("q", search), ("topic", topic), ("count", count.map(String.init))]
        let request = device?.request("GET", "connect") ?? APIRequest("GET", ["devices", "connect"], query: many)
        try await StopSignals.run {
            try await api.stream(request) { event in
                switch event.name {
                case "connected": Console.note("connected as \(try names(event)) online until Ctrl-C")
                case "push":
                    // It ends when the reader of the output has closed it.
                    return Console.answer(client.printsText ? try line(event) : event.line)
                case let name where name.hasPrefix("activity."):
                    return Console.answer(client.printsText ? event.summary : event.line)
                case "gap":
                    let missed = event.text("missed") ?? "some"
                    Console.note("\(missed) pushes skipped: they came faster than they were read")
                case "closed":
                    let reason = event.text("reason") ?? "closed"
                    let gone = device == nil ? "devices were" : "device was"
                    let removed = ["forgotten": gone, "namespace-deleted": "namespace was"][reason]
                    guard let removed else { throw api.address.connectionEnded(reason) }
                    throw CommandFailure(.unreachable, "the \(removed) removed")
                default: break
                }
                return true
            }
        }
    }

    private func names(_ event: ServerSentEvent) throws -> String {
        guard device == nil else {
            return "\(TerminalText.plain(try event.decoded(as: DeviceShape.self) { $0.name })), which is"
        }
        let count = try event.decoded(as: DevicesConnectedShape.self) { $0.devices }
        return "\(counted(count, "device", "devices")), which \(count == 1 ? "is" : "are")"
    }

    private func line(_ event: ServerSentEvent) throws -> String {
        guard device == nil else { return try event.decoded(as: PushShape.self) { $0.line(of: nil) } }
        return try event.decoded(as: DeviceArrivalShape.self) { $0.push.line(of: $0.label ?? $0.device) }
    }
}
