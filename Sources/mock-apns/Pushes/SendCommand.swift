internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsFormats

struct SendCommand: AsyncParsableCommand {
    static let configuration = command(
        "Send a push from the server itself, and show the result.",
        discussion: """
            Without --to it goes to the device test-phone, which is created if needed. The push passes the same rules, \
            faults and devices as one from a provider, but not the network. The exit code is 1 when it is rejected.
            """,
        examples: #"mock-apns send --title "Order shipped""#,
        "mock-apns send --to @alice --file payload.json",
        "mock-apns send --push-type background --header apns-priority=10"
    )

    /// The largest body that the API accepts.
    private static let largestFile = 1 << 20

    @Option(help: .value("token", "A device token, or @label."))
    var to: String?

    @Option(help: .value("text", "The title of the alert."))
    var title: String?

    @Option(help: .value("text", "The body of the alert."))
    var body: String?

    @Option(
        help: .value("file", "A file with the payload; - is standard input."),
        completion: .file(extensions: ["json"])
    )
    var file: String?

    @Option(help: .value("topic", "The value of apns-topic. (default: the topic of the device's app)"))
    var topic: String?

    @Option(help: .value("type", "The value of apns-push-type. (default: alert)"))
    var pushType: String?

    @Option(help: .value("10|5|1", "The value of apns-priority."))
    var priority: String?

    @Option(help: .value("seconds", "The value of apns-expiration."))
    var expiration: String?

    @Option(name: .customLong("collapse-id"), help: .value("id", "The value of apns-collapse-id."))
    var collapseID: String?

    @Option(help: .value("name[=value]", "Another header; without a value, it is omitted. Repeatable."))
    var header: [String] = []

    @OptionGroup var client: ClientOptions

    func validate() throws {
        if file != nil, title != nil || body != nil {
            throw ValidationError(
                "--file cannot be combined with --title or --body: it is the whole payload."
            )
        }
    }

    func run() async throws {
        var headers: [String: JSONValue] = [:]
        for header in header {
            let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            headers[String(parts[0])] = parts.count == 2 ? .string(String(parts[1])) : .null
        }
        let request = APIRequest("POST", ["pushes", "send"]).sending([
            "token": to, "title": title, "body": body, "topic": topic, "pushType": pushType,
            "priority": priority, "expiration": expiration, "collapseId": collapseID,
            "headers": headers.isEmpty ? nil : JSONValue.object(headers),
            "payload": try file.map(payload),
        ])
        let response = try await client.ask(request)
        let answer = try response.decoded(as: APIObject<PushSentShape>.self)
        try client.show(response) { answer.text }
        guard answer.push.verdict.outcome == "accepted" else {
            throw ExitCode(CommandFailure.Status.unmet.rawValue)
        }
    }

    private func payload(_ file: String) throws -> JSONValue {
        let bytes = try AtomicFile.input(file, option: "--file", limit: Self.largestFile)
        guard let payload = JSONParser.value(of: bytes) else {
            throw CommandFailure(
                .badConfiguration,
                "invalid --file '\(file)': expected JSON; mock-apns check \(file) shows the mistake"
            )
        }
        return payload
    }
}
