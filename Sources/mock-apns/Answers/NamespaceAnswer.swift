/// A world of its own on a server, as the API shows it.
struct NamespaceAnswer: Decodable {
    let name: String
    let apns: String?
    let api: String
    let pushes: Int
    let ttlSeconds: Double?
    let idleSeconds: Double?

    /// What a test needs of it, line by line.
    var sheet: String {
        Table.sheet([
            ("name", name), ("apns", apns ?? "by device token alone"), ("api", api),
            ("ttl", ttlSeconds.map(Self.seconds) ?? "as long as the server"),
        ])
    }

    /// A line for each namespace.
    static func table(_ namespaces: [NamespaceAnswer]) -> String {
        var table = Table([
            .text("NAMESPACE"), .number("PUSHES"), .number("IDLE"), .number("TTL"), .text("APNS"),
        ])
        table.rows = namespaces.map { namespace in
            [
                namespace.name, "\(namespace.pushes)", namespace.idleSeconds.map(seconds) ?? "-",
                namespace.ttlSeconds.map(seconds) ?? "-", namespace.apns ?? "-",
            ]
        }
        return table.text
    }

    private static func seconds(_ seconds: Double) -> String { "\(Int64(seconds)) s" }
}

/// The namespaces of a server, as the API shows them.
struct NamespaceListAnswer: Decodable {
    let namespaces: [NamespaceAnswer]
}
