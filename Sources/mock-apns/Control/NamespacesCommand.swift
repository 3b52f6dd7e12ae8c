internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient

struct NamespacesCommand: AsyncParsableCommand {
    static let configuration = command(
        "Namespaces: isolated parts of a server, for tests that run in parallel.", name: "ns",
        discussion: "Every command that sends requests to a server takes --ns, or MOCK_APNS_NS.",
        examples: "mock-apns ns create t-42 --ttl 10m", "mock-apns devices list --ns t-42", "mock-apns ns rm t-42",
        subcommands: [Client<List>.self, Client<Create>.self, Client<Remove>.self], defaultSubcommand: Client<List>.self
    )

    struct List: ClientTask {
        static let configuration = command("List namespaces.", examples: "mock-apns ns list")

        func run(_ client: ClientOptions) async throws {
            let columns: [Table.Column] = [
                "NAMESPACE", .number("PUSHES"), .number("IDLE").optional(1), .number("TTL"), .fixed("APNS"),
            ]
            try await client.show(APIRequest("GET", ["namespaces"]), as: NamespaceListShape.self) {
                Table.text(columns, of: $0.namespaces) { namespace in
                    let idle = namespace.idleSeconds.map(TerminalText.seconds) ?? "-"
                    let ttl = namespace.ttlSeconds.map(TerminalText.seconds) ?? "-"
                    return [namespace.name, "\(namespace.pushes)", idle, ttl, namespace.apns ?? "-"]
                }
            }
        }
    }

    struct Create: ClientTask {
        static let configuration = command(
            "Create a namespace, with its own port.",
            examples: "mock-apns ns create t-42 --ttl 10m --json | jq -r .apns")

        @Argument(help: "Its name: letters, digits, '-', '.' and '_'; up to 64.") var name: String

        @Flag(inversion: .prefixedNo, help: "Whether it has its own port. (default: --listener)") var listener: Bool?

        @Option("name", "The environment of its port: sandbox or production.") var environment: String?

        @Option("duration", "Remove it after this time without pushes or requests. (default: never)") var ttl: String?

        @Option("name", "The namespace to copy keys, settings and devices from, or none. (default: default)")
        var inherit: String?

        func run(_ client: ClientOptions) async throws {
            let request = APIRequest("POST", ["namespaces"]).sending([
                "name": name, "listener": listener, "environment": environment, "ttl": ttl, "inherit": inherit,
            ])
            try await client.show(request, as: NamespaceShape.self) {
                Table.sheet([
                    ("name", $0.name), ("apns", $0.apns ?? "by device token alone"), ("api", $0.api),
                    ("ttl", $0.ttlSeconds.map(TerminalText.seconds) ?? "as long as the server"),
                ])
            }
        }
    }

    struct Remove: ClientTask {
        static let configuration = command(
            "Remove a namespace with everything in it.", name: "rm", examples: "mock-apns ns rm t-42")

        @Argument(help: "Its name.") var name: String

        func run(_ client: ClientOptions) async throws {
            try await client.remove(APIRequest("DELETE", ["namespaces", name]), name: name)
        }
    }
}
