internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = command(
        "Simulated devices: create, change and watch them.",
        discussion: """
            A device is online or offline and has apps; each app has a device token for one topic. \
            A device is named by @label, by any of its tokens, or by dev_...; the label alone works too.
            """, examples: "mock-apns devices add --label alice --topic com.example.app",
        "mock-apns devices offline alice", "mock-apns devices stored alice",
        subcommands: [
            Client<DevicesListCommand>.self, Client<DevicesShowCommand>.self, Client<DevicesAddCommand>.self,
            Client<DevicesOnlineCommand>.self, Client<DevicesOfflineCommand>.self, Client<DevicesUninstallCommand>.self,
            Client<DevicesRotateCommand>.self, Client<DevicesAppCommand>.self, Client<DevicesInboxCommand>.self,
            Client<DevicesStoredCommand>.self, Client<DevicesConnectCommand>.self, Client<DevicesForgetCommand>.self,
            Client<DevicesSubscribeCommand>.self, Client<DevicesUnsubscribeCommand>.self, DevicesActivityCommand.self,
        ])
}

enum DeviceStateArgument: String, ExpressibleByArgument, CaseIterable { case online, offline }

enum EnvironmentArgument: String, ExpressibleByArgument, CaseIterable { case sandbox, production }

enum AppStateArgument: String, ExpressibleByArgument, CaseIterable {
    case foreground, background, terminated, forceQuit
}

enum SwitchArgument: String, ExpressibleByArgument, CaseIterable { case on, off }

struct DevicesListCommand: ClientTask {
    static let configuration = command(
        "List devices.", examples: "mock-apns devices list --state offline --topic com.example.app",
        "mock-apns devices list --json | jq -r '.devices[].registrations[].token'")

    @Option(help: "Only devices that are online, or offline.") var state: DeviceStateArgument?

    @Option("topic", "Only devices with an app of this topic.") var topic: String?

    @Option("text", "Only devices with this text in the label or in a token.") var query: String?

    @Option("n", "The maximum number of devices, up to 1000. (default: 50)") var limit: Int?

    @Flag(help: "Print device tokens in full.") var full = false

    func run(_ client: ClientOptions) async throws {
        let filters = [("state", state?.rawValue), ("topic", topic), ("q", query), ("limit", limit.map(String.init))]
        let request = APIRequest("GET", ["devices"], query: filters)
        try await client.show(request, as: DevicePageShape.self) { page in
            if let note = Self.note(page) { Console.note(note) }
            return page.devices.isEmpty ? nil : APIObject<DeviceShape>.table(page.devices, full: full)
        }
    }

    static func note(_ page: APIObject<DevicePageShape>) -> String? {
        let none =
            page.total == 0
            ? "No devices. mock-apns devices add --label alice --topic com.example.app creates one."
            : "No matching devices; there are \(page.total)."
        return Table.note(page.devices.count, of: page.matched, "devices", ifNone: none, page.note)
    }
}

struct DevicesShowCommand: ClientTask {
    static let configuration = command(
        "Show a device with its apps and their tokens.", examples: "mock-apns devices show alice",
        "mock-apns devices show alice --json | jq -r '.registrations[0].token'")

    func run(_ options: DeviceOptions) async throws {
        try await options.client.show(options.device.request("GET"), as: DeviceShape.self) { $0.sheet }
    }
}

struct DevicesInboxCommand: ClientTask {
    static let configuration = command(
        "Show the Notification Center of a device and its broadcasts, newest first.",
        examples: "mock-apns devices inbox alice")

    func run(_ options: DeviceOptions) async throws {
        try await options.client.show(options.device.request("GET", "inbox"), as: InboxShape.self) { inbox in
            if let note = inbox.note { Console.note(TerminalText.plain(note)) }
            let show = "mock-apns devices show \(TerminalText.plain(inbox.name))"
            let none = "No notifications. \(show) prints tokens to push to."
            let isEmpty = inbox.notifications.isEmpty && inbox.broadcasts.isEmpty
            return isEmpty ? Console.none(none) : inbox.text
        }
    }
}

struct DevicesStoredCommand: ClientTask {
    static let configuration = command(
        "Show what is stored for a device: at most one notification for each app, and one broadcast for each channel.",
        examples: "mock-apns devices offline alice", "mock-apns devices stored alice")

    func run(_ options: DeviceOptions) async throws {
        let none = "No stored notifications. A push to an offline device is stored unless its apns-expiration is 0."
        try await options.client.show(options.device.request("GET", "stored"), as: StoredShape.self) {
            $0.stored.isEmpty ? Console.none(none) : APIObject<PushShape>.table($0.stored)
        }
    }
}

struct DevicesForgetCommand: ClientTask {
    static let configuration = command(
        "Remove a device; its tokens become unknown.", examples: "mock-apns devices forget alice")

    func run(_ options: DeviceOptions) async throws {
        try await options.client.remove(options.device.request("DELETE"), name: options.device.reference)
    }
}

extension APIObject<InboxShape> {
    var name: String { self.label ?? self.device }

    var text: String {
        let title = "\(name), badge \(self.badge.map(String.init) ?? "none")"
        let texts = self.notifications.map(\.text) + self.broadcasts.map(\.text)
        return ([Terminal.output.paragraph(title.styled(.heading))] + texts).joined(separator: "\n\n")
    }
}

extension APIObject<InboxShape.Broadcast> {
    var text: String {
        let head = "\(TerminalText.time(self.sentAt))  \(self.bundleId ?? "")  broadcast  \(self.state)"
        let words = [self.title, self.body].compactMap { $0 }.filter { !$0.isEmpty }
        let lines = [head] + (words.isEmpty ? ["(\(self.event ?? "no text"))"] : words) + ["[\(self.channel ?? "")]"]
        return Terminal.output.entry(lines)
    }
}

extension APIObject<InboxShape.Notification> {
    var text: String {
        let badge = self.badge.map { "  badge \($0)" } ?? ""
        let words = [self.title, self.subtitle, self.body].compactMap { $0 }.filter { !$0.isEmpty }
        let time = self.deliveredAt.map(TerminalText.time) ?? "?"
        let head = "\(time)  \(self.topic ?? "no topic")\(badge)"
        let lines = [head] + (words.isEmpty ? ["(no text)"] : words) + ["[\(self.reaction.summary)]"]
        return Terminal.output.entry(lines)
    }
}

struct DevicesOnlineCommand: ClientTask {
    static let configuration = command(
        "Put a device online; stored notifications are delivered at once.", examples: "mock-apns devices online alice")

    func run(_ options: DeviceStateOptions) async throws { try await options.set(.online) }
}

struct DevicesOfflineCommand: ClientTask {
    static let configuration = command(
        "Take a device offline; the newest push for each app is stored.", examples: "mock-apns devices offline alice")

    func run(_ options: DeviceStateOptions) async throws { try await options.set(.offline) }
}

struct DeviceStateOptions: ParsableArguments {
    @OptionGroup var options: DeviceOptions

    @Flag(help: "Print all ids and tokens.") var full = false

    func set(_ state: DeviceStateArgument) async throws {
        let request = options.device.request("PATCH").sending(["state": state.rawValue])
        try await options.client.show(request, as: DeviceChangedShape.self) {
            $0.deliveries.text(after: "\($0.device.name) is \($0.device.condition)", full: full)
        }
    }
}
