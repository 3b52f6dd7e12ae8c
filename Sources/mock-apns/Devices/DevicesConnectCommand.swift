internal import ArgumentParser

/// `mock-apns devices connect`: is a device, for as long as it runs.
struct DevicesConnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Be a device: it is online until Ctrl-C, and each push is a line.",
        discussion: """
            What waits for it comes first. With --json each line is the record of a push.

            Example:
              mock-apns devices connect alice
              mock-apns devices connect alice --json | jq .request.payload
            """
    )

    @Argument(help: DeviceArgument.help)
    var device: DeviceArgument

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let signals = try StopSignals()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await signals.wait() }
            group.addTask { try await receive() }
            // Whichever comes first ends the other.
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
    /// - Returns: whether to go on: not when nobody reads any more.
    /// - Throws: `CommandFailure` when the server ends the stream.
    private static func handle(
        _ event: ServerSentEvent,
        printsText: Bool,
        from address: APIAddress
    ) throws -> Bool {
        switch event.name {
        case "connected":
            let device = try event.decoded(as: DeviceAnswer.self)
            Console.standard.note(
                TerminalText.plain("connected as \(device.name), which is online until Ctrl-C")
            )
        case "push":
            // Between the values of JSON, where alone it may stand, a line feed is as good as a space.
            let line =
                printsText
                ? try event.decoded(as: PushAnswer.self).line
                : event.data.split(separator: "\n").joined(separator: " ")
            return Console.standard.answer(line)
        case "gap":
            let missed = try event.decoded(as: Gap.self).missed
            Console.standard.note("\(missed) pushes came faster than they were read, and are not shown")
        case "closed":
            switch try event.decoded(as: End.self).reason {
            case "forgotten": throw CommandFailure(.unmet, "the device was forgotten")
            case "namespace-deleted": throw CommandFailure(.unmet, "the namespace was removed")
            case let reason:
                throw CommandFailure(
                    .unreachable,
                    "\(address.url) has ended the connection (\(TerminalText.plain(reason)))"
                )
            }
        default: break
        }
        return true
    }

    private struct Gap: Decodable {
        let missed: UInt64
    }

    private struct End: Decodable {
        let reason: String
    }
}

extension ServerSentEvent {
    /// Reads the data as JSON.
    ///
    /// - Throws: `CommandFailure` for what this version cannot read.
    func decoded<Answer: Decodable>(as type: Answer.Type) throws -> Answer {
        try APIResponse(status: 200, contentType: "application/json", body: Array(data.utf8)).decoded(
            as: type
        )
    }
}
