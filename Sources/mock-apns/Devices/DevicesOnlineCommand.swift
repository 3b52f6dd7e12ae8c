internal import ArgumentParser
internal import MockAPNsAPI

/// Puts a device online.
struct DevicesOnlineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "online",
        "Put a device online; stored notifications are delivered at once.",
        examples: "mock-apns devices online alice"
    )

    @OptionGroup var options: DeviceStateOptions

    func run() async throws { try await options.set(.online) }
}

/// Takes a device offline.
struct DevicesOfflineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "offline",
        "Take a device offline; the newest push for each app is stored.",
        examples: "mock-apns devices offline alice"
    )

    @OptionGroup var options: DeviceStateOptions

    func run() async throws { try await options.set(.offline) }
}

/// The device that changes its state, and the form of the report.
struct DeviceStateOptions: ParsableArguments {
    @Argument(help: DeviceArgument.help)
    var device: DeviceArgument

    @OptionGroup var report: ReportOptions

    /// Changes the state of the device, and prints what happened to notifications.
    func set(_ state: DeviceStateArgument) async throws {
        let request = APIRequest("PATCH", device.path()).sending(["state": state.rawValue])
        try await report.client.show(request, hint: device.hint, as: APIObject<DeviceChangedShape>.self) {
            let sentence = "\($0.device.name) is \($0.device.condition)"
            return $0.deliveries.text(after: sentence, full: report.full)
        }
    }
}
