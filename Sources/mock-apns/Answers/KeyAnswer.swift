/// A key that provider tokens may be signed with, as the API shows it.
struct KeyAnswer: Decodable {
    let keyId: String
    let teamId: String
    let topics: [String]?
    let environment: String
    let origin: String

    /// A line for each key.
    static func table(_ keys: [KeyAnswer]) -> String {
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

/// The keys that a server knows, as the API shows them.
struct KeyListAnswer: Decodable {
    let keys: [KeyAnswer]
    let auth: String
}
