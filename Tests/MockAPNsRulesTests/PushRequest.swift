@testable import MockAPNsRules

/// A request in plain values; it begins as a push that nothing is wrong with.
struct PushRequest: Sendable {
    static let goodToken = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
    static let goodTopic = "com.example.app"

    private(set) var headers: [(name: String, value: String)] = [
        (":method", "POST"), (":scheme", "https"), (":path", "/3/device/" + goodToken),
        (":authority", "api.sandbox.push.apple.com"), ("authorization", "bearer header.claims.signature"),
        ("apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7b"), ("apns-push-type", "alert"), ("apns-expiration", "0"),
        ("apns-priority", "10"), ("apns-topic", goodTopic), ("apns-collapse-id", "score"), ("user-agent", "a provider"),
    ]
    var body = Array(#"{"aps":{"alert":"Hello"}}"#.utf8)
    /// Set where more bytes arrived than `body` holds.
    var bodyLength: Int?

    /// Gives a header this value, in its place when it is there already.
    mutating func set(_ name: String, _ value: String) {
        if let place = headers.firstIndex(where: { $0.name == name }) {
            headers[place].value = value
        } else {
            add(name, value)
        }
    }

    /// Changes the value of a header, if it is there.
    mutating func edit(_ name: String, _ change: (String) -> String) {
        guard let place = headers.firstIndex(where: { $0.name == name }) else { return }
        headers[place].value = change(headers[place].value)
    }

    mutating func add(_ name: String, _ value: String) { headers.append((name, value)) }

    mutating func remove(_ name: String) { headers.removeAll { $0.name == name } }

    mutating func setToken(_ token: String) { set(":path", "/3/device/" + token) }

    /// Makes it a push of this type with the topic that goes with it.
    mutating func setType(_ type: PushType) {
        set("apns-push-type", type.name)
        set("apns-topic", Self.goodTopic + type.row.topicSuffix.description)
        if type.row.refusesImmediate { set("apns-priority", "5") }
    }

    func withView<Result>(headerVersion: UInt64 = 0, _ use: (borrowing RequestView) throws -> Result) rethrows -> Result
    {
        try RequestView.withRequest(
            headers: headers, body: body, bodyLength: bodyLength, headerVersion: headerVersion, use)
    }
}

extension String {
    /// Lends the text as the rules read it.
    func withSpan<Result>(_ use: (ByteSpan) throws -> Result) rethrows -> Result { try Array(utf8).withSpan(use) }
}

extension [UInt8] {
    /// Lends the bytes as the rules read them.
    func withSpan<Result>(_ use: (ByteSpan) throws -> Result) rethrows -> Result {
        try withUnsafeBufferPointer { try use(ByteSpan($0)) }
    }
}
