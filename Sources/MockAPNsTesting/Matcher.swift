internal import MockAPNsFormats

extension APNsMock {
    /// A condition for pushes.
    ///
    /// Only accepted pushes match, unless a condition is about the outcome, the status or the reason of the response.
    public struct Matcher: Sendable {
        /// The members of the debug API's `match` object; lists of several matchers are concatenated.
        let members: [String: JSONValue]

        private init(_ name: String, _ value: JSONValue) { members = [name: value] }

        /// A search as in the inspector: `type:alert is:delivered payload:/orderID=17`.
        public static func query(_ text: String) -> Self { Self("q", .string(text)) }

        /// Sent to an app on a phone.
        public static func to(_ phone: Phone) -> Self { token(phone.token) }
        /// Sent to a device token, in hexadecimal digits.
        public static func token(_ hex: String) -> Self { Self("token", .string(hex)) }
        /// Sent to the device with this name.
        public static func device(_ name: String) -> Self { Self("device", .string(name)) }
        /// The topic, in `apns-topic`.
        public static func topic(_ topic: String) -> Self { Self("topic", .string(topic)) }
        /// The push type, such as `alert` or `background`.
        public static func type(_ name: String) -> Self { Self("pushType", .string(name)) }
        /// The priority: 10, 5 or 1.
        public static func priority(_ priority: Int) -> Self { Self("priority", .string("\(priority)")) }
        /// The time in `apns-expiration`, in UNIX seconds.
        public static func expiration(_ seconds: Int) -> Self { Self("expiration", .string("\(seconds)")) }
        /// The value of `apns-collapse-id`.
        public static func collapseID(_ id: String) -> Self { Self("collapseId", .string(id)) }
        /// The title of the alert.
        public static func title(_ title: String) -> Self { Self("title", .string(title)) }
        /// The title of the alert contains this text.
        public static func title(containing part: String) -> Self { Self("title", ["contains": .string(part)]) }
        /// The text of the alert.
        public static func body(_ body: String) -> Self { Self("body", .string(body)) }
        /// The text of the alert contains this text.
        public static func body(containing part: String) -> Self { Self("body", ["contains": .string(part)]) }
        /// The `apns-id` of the response.
        public static func apnsID(_ id: String) -> Self { Self("apnsId", .string(id)) }
        /// The key that signed the provider token.
        public static func keyID(_ id: String) -> Self { Self("keyId", .string(id)) }
        /// The team of the provider token.
        public static func teamID(_ id: String) -> Self { Self("teamId", .string(id)) }
        /// The environment of the listener: `sandbox` or `production`.
        public static func environment(_ name: String) -> Self { Self("environment", .string(name)) }
        /// The delivery state, such as `delivered` or `stored`.
        public static func delivery(_ state: String) -> Self { Self("delivery", .string(state)) }
        /// The broadcast channel, in Base64.
        public static func channel(_ id: String) -> Self { Self("channel", .string(id)) }
        /// Fits this schema of its app: `payload`, `content-state:OrderAttributes` or `attributes:OrderAttributes`.
        public static func fits(_ schema: String) -> Self { Self("fits", .string(schema)) }
        /// Any value of the payload, by its JSON Pointer: `.payload("/orderID", "17")`.
        public static func payload(_ pointer: String, _ value: JSON) -> Self {
            Self("payload", [["at": .string(pointer), "equals": value.value]])
        }
        /// A header field of the request, by its name in lower case.
        public static func header(_ name: String, _ value: String) -> Self { Self("headers", [name: .string(value)]) }
        /// The push has this warning, by its identifier in docs/lints.md.
        public static func warning(_ id: String) -> Self { Self("lint", .string(id)) }
        /// The device ignored the push to a Live Activity for this reason, such as `stale-timestamp`.
        public static func ignored(_ reason: String) -> Self { Self("ignored", .string(reason)) }
        /// The service that the server forwards pushes to answered with this status.
        public static func forwarded(_ status: Int) -> Self { Self("forwarded", .integer(Int64(status))) }
        /// The device did not ignore it.
        public static var notIgnored: Self { Self("ignored", ["absent": true]) }

        /// Answered with 200.
        public static var accepted: Self { Self("verdict", ["outcome": "accepted"]) }
        /// Answered with a status other than 200.
        public static var rejected: Self { Self("verdict", ["outcome": "rejected"]) }
        /// Answered with any status.
        static var anyVerdict: Self { Self("verdict", ["outcome": ["in": ["accepted", "rejected"]]]) }
        /// Answered with this status.
        public static func status(_ status: Int) -> Self { Self("verdict", ["status": .string("\(status)")]) }
        /// Answered with this reason, such as `BadDeviceToken`.
        public static func reason(_ reason: String) -> Self { Self("verdict", ["reason": .string(reason)]) }
    }
}

extension [APNsMock.Matcher] {
    /// The `match` object of the debug API.
    var match: JSONValue {
        get throws {
            .object(
                try reduce(into: [:]) { match, matcher in try match.merge(matcher.members) { try Self.joined($0, $1) } }
            )
        }
    }

    private static func joined(_ first: JSONValue, _ second: JSONValue) throws -> JSONValue {
        switch (first, second) {
        case (.array(let first), .array(let second)): return .array(first + second)
        case (.string(let first), .string(let second)) where first == second: return .string(first)
        case (.object(let first), .object(let second)) where Set(first.keys).isDisjoint(with: second.keys):
            return .object(first.merging(second) { first, _ in first })
        default:
            throw APNsMock.Failure(
                "two matchers are for the same value: use one for each value, or .query with several terms")
        }
    }
}
