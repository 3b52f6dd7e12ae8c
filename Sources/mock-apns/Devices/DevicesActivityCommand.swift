internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats

struct DevicesActivityCommand: AsyncParsableCommand {
    static let configuration = command(
        "Live Activities on a device: start, show and dismiss them.",
        discussion: """
            A push with event start to the app's push-to-start token starts a Live Activity; its update token is in \
            the list. A device is named by @label, by any of its tokens, or by dev_...; the label alone works too.
            """, examples: "mock-apns devices activity list alice", "mock-apns devices activity dismiss alice act_1",
        subcommands: [
            Client<ActivityListCommand>.self, Client<ActivityShowCommand>.self, Client<ActivityStartCommand>.self,
            Client<ActivityDismissCommand>.self, Client<ActivityRotateCommand>.self,
        ])
}

struct ActivityListCommand: ClientTask {
    static let configuration = command(
        "List the Live Activities of a device, the oldest first.", examples: "mock-apns devices activity list alice",
        "mock-apns devices activity list alice --json | jq -r '.activities[].token'")

    @Argument(help: "The device: @label, a device token, or dev_..., as in devices list.") var device: DeviceArgument

    @Flag(help: "Print update tokens in full.") var full = false

    func run(_ client: ClientOptions) async throws {
        let none = "No Live Activities. mock-apns devices activity start starts one, as the app does."
        try await client.show(device.request("GET", "activities"), as: ActivityListShape.self) { list in
            list.activities.isEmpty ? Console.none(none) : APIObject<ActivityShape>.table(list.activities, full: full)
        }
    }
}

struct ActivityShowCommand: ClientTask {
    static let configuration = command(
        "Show a Live Activity, with the pushes that it ignored.",
        examples: "mock-apns devices activity show alice act_1",
        "mock-apns devices activity show alice --json | jq .contentState")

    @OptionGroup var activity: ActivityArgument

    func run(_ client: ClientOptions) async throws {
        try await client.show(try await activity.request("GET", nil, client), as: ActivityShape.self) { $0.sheet }
    }
}

struct ActivityStartCommand: ClientTask {
    static let configuration = command(
        "Start a Live Activity as the app does it, without a push.",
        examples: "mock-apns devices activity start alice --topic com.example.app --type RideAttributes",
        """
        mock-apns devices activity start alice --topic com.example.app --type RideAttributes --state '{"minutes":5}'
        """)

    @Argument(help: "The device: @label, a device token, or dev_..., as in devices list.") var device: DeviceArgument

    @Option(help: .value("topic", "The topic of the app.")) var topic: String

    @Option(help: .value("name", "The name of the ActivityAttributes structure.")) var type: String

    @Option("json", "The attributes, as a JSON object. (default: {})") var attributes: String?

    @Option("json", "The content state, as a JSON object. (default: {})") var state: String?

    @Option("time", "When the content becomes stale, in RFC 3339.") var staleAt: String?

    @Option("id", "A channel that it follows instead of having an update token.") var channel: String?

    @Option(help: "The environment, for an app that the device has in both.") var environment: EnvironmentArgument?

    func run(_ client: ClientOptions) async throws {
        let request = device.request("POST", "activities").sending([
            "topic": topic, "attributesType": type, "attributes": try Self.json(attributes, "--attributes"),
            "contentState": try Self.json(state, "--state"), "staleAt": staleAt, "channel": channel,
            "environment": environment?.rawValue,
        ])
        try await client.show(request, as: ActivityShape.self) { $0.sheet }
    }

    private static func json(_ text: String?, _ option: String) throws -> JSONValue? {
        guard let text else { return nil }
        let value = JSONParser.value(of: Array(text.utf8))
        guard case .object? = value else {
            throw CommandFailure(
                .usage,
                "invalid \(option) '\(TerminalText.plain(text))': expected a JSON object, such as {\"minutes\":5}")
        }
        return value
    }
}

struct ActivityDismissCommand: ClientTask {
    static let configuration = command(
        "Dismiss a Live Activity as the user does it; pushes to its token get status 410.",
        examples: "mock-apns devices activity dismiss alice act_1")

    @OptionGroup var activity: ActivityArgument

    func run(_ client: ClientOptions) async throws {
        let request = try await activity.request("POST", "dismiss", client).sending([:])
        try await client.show(request, as: ActivityShape.self) { "\($0.id) is \($0.state)" }
    }
}

struct ActivityRotateCommand: ClientTask {
    static let configuration = command(
        "Give a Live Activity another update token, as iOS does; the old one gets status 410.",
        examples: "mock-apns devices activity rotate alice act_1")

    @OptionGroup var activity: ActivityArgument

    func run(_ client: ClientOptions) async throws {
        let request = try await activity.request("POST", "rotate", client).sending([:])
        try await client.show(request, as: ActivityShape.self) { activity in
            "\(activity.id) has a new token\n" + Table.sheet([("token", activity.token)])
        }
    }
}

/// A Live Activity on a device; without an id, the only one that is not dismissed.
struct ActivityArgument: ParsableArguments {
    @Argument(help: "The device: @label, a device token, or dev_..., as in devices list.") var device: DeviceArgument

    @Argument(help: .value("id", "The Live Activity: act_... (default: the only one that is not dismissed)")) var id:
        String?

    func request(_ method: String, _ part: String?, _ client: ClientOptions) async throws -> APIRequest {
        let id: String
        if let given = self.id { id = given } else { id = try await only(client) }
        return APIRequest(
            method, ["devices", device.reference, "activities", id] + [part].compactMap(\.self), hint: device.hint)
    }

    private func only(_ client: ClientOptions) async throws -> String {
        try await client.ask(device.request("GET", "activities")).decoded(as: ActivityListShape.self) { list in
            let shown = list.activities.filter { $0.state != "dismissed" }
            if shown.count == 1, let only = shown.first { return only.id }
            let device = TerminalText.plain(device.reference)
            let lines =
                shown.isEmpty
                ? ["\(device) has no Live Activity that is not dismissed"]
                : ["\(device) has several Live Activities; choose one by its id"]
                    + shown.map { "  \($0.id)  \($0.attributesType)  \($0.state)" }
            throw CommandFailure(.usage, lines.map(TerminalText.plain).joined(separator: "\n"))
        }
    }
}
