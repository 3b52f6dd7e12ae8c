internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsFormats

struct SendCommand: ClientTask {
    static let configuration = command(
        "Send a push from the server itself, and show the result.",
        discussion: """
            Without --to it goes to the device test-phone, which is created if needed. By default it is an alert for \
            the device's app. The push passes the same rules, faults and devices as one from a provider, but not the \
            network. The exit code is 1 when it is rejected.
            """,
        examples: #"mock-apns send --title "Order shipped""#,
        "mock-apns send --to @alice --file payload.json",
        "mock-apns send --push-type background --header apns-priority=10"
    )

    @Option("token", "A device token, or @label.")
    var to: String?

    @Option("text", "The title of the alert.")
    var title: String?

    @Option("text", "The body of the alert.")
    var body: String?

    @Option("file", "A file with the payload; - is standard input.", completion: .json)
    var file: String?

    @OptionGroup var headers: PushHeaderOptions

    @Option("name[=value]", "Another header; without a value, it is omitted. Repeatable.")
    var header: [String] = []

    func validate() throws {
        guard file != nil, title != nil || body != nil else { return }
        throw ValidationError("--file cannot be combined with --title or --body: it is the whole payload.")
    }

    func run(_ client: ClientOptions) async throws {
        var others: [String: JSONValue] = [:]
        for header in header {
            let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            others[String(parts[0])] = parts.count == 2 ? .string(String(parts[1])) : .null
        }
        let request = APIRequest("POST", ["pushes", "send"]).sending([
            "token": to, "title": title, "body": body, "topic": headers.topic, "pushType": headers.pushType,
            "priority": headers.priority, "expiration": headers.expiration, "collapseId": headers.collapseId,
            "headers": others.isEmpty ? nil : JSONValue.object(others),
            "payload": try file.map(payload),
        ])
        let response = try await client.ask(request)
        let answer = try response.decoded(as: PushSentShape.self)
        let (push, verdict) = (answer.push, answer.push.verdict)
        try client.show(response) {
            Table.sheet([
                ("push", "\(push.id)  #\(push.seq)"),
                ("answer", verdict.answer),
                ("why", verdict.reason == nil ? nil : verdict.meaning),
                ("hint", verdict.hint),
                ("device", push.delivery.device ?? push.apns.token),
                ("delivery", push.delivery.words),
                ("look", answer.page),
            ])
        }
        if verdict.outcome != "accepted" { throw ExitCode.unmet }
    }

    private func payload(_ file: String) throws -> JSONValue {
        let bytes = try AtomicFile.input(file, option: "--file")
        guard let payload = JSONParser.value(of: bytes) else {
            let expected = "JSON; mock-apns check \(file) shows the mistake"
            throw CommandFailure(.badConfiguration, "invalid --file '\(file)': expected \(expected)")
        }
        return payload
    }
}
