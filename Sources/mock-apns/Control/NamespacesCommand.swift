internal import ArgumentParser
internal import MockAPNsAPI

struct NamespacesCommand: AsyncParsableCommand {
    static let configuration = command(
        "Namespaces: isolated parts of a server, for tests that run in parallel.",
        name: "ns",
        discussion: "Every command that sends requests to a server takes --ns, or MOCK_APNS_NS.",
        examples: "mock-apns ns create t-42 --ttl 10m",
        "mock-apns devices list --ns t-42",
        "mock-apns ns rm t-42",
        subcommands: [List.self, Create.self, Remove.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = command("List namespaces.", examples: "mock-apns ns list")

        @OptionGroup var client: ClientOptions

        func run() async throws {
            try await client.show(APIRequest("GET", ["namespaces"]), as: NamespaceListShape.self) {
                APIObject<NamespaceShape>.table($0.namespaces)
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = command(
            "Create a namespace, with its own port.",
            examples: "mock-apns ns create t-42 --ttl 10m --json | jq -r .apns"
        )

        @Argument(help: "Its name: letters, digits, '-', '.' and '_'; up to 64.")
        var name: String

        @Flag(inversion: .prefixedNo, help: "Whether it has its own port. (default: --listener)")
        var listener: Bool?

        @Option("name", "The environment of its port: sandbox or production.")
        var environment: String?

        @Option("duration", "Remove it after this time without pushes or requests. (default: never)")
        var ttl: String?

        @Option("name", "The namespace to copy keys, settings and devices from, or none. (default: default)")
        var inherit: String?

        @OptionGroup var client: ClientOptions

        func run() async throws {
            let request = APIRequest("POST", ["namespaces"]).sending([
                "name": name, "listener": listener, "environment": environment, "ttl": ttl,
                "inherit": inherit,
            ])
            try await client.show(request, as: NamespaceShape.self) { $0.sheet }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = command(
            "Remove a namespace with everything in it.",
            name: "rm",
            examples: "mock-apns ns rm t-42"
        )

        @Argument(help: "Its name.")
        var name: String

        @OptionGroup var client: ClientOptions

        func run() async throws {
            let hint = "mock-apns ns list shows the namespaces"
            try await client.remove(APIRequest("DELETE", ["namespaces", name], hint: hint), name: name)
        }
    }
}

extension APIObject<NamespaceShape> {
    var sheet: String {
        Table.sheet([
            ("name", name), ("apns", self.apns ?? "by device token alone"), ("api", self.api),
            ("ttl", self.ttlSeconds.map(TerminalText.seconds) ?? "as long as the server"),
        ])
    }

    static func table(_ namespaces: [APIObject<NamespaceShape>]) -> String {
        let columns: [Table.Column] = [
            "NAMESPACE", .number("PUSHES"), .number("IDLE"), .number("TTL"), "APNS",
        ]
        return Table.text(columns, of: namespaces) { namespace in
            [
                namespace.name, "\(namespace.pushes)", namespace.idleSeconds.map(TerminalText.seconds) ?? "-",
                namespace.ttlSeconds.map(TerminalText.seconds) ?? "-", namespace.apns ?? "-",
            ]
        }
    }
}
