internal import MockAPNsAPI

extension APIObject<NamespaceShape> {
    /// What a test needs of it, line by line.
    var sheet: String {
        Table.sheet([
            ("name", name), ("apns", self.apns ?? "by device token alone"), ("api", self.api),
            ("ttl", self.ttlSeconds.map(Self.seconds) ?? "as long as the server"),
        ])
    }

    /// A line for each namespace.
    static func table(_ namespaces: [APIObject<NamespaceShape>]) -> String {
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
