internal import MockAPNsAPI

extension APIObject<KeyShape> {
    /// A line for each key.
    static func table(_ keys: [APIObject<KeyShape>]) -> String {
        var table = Table([
            .text("KEY"), .text("TEAM"), .text("ENVIRONMENT"), .text("ORIGIN"), .text("TOPICS"),
        ])
        table.rows = keys.map { key in
            [
                key.keyId, key.teamId, key.environment, key.origin,
                key.topics?.joined(separator: " ") ?? "all",
            ]
        }
        return table.text
    }
}
