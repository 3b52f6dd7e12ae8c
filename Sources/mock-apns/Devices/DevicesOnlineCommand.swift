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

    @OptionGroup var options: DeviceStateOptions

    func run() async throws {
        try await options.set("online")
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

    @OptionGroup var options: DeviceStateOptions

    func run() async throws {
        try await options.set("offline")
    }
}

/// Which device changes its state, and how the answer is shown.
struct DeviceStateOptions: ParsableArguments {
    @Argument(help: DeviceArgument.help)
    var device: DeviceArgument

    @Flag(help: "Print all ids.")
    var full = false

    @OptionGroup var client: ClientOptions

    /// What is to change, as the API takes it.
    private struct Body: Encodable {
        let state: String
    }

    /// Gives the device another state, and prints what became of its notifications.
    func set(_ state: String) async throws {
        let response = try await client.ask(
            APIRequest("PATCH", device.path()).sending(Body(state: state)),
            hint: device.hint
        )
        try client.show(response, as: ChangeAnswer<DeviceAnswer>.self) { answer in
            answer.report.text(after: "\(answer.subject.name) is \(answer.subject.condition)", full: full)
        }
    }
}
