internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats
internal import MockAPNsQuery

struct SendCommand: ClientTask {
    static let configuration = command(
        "Send a push from the server itself, and show the result.",
        discussion: """
            Without --to it goes to the device test-phone, which is created if needed. By default it is an alert for \
            the device's app. The push passes the same rules, faults and devices as one from a provider, but not the \
            network. With --dry-run the rules are applied, and nothing is recorded or delivered. The exit code is 1 when \
            it is rejected.
            """, examples: #"mock-apns send --title "Order shipped""#, "mock-apns send --to @alice --file payload.json",
        "mock-apns send --push-type background --header apns-priority=10",
        "mock-apns send --dry-run --topic com.example.app.voip")

    @Option("token", "A device token, or @label.") var to: String?

    @Option("text", "The title of the alert.") var title: String?

    @Option("text", "The body of the alert.") var body: String?

    @Option("file", "A file with the payload; - is standard input.", completion: .json) var file: String?

    @Option("text", "The payload as text, which need not be JSON.") var text: String?

    @OptionGroup var headers: PushHeaderOptions

    @Option("name[=value]", "Another header; without a value, it is omitted. Repeatable.") var header: [String] = []

    @Flag(help: "Print the response and the warnings that the push would get, without sending it.") var dryRun = false

    func validate() throws {
        let whole = [("--file", file), ("--text", text)].filter { $0.1 != nil }.map(\.0)
        let others = whole.dropFirst() + (title != nil || body != nil ? ["--title or --body"] : [])
        guard let option = whole.first, let other = others.first else { return }
        throw ValidationError("\(option) cannot be combined with \(other): it is the whole payload.")
    }

    func run(_ client: ClientOptions) async throws {
        var others: [String: JSONValue] = [:]
        for header in header {
            let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            others[String(parts[0])] = parts.count == 2 ? .string(String(parts[1])) : .null
        }
        let request = APIRequest("POST", ["pushes", dryRun ? "check" : "send"]).sending([
            "token": to, "title": title, "body": body, "topic": headers.topic, "pushType": headers.pushType,
            "priority": headers.priority, "expiration": headers.expiration, "collapseId": headers.collapseId,
            "headers": others.isEmpty ? nil : JSONValue.object(others), "payload": try file.map(payload), "text": text,
        ])
        guard dryRun else { return try await client.sendPush(request) }
        let response = try await client.ask(request)
        try client.show(response, as: PushCheckShape.self) { check in
            Table.sheet(
                check.verdict.rows
                    + check.lints.map { lint -> (name: String, value: (any CellText)?) in
                        let style = Lint.Severity(rawValue: lint.severity)?.style
                        return (lint.severity, "\(lint.id): \(lint.message)".styled(style))
                    })
        }
        let outcome = try response.decoded(as: PushCheckShape.self) { $0.verdict.outcome }
        if outcome != "accepted" { throw ExitCode.unmet }
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

struct ResendCommand: ClientTask {
    static let configuration = command(
        "Send a recorded push again, and show the result.",
        discussion: """
            The headers and the payload are those that were recorded; the server adds a provider token. The exit code is 1 \
            when the push is rejected.
            """, examples: "mock-apns resend latest",
        "mock-apns resend psh_0000010000000001 --json | jq .response.status")

    @Argument(help: PushArgument.help) var push: PushArgument

    func run(_ client: ClientOptions) async throws {
        let id = try await push.id(client.api)
        try await client.sendPush(APIRequest("POST", ["pushes", id, "resend"]).sending([:]))
    }
}

extension ClientOptions {
    /// Sends a request that sends a push, and shows what became of the push.
    fileprivate func sendPush(_ request: APIRequest) async throws {
        let response = try await ask(request)
        try show(response, as: PushSentShape.self) { answer in
            let push = answer.push
            // The compiler takes a second to find the type of the rows in one expression.
            let delivery: [(name: String, value: (any CellText)?)] = [
                ("device", push.delivery.device ?? push.apns.token), ("delivery", push.delivery.words),
                ("ignored", push.delivery.ignored?.text.styled(.caution)), ("look", answer.page),
            ]
            return Table.sheet([("push", "\(push.id)  #\(push.seq)")] + push.verdict.rows + delivery)
        }
        let outcome = try response.decoded(as: PushSentShape.self) { $0.push.verdict.outcome }
        if outcome != "accepted" { throw ExitCode.unmet }
    }
}

extension APIObject<VerdictShape> {
    fileprivate var rows: [(name: String, value: (any CellText)?)] {
        [
            ("response", answer.styled(.of(status: self.status))),
            ("why", self.hint ?? (self.reason == nil ? nil : self.meaning)),
        ]
    }
}
