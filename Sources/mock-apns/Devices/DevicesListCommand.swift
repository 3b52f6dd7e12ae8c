internal import ArgumentParser

/// `mock-apns devices list`: the devices that there are.
struct DevicesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List devices.",
        discussion: """
            Example:
              mock-apns devices list --state offline --topic com.example.app
              mock-apns devices list --json | jq -r '.devices[].registrations[].token'
            """
    )

    @Option(help: "Only devices that are online, or offline.")
    var state: DeviceStateArgument?

    @Option(help: ArgumentHelp("Only devices with an app of this topic.", valueName: "topic"))
    var topic: String?

    @Option(
        help: ArgumentHelp(
            "Only devices whose label, or a token of theirs, contains this.",
            valueName: "text"
        )
    )
    var query: String?

    @Option(help: ArgumentHelp("The most devices to list, up to 1000. (default: 50)", valueName: "n"))
    var limit: Int?

    @Flag(help: "Print device tokens in full.")
    var full = false

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let response = try await client.ask(
            APIRequest(
                "GET",
                ["devices"],
                query: [
                    ("state", state?.rawValue), ("topic", topic), ("q", query),
                    ("limit", limit.map(String.init)),
                ]
            )
        )
        try client.show(response, as: DevicePageAnswer.self) { page in
            if let note = Self.note(page) { Console.standard.note(note) }
            return page.devices.isEmpty ? nil : DeviceAnswer.table(page.devices, full: full)
        }
    }

    /// What a table does not say: that it is empty, or does not show everything.
    static func note(_ page: DevicePageAnswer) -> String? {
        let count = page.devices.count
        let line: String? =
            if page.total == 0 {
                "No devices. \(DevicesCommand.advice)"
            } else if page.matched == 0 {
                "None of \(page.total) devices fits."
            } else if count < page.matched {
                "\(count) of \(page.matched) devices shown; --limit \(min(page.matched, 1_000)) shows more"
            } else {
                nil
            }
        let notes = [line, page.note.map(TerminalText.plain)].compactMap { $0 }
        return notes.isEmpty ? nil : notes.joined(separator: "\n")
    }
}

/// `mock-apns devices show`: everything about a device.
struct DevicesShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a device with its apps and their tokens.",
        discussion: """
            Example:
              mock-apns devices show alice
              mock-apns devices show alice --json | jq -r '.registrations[0].token'
            """
    )

    @Argument(help: DeviceArgument.help)
    var device: DeviceArgument

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let response = try await client.ask(APIRequest("GET", device.path()), hint: device.hint)
        try client.show(response, as: DeviceAnswer.self) { $0.sheet }
    }
}
