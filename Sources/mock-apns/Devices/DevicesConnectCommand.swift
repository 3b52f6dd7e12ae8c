internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient

struct DevicesConnectCommand: ClientTask {
    static let configuration = command(
        "Connect as a device, which is online until Ctrl-C, and print each push on a line.",
        discussion: """
            Stored notifications come first. What happens to Live Activities is also printed. With --json each line is \
            the record of a push, or an event with the Live Activity as "activity".
            """, examples: "mock-apns devices connect alice",
        "mock-apns devices connect alice --json | jq .request.payload")

    func run(_ options: DeviceOptions) async throws {
        let api = try options.client.api.client()
        try await StopSignals.run {
            try await api.stream(options.device.request("GET", "connect")) { event in
                switch event.name {
                case "connected":
                    let name = try event.decoded(as: DeviceShape.self) { $0.name }
                    Console.note(TerminalText.plain("connected as \(name), which is online until Ctrl-C"))
                case "push":
                    // It ends when the reader of the output has closed it.
                    let isText = options.client.printsText
                    return Console.answer(try isText ? event.decoded(as: PushShape.self) { $0.line } : event.line)
                case let name where name.hasPrefix("activity."):
                    return Console.answer(options.client.printsText ? event.summary : event.line)
                case "gap":
                    let missed = event.text("missed") ?? "some"
                    Console.note("\(missed) pushes skipped: they came faster than they were read")
                case "closed":
                    let reason = event.text("reason") ?? "closed"
                    let removed = ["forgotten": "device", "namespace-deleted": "namespace"][reason]
                    guard let removed else { throw api.address.connectionEnded(reason) }
                    throw CommandFailure(.unreachable, "the \(removed) was removed")
                default: break
                }
                return true
            }
        }
    }
}
