internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient

struct FeedbackCommand: AsyncParsableCommand {
    static let configuration = command(
        "Device tokens that are no longer valid.",
        discussion: """
            A provider should stop pushing to a token after its first 410: the column PUSHES AFTER counts \
            later pushes.
            """, examples: "mock-apns feedback", "mock-apns feedback clear",
        subcommands: [Client<List>.self, Client<Clear>.self], defaultSubcommand: Client<List>.self)

    struct List: ClientTask {
        static let configuration = command(
            "List the tokens.", examples: "mock-apns feedback list --since 2026-01-05T10:00:00Z")

        @Option("time", "Only tokens that became invalid at this time or later, in RFC 3339.") var since: String?

        @Flag(help: "Print device tokens in full.") var full = false

        func run(_ client: ClientOptions) async throws {
            let request = APIRequest("GET", ["feedback"], query: [("since", since)])
            let when = since == nil ? "" : " since then"
            let none = "No invalid tokens\(when). mock-apns devices uninstall <device> makes one invalid."
            try await client.show(request, as: FeedbackListShape.self) {
                $0.feedback.isEmpty ? Console.none(none) : $0.table(full: full)
            }
        }
    }

    struct Clear: ClientTask {
        static let configuration = command(
            "Clear the list; a token returns to it at the next push.", examples: "mock-apns feedback clear")

        func run(_ client: ClientOptions) async throws {
            try await client.show(APIRequest("DELETE", ["feedback"]), as: DeletedShape.self) {
                "\($0.deleted) removed from the list"
            }
        }
    }
}

extension APIObject<FeedbackListShape> {
    func table(full: Bool) -> String {
        let columns: [Table.Column] = [
            .time("UNREGISTERED"), .fixed("CAUSE"), .number("410S"), .number("PUSHES AFTER"), "DEVICE",
            .name("TOPIC").optional(1), .fixed("TOKEN").optional(2),
        ]
        return Table.text(columns, of: self.feedback) { entry in
            [
                TerminalText.time(entry.unregisteredAt), entry.cause, "\(entry.reported410)",
                "\(entry.pushesAfterFirst410)", entry.device ?? "-", entry.topic ?? "-",
                TerminalText.token(entry.token, full: full),
            ]
        }
    }
}
