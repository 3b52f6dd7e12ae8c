internal import ArgumentParser
internal import MockAPNsAPI

/// Shows the notifications of a device.
struct DevicesInboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "inbox",
        "Show the Notification Center of a device, newest first.",
        examples: "mock-apns devices inbox alice"
    )

    @Argument(help: DeviceArgument.help)
    var device: DeviceArgument

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let request = APIRequest("GET", device.path("inbox"))
        try await client.show(request, hint: device.hint, as: APIObject<InboxShape>.self) { inbox in
            if let note = inbox.note { Console.standard.note(TerminalText.plain(note)) }
            guard inbox.notifications.isEmpty else { return inbox.text }
            let name = TerminalText.plain(inbox.name)
            Console.standard.note(
                "No notifications. mock-apns devices show \(name) prints tokens to push to."
            )
            return nil
        }
    }
}

/// Shows the stored notifications of a device.
struct DevicesStoredCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "stored",
        "Show the notifications stored for a device: at most one for each app.",
        examples: "mock-apns devices offline alice",
        "mock-apns devices stored alice"
    )

    @Argument(help: DeviceArgument.help)
    var device: DeviceArgument

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let request = APIRequest("GET", device.path("stored"))
        try await client.show(request, hint: device.hint, as: APIObject<StoredShape>.self) { answer in
            guard answer.stored.isEmpty else { return APIObject<PushShape>.table(answer.stored) }
            Console.standard.note(
                "No stored notifications. A push to an offline device is stored unless its apns-expiration is 0."
            )
            return nil
        }
    }
}

/// Removes a device.
struct DevicesForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "forget",
        "Remove a device; its tokens become unknown.",
        examples: "mock-apns devices forget alice"
    )

    @Argument(help: DeviceArgument.help)
    var device: DeviceArgument

    @OptionGroup var client: ClientOptions

    func run() async throws {
        try await client.ask(APIRequest("DELETE", device.path()), hint: device.hint)
        // The API's response is empty, so there is no result to print.
        if client.printsText { Console.standard.note("\(device.reference) removed") }
    }
}
