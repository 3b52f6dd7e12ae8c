internal import MockAPNsAPI
internal import MockAPNsFormats

extension APNsMock {
    /// A push that the server has received.
    public struct Push: Sendable, Identifiable, CustomStringConvertible {
        private let push: APIObject<PushShape>

        init(_ push: APIObject<PushShape>) { self.push = push }

        /// The identifier of the push on this server.
        public var id: String { push.id }
        /// The `apns-id`.
        public var apnsID: String? { push.apns.id }
        /// The device token, in hexadecimal digits.
        public var token: String? { push.apns.token }
        /// The topic.
        public var topic: String? { push.apns.topic }
        /// The push type, such as `alert`.
        public var type: String { push.apns.pushType }
        /// The priority: 10, 5 or 1.
        public var priority: Int? { push.apns.priority.map { Int(clamping: $0) } }
        /// The time in `apns-expiration`, in UNIX seconds.
        public var expiration: Int? { push.apns.expiration.map { Int(clamping: $0) } }
        /// The value of `apns-collapse-id`.
        public var collapseID: String? { push.apns.collapseId }
        /// The header fields in the order received; names are in lower case.
        public var headers: [(name: String, value: String)] { push.request.headers.map { ($0[0], $0[1]) } }
        /// The body as JSON; `null` if it is not JSON.
        public var payload: JSON { JSON(push.request.payload) }
        /// The body, byte for byte.
        public var body: [UInt8] { push.request.bodyBase64.bytes }
        /// The title of the alert.
        public var title: String? { alert["title"]?.string }
        /// The text of the alert.
        public var text: String? { alert?.string ?? alert["body"]?.string }
        /// The status of the response.
        public var status: Int { push.response.status }
        /// The reason in the response, such as `BadDeviceToken`; `nil` if the push was accepted.
        public var reason: String? { push.verdict.reason }
        /// Whether the push was accepted.
        public var isAccepted: Bool { push.verdict.outcome == "accepted" }
        /// The delivery state, such as `delivered` or `stored`.
        public var delivery: String { push.delivery.state }
        /// The warnings about the push, which can be there although it was accepted; without notes.
        public var warnings: [Warning] { push.lints.filter { $0.severity != "info" }.map(Warning.init) }
        /// The push as JSON, as in the debug API.
        public var description: String { String(decoding: push.serialized, as: UTF8.self) }

        private var alert: JSON? { payload["aps"]["alert"] }
    }

    /// A warning about a push.
    public struct Warning: Sendable, Identifiable, CustomStringConvertible {
        /// The identifier, as in docs/lints.md.
        public let id: String
        /// What is wrong.
        public let message: String
        /// How to fix it.
        public let hint: String

        init(_ lint: APIObject<LintShape>) { (id, message, hint) = (lint.id, lint.message, lint.hint) }

        /// The identifier, the message, and how to fix it.
        public var description: String { "\(id): \(message) \(hint)" }
    }
}
