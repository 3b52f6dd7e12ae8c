internal import ArgumentParser
internal import MockAPNsAPI

struct DevicesListCommand: AsyncParsableCommand {
    static let configuration = command(
        "List devices.",
        examples: "mock-apns devices list --state offline --topic com.example.app",
        "mock-apns devices list --json | jq -r '.devices[].registrations[].token'"
    )

    @Option(help: "Only devices that are online, or offline.")
    var state: DeviceStateArgument?

    @Option(help: .value("topic", "Only devices with an app of this topic."))
    var topic: String?

    @Option(help: .value("text", "Only devices with this text in the label or in a token."))
    var query: String?

    @Option(help: .value("n", "The maximum number of devices, up to 1000. (default: 50)"))
    var limit: Int?

    @Flag(help: "Print device tokens in full.")
    var full = false

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let filters = [
            ("state", state?.rawValue), ("topic", topic), ("q", query), ("limit", limit.map(String.init)),
        ]
        let request = APIRequest("GET", ["devices"], query: filters)
        try await client.show(request, as: DevicePageShape.self) { page in
            if let note = Self.note(page) { Console.standard.note(note) }
            return page.devices.isEmpty ? nil : APIObject<DeviceShape>.table(page.devices, full: full)
        }
    }

    /// A message when the table is empty or incomplete.
    static func note(_ page: APIObject<DevicePageShape>) -> String? {
        let none =
            page.total == 0
            ? "No devices. mock-apns devices add --label alice --topic com.example.app creates one."
            : "No matching devices; there are \(page.total)."
        return Table.note(page.devices.count, of: page.matched, "devices", ifNone: none, page.note)
    }
}

struct DevicesShowCommand: AsyncParsableCommand {
    static let configuration = command(
        "Show a device with its apps and their tokens.",
        examples: "mock-apns devices show alice",
        "mock-apns devices show alice --json | jq -r '.registrations[0].token'"
    )

    @OptionGroup var options: DeviceOptions

    func run() async throws {
        try await options.show(as: DeviceShape.self) { $0.sheet }
    }
}
