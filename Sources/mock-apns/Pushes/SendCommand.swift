internal import ArgumentParser
internal import MockAPNsFormats

/// `mock-apns send`: a push without a provider.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Let the server send itself a push, and show what became of it.",
        discussion: """
            Without --to it goes to the device test-phone, which is made for it. The push goes through the same rules, \
            faults and devices as one from a provider, but not over the network. The exit code is 1 when it is refused.

            Example:
              mock-apns send --title "Order shipped"
              mock-apns send --to @alice --file payload.json
              mock-apns send --push-type background --header apns-priority=10
            """
    )

    /// The largest body that the API takes.
    private static let largestFile = 1 << 20

    @Option(help: ArgumentHelp("A device token, or @ and the label of a device.", valueName: "token"))
    var to: String?

    @Option(help: ArgumentHelp("The title of its alert.", valueName: "text"))
    var title: String?

    @Option(help: ArgumentHelp("The body of its alert.", valueName: "text"))
    var body: String?

    @Option(
        help: ArgumentHelp("Its payload, - for standard input.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var file: String?

    @Option(help: ArgumentHelp("The value of apns-topic. (default: that of the device)", valueName: "topic"))
    var topic: String?

    @Option(help: ArgumentHelp("The value of apns-push-type. (default: alert)", valueName: "type"))
    var pushType: String?

    @Option(help: ArgumentHelp("The value of apns-priority.", valueName: "10|5|1"))
    var priority: String?

    @Option(help: ArgumentHelp("The value of apns-expiration.", valueName: "seconds"))
    var expiration: String?

    @Option(
        name: .customLong("collapse-id"),
        help: ArgumentHelp("The value of apns-collapse-id.", valueName: "id")
    )
    var collapseID: String?

    @Option(
        help: ArgumentHelp(
            "Another header; without a value, it is left out of the push. Repeatable.",
            valueName: "name[=value]"
        )
    )
    var header: [String] = []

    @OptionGroup var client: ClientOptions

    func validate() throws {
        if file != nil, title != nil || body != nil {
            throw ValidationError("--file is the whole payload; leave --title and --body out.")
        }
    }

    func run() async throws {
        let request = APIRequest("POST", ["pushes", "send"]).sending(.object(try members()))
        let response = try await client.ask(request)
        try client.show(response, as: SendAnswer.self) { $0.text }
        let isAccepted = try response.decoded(as: SendAnswer.self).push.verdict.outcome == "accepted"
        if !isAccepted { throw ExitCode(CommandFailure.Status.unmet.rawValue) }
    }

    /// What the API is told.
    func members() throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        let texts = [
            ("token", to), ("title", title), ("body", body), ("topic", topic), ("pushType", pushType),
            ("priority", priority), ("expiration", expiration), ("collapseId", collapseID),
        ]
        for (name, text) in texts { members[name] = text.map { .string($0) } }
        if !header.isEmpty {
            let headers = header.map { text -> (String, JSONValue) in
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), parts.count == 2 ? .string(String(parts[1])) : .null)
            }
            members["headers"] = .object(Dictionary(headers) { _, last in last })
        }
        if let file { members["payload"] = try payload(file) }
        return members
    }

    private func payload(_ file: String) throws -> JSONValue {
        let path = file == "-" ? "/dev/stdin" : file
        guard let bytes = try AtomicFile.readBytes(path, limit: Self.largestFile) else {
            throw CommandFailure(.badConfiguration, "--file: there is no file \(file)")
        }
        guard let payload = JSONParser.value(of: bytes) else {
            throw CommandFailure(
                .badConfiguration,
                "--file: \(file) is not JSON; mock-apns check \(file) says where"
            )
        }
        return payload
    }
}
