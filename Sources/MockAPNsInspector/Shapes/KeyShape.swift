internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsRules

/// A key that provider tokens may be signed with; its private half is never shown.
struct KeyShape {
    /// Where a key may be used; the names are part of the API.
    enum Scope: String, CaseIterable {
        case sandbox
        case production
        case both

        /// The only environment; `nil` for both.
        var environment: Environment? { Environment(name: rawValue) }
    }

    private let entry: KeyRing.Entry

    init(_ entry: KeyRing.Entry) { self.entry = entry }

    var json: JSONValue { .object(members) }

    /// Members for an answer that has others as well.
    var members: [String: JSONValue] {
        let key = entry.key
        return [
            "keyId": .string(key.keyID),
            "teamId": .string(key.teamID),
            "topics": key.topics.map { .array($0.sorted().map(JSONValue.string)) } ?? .null,
            "environment": .string(key.environment?.name ?? Scope.both.rawValue),
            "publicKey": .string(entry.publicKeyPEM),
            "origin": .string(entry.isFromStart ? "start" : "api"),
        ]
    }
}
