internal import ArgumentParser
internal import MockAPNsAPI

struct DevicesOnlineCommand: AsyncParsableCommand {
    static let configuration = command(
        "Put a device online; stored notifications are delivered at once.",
        examples: "mock-apns devices online alice"
    )

    @OptionGroup var options: DeviceStateOptions

    func run() async throws { try await options.set(.online) }
}

struct DevicesOfflineCommand: AsyncParsableCommand {
    static let configuration = command(
        "Take a device offline; the newest push for each app is stored.",
        examples: "mock-apns devices offline alice"
    )

    @OptionGroup var options: DeviceStateOptions

    func run() async throws { try await options.set(.offline) }
}

/// The device that changes its state, and the form of the report.
struct DeviceStateOptions: ParsableArguments {
    @OptionGroup var options: DeviceOptions

    @Flag(help: "Print all ids and tokens.")
    var full = false

    /// Changes the state of the device, and prints what happened to notifications.
    func set(_ state: DeviceStateArgument) async throws {
        let (device, client) = (options.device, options.client)
        let request = APIRequest("PATCH", device.path()).sending(["state": state.rawValue])
        try await client.show(request, hint: device.hint, as: DeviceChangedShape.self) {
            $0.deliveries.text(after: "\($0.device.name) is \($0.device.condition)", full: full)
        }
    }
}
