import Synchronization

/// A request as a provider sends it; it begins as one that is accepted, but for the provider token.
struct Push: Sendable {
    /// A device token for the usual topic in the environment of a test's only listener; a token belongs to one app
    /// from its first accepted push on, so whatever goes elsewhere takes a fresh one.
    static let token = String(repeating: "0123456789abcdef", count: 4)
    private static let lastNumber = Atomic<Int>(0)

    /// A device token that no push of this process has had.
    static var freshToken: String {
        let number = String(lastNumber.wrappingAdd(1, ordering: .relaxed).newValue, radix: 16)
        return "fe" + String(repeating: "0", count: 62 - number.utf8.count) + number
    }

    var method = "POST"
    var path: String
    /// What stands behind `bearer`; `nil` for no header.
    var providerToken: String?
    var topic: String? = "com.example.app"
    /// Header fields behind the usual ones.
    var more: [(name: String, value: String)]
    var body: String

    init(
        _ providerToken: String?, token: String = Push.token, _ more: (name: String, value: String)...,
        body: String = #"{"aps":{"alert":"Hello"}}"#
    ) {
        path = "/3/device/\(token)"
        self.providerToken = providerToken
        self.more = more
        self.body = body
    }

    /// The same push with changes.
    func with(_ change: (inout Push) -> Void) -> Push {
        var push = self
        change(&push)
        return push
    }

    var fields: [(name: String, value: String)] {
        var fields = [
            (name: ":method", value: method), (":scheme", "http"), (":path", path), (":authority", "localhost"),
        ]
        if let providerToken { fields.append(("authorization", "bearer \(providerToken)")) }
        if let topic { fields.append(("apns-topic", topic)) }
        return fields + more
    }
}
