internal import ArgumentParser

/// `mock-apns devices online`: gives a device its network back.
struct DevicesOnlineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "online",
        abstract: "Put a device online; what waits for it is delivered at once.",
        discussion: """
            Example:
              mock-apns devices online alice
            """
    )

    @Argument(help: DeviceArgument.help)
    var device: DeviceArgument

    @Flag(help: "Print all ids.")
    var full = false

    @OptionGroup var client: ClientOptions

    func run() async throws {
        try await DeviceStateBody(state: "online").send(to: device, client, full: full)
    }
}

/// `mock-apns devices offline`: takes the network from a device.
struct DevicesOfflineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offline",
        abstract: "Take a device offline; pushes wait for it, the newest of each app.",
        discussion: """
            Example:
              mock-apns devices offline alice
            """
    )

    @Argument(help: DeviceArgument.help)
    var device: DeviceArgument

    @Flag(help: "Print all ids.")
    var full = false

    @OptionGroup var client: ClientOptions

    func run() async throws {
        try await DeviceStateBody(state: "offline").send(to: device, client, full: full)
    }
}

/// What is to change of a device, as the API takes it.
struct DeviceStateBody: Encodable {
    let state: String

    /// Sends it, and prints what became of it.
    func send(to device: DeviceArgument, _ client: ClientOptions, full: Bool) async throws {
        let response = try await client.ask(
            APIRequest("PATCH", device.path()).sending(self),
            hint: device.hint
        )
        try client.show(response, as: DeviceChangeAnswer.self) { answer in
            answer.report.text(after: "\(answer.device.name) is \(answer.device.condition)", full: full)
        }
    }
}
