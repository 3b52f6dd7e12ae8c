internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient

struct ChannelsCommand: AsyncParsableCommand {
    static let configuration = command(
        "Broadcast channels: create, show and delete them.",
        discussion: "A provider broadcasts to a channel, and every subscribed device gets the push.",
        examples: "mock-apns channels create com.example.app",
        "mock-apns devices subscribe alice --topic com.example.app --channel ASNFZ4mrze/+3LqYdlQyEA==",
        "mock-apns channels list",
        subcommands: [
            Client<ChannelsCreateCommand>.self, Client<ChannelsListCommand>.self, Client<ChannelsShowCommand>.self,
            Client<ChannelsRemoveCommand>.self,
        ])
}

enum ChannelStorageArgument: String, ExpressibleByArgument, CaseIterable { case none, newest }

struct ChannelsCreateCommand: ClientTask {
    static let configuration = command(
        "Create a channel, and print its id.", examples: "mock-apns channels create com.example.app --storage none")

    @Argument(help: .value("bundle-id", "The bundle identifier of the app.")) var app: String

    @Option(help: "The environment. (default: sandbox)") var environment: EnvironmentArgument?

    @Option(help: "The message stored for offline devices. (default: newest)") var storage: ChannelStorageArgument?

    func run(_ client: ClientOptions) async throws {
        let request = APIRequest("POST", ["channels"]).sending([
            "topic": app, "environment": environment?.rawValue, "storagePolicy": storage.map { $0 == .none ? 0 : 1 },
        ])
        try await client.show(request, as: ChannelShape.self) { $0.id }
    }
}

struct ChannelsListCommand: ClientTask {
    static let configuration = command("List channels.", examples: "mock-apns channels list")

    @Option("bundle-id", "Only channels of this app.") var topic: String?

    @Option("n", "The maximum number of channels, up to 1000. (default: 50)") var limit: Int?

    func run(_ client: ClientOptions) async throws {
        let filters = [("topic", topic), ("limit", limit.map(String.init))]
        let request = APIRequest("GET", ["channels"], query: filters)
        try await client.show(request, as: ChannelListShape.self) { page in
            let none = "No channels. mock-apns channels create com.example.app creates one."
            if let note = Table.note(page.channels.count, of: page.matched, "channels", ifNone: none, nil) {
                Console.note(note)
            }
            return page.channels.isEmpty ? nil : APIObject<ChannelShape>.table(page.channels)
        }
    }
}

struct ChannelsShowCommand: ClientTask {
    static let configuration = command(
        "Show a channel with its subscribers.", examples: "mock-apns channels show ASNFZ4mrze/+3LqYdlQyEA==")

    @Argument(help: "The id of the channel.") var channel: String

    func run(_ client: ClientOptions) async throws {
        let request = APIRequest("GET", ["channels", channel])
        try await client.show(request, as: ChannelShape.self) { channel in
            let subscribers = channel.subscribers ?? []
            return APIObject<ChannelShape>.table([channel])
                + (subscribers.isEmpty ? "" : "\n\n" + APIObject<ChannelShape.Subscriber>.table(subscribers))
        }
    }
}

struct ChannelsRemoveCommand: ClientTask {
    static let configuration = command(
        "Delete a channel; its id is never used again.", name: "rm",
        examples: "mock-apns channels rm ASNFZ4mrze/+3LqYdlQyEA==")

    @Argument(help: "The id of the channel.") var channel: String

    func run(_ client: ClientOptions) async throws {
        let request = APIRequest("DELETE", ["channels", channel])
        try await client.remove(request, name: channel)
    }
}

/// An app on a device, and a channel.
struct SubscriptionArgument: ParsableArguments {
    @Argument(help: "The device: @label, a device token, or dev_..., as in devices list.") var device: DeviceArgument

    @Option(help: .value("topic", "The topic of the app.")) var topic: String

    @Option(help: .value("id", "The channel.")) var channel: String

    func request(_ method: String) -> APIRequest {
        device.request(method, "subscriptions").sending(["topic": topic, "channel": channel])
    }
}

struct DevicesSubscribeCommand: ClientTask {
    static let configuration = command(
        "Subscribe an app to a broadcast channel.",
        examples: "mock-apns devices subscribe alice --topic com.example.app --channel ASNFZ4mrze/+3LqYdlQyEA==")

    @OptionGroup var subscription: SubscriptionArgument

    func run(_ client: ClientOptions) async throws {
        try await client.show(subscription.request("POST"), as: SubscriptionShape.self) {
            "\($0.bundleId) is subscribed to \($0.channel)"
        }
    }
}

struct DevicesUnsubscribeCommand: ClientTask {
    static let configuration = command(
        "Unsubscribe an app from a broadcast channel.",
        examples: "mock-apns devices unsubscribe alice --topic com.example.app --channel ASNFZ4mrze/+3LqYdlQyEA==")

    @OptionGroup var subscription: SubscriptionArgument

    func run(_ client: ClientOptions) async throws {
        try await client.remove(subscription.request("DELETE"), name: subscription.channel)
    }
}

extension APIObject<ChannelShape.Subscriber> {
    static func table(_ subscribers: [APIObject<ChannelShape.Subscriber>]) -> String {
        Table.text(["DEVICE", "LABEL", .fixed("STATE"), .fixed("LAST BROADCAST")], of: subscribers) { one in
            [one.device, one.label ?? "", one.state, one.waiting ? "stored" : one.lastDelivered ?? "none"]
        }
    }
}

extension APIObject<ChannelShape> {
    static func table(_ channels: [APIObject<ChannelShape>]) -> String {
        Table.text(
            [
                .fixed("CHANNEL"), "APP", .fixed("ENVIRONMENT").optional(2), .fixed("STORAGE").optional(1),
                .number("SUBSCRIBERS"), .number("PUBLISHED").optional(4), .number("DELIVERED").optional(3),
            ], of: channels
        ) { channel in
            [
                channel.id, channel.bundleId, channel.environment, channel.storagePolicy == 0 ? "none" : "newest",
                "\(channel.metrics.uniqueSubscribers)", "\(channel.metrics.published)", "\(channel.metrics.delivered)",
            ]
        }
    }
}
