internal import ArgumentParser

/// `mock-apns devices inbox`: what the user of a device sees.
struct DevicesInboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox",
        abstract: "Show what Notification Center of a device shows, newest first.",
        discussion: """
            Example:
              mock-apns devices inbox alice
            """
    )

    @Argument(help: DeviceArgument.help)
    var device: DeviceArgument

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let response = try await client.ask(APIRequest("GET", device.path("inbox")), hint: device.hint)
        try client.show(response, as: InboxAnswer.self) { inbox in
            if let note = inbox.note { Console.standard.note(TerminalText.plain(note)) }
            guard inbox.notifications.isEmpty else { return inbox.text }
            Console.standard.note(
                TerminalText.plain(
                    "No notifications. Push to a token that mock-apns devices show \(inbox.name) prints."
                )
            )
            return nil
        }
    }
}

/// `mock-apns devices stored`: what waits for a device.
struct DevicesStoredCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stored",
        abstract: "Show what waits for a device: at most one notification of each app.",
        discussion: """
            Example:
              mock-apns devices offline alice
              mock-apns devices stored alice
            """
    )

    @Argument(help: DeviceArgument.help)
    var device: DeviceArgument

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let response = try await client.ask(APIRequest("GET", device.path("stored")), hint: device.hint)
        try client.show(response, as: StoredAnswer.self) { answer in
            guard answer.stored.isEmpty else { return PushAnswer.table(answer.stored) }
            Console.standard.note(
                "Nothing waits. A push to a device that is offline does, unless its apns-expiration is 0."
            )
            return nil
        }
    }
}

/// `mock-apns devices forget`: removes a device.
struct DevicesForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Remove a device; its tokens become unknown.",
        discussion: """
            Example:
              mock-apns devices forget alice
            """
    )

    @Argument(help: DeviceArgument.help)
    var device: DeviceArgument

    @OptionGroup var client: ClientOptions

    func run() async throws {
        _ = try await client.ask(APIRequest("DELETE", device.path()), hint: device.hint)
        // The API answers nothing, so there is no result to print.
        if client.printsText { Console.standard.note("\(device.reference) is forgotten") }
    }
}
