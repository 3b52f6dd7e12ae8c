internal import ArgumentParser
internal import MockAPNsAPI

struct DevicesInboxCommand: AsyncParsableCommand {
    static let configuration = command(
        "Show the Notification Center of a device, newest first.",
        examples: "mock-apns devices inbox alice"
    )

    @OptionGroup var options: DeviceOptions

    func run() async throws {
        try await options.show("inbox", as: APIObject<InboxShape>.self) { inbox in
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

struct DevicesStoredCommand: AsyncParsableCommand {
    static let configuration = command(
        "Show the notifications stored for a device: at most one for each app.",
        examples: "mock-apns devices offline alice",
        "mock-apns devices stored alice"
    )

    @OptionGroup var options: DeviceOptions

    func run() async throws {
        try await options.show("stored", as: APIObject<StoredShape>.self) { answer in
            guard answer.stored.isEmpty else { return APIObject<PushShape>.table(answer.stored) }
            Console.standard.note(
                "No stored notifications. A push to an offline device is stored unless its apns-expiration is 0."
            )
            return nil
        }
    }
}

struct DevicesForgetCommand: AsyncParsableCommand {
    static let configuration = command(
        "Remove a device; its tokens become unknown.",
        examples: "mock-apns devices forget alice"
    )

    @OptionGroup var options: DeviceOptions

    func run() async throws {
        let (device, client) = (options.device, options.client)
        try await client.ask(APIRequest("DELETE", device.path()), hint: device.hint)
        // The API's response is empty, so there is no result to print.
        if client.printsText { Console.standard.note("\(device.reference) removed") }
    }
}
