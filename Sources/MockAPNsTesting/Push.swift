internal import MockAPNsAPI
internal import MockAPNsFormats

extension APNsMock {
    /// A push that the server has received.
    public struct Push: Sendable, Identifiable, CustomStringConvertible {
        /// The identifier of the push on this server.
        public let id: String
        /// The `apns-id`.
        public let apnsID: String?
        /// The device token, in hexadecimal digits.
        public let token: String?
        /// The topic.
        public let topic: String?
        /// The push type, such as `alert`.
        public let type: String
        /// The priority: 10, 5 or 1.
        public let priority: Int?
        /// The time in `apns-expiration`, in UNIX seconds.
        public let expiration: Int?
        /// The value of `apns-collapse-id`.
        public let collapseID: String?
        /// The header fields in the order received; names are in lower case.
        public let headers: [(name: String, value: String)]
        /// The body as JSON; `null` if it is not JSON.
        public let payload: JSON
        /// The body, byte for byte.
        public let body: [UInt8]
        /// The status of the response.
        public let status: Int
        /// The reason in the response, such as `BadDeviceToken`; `nil` if the push was accepted.
        public let reason: String?
        /// Whether the push was accepted.
        public let isAccepted: Bool
        /// The delivery state, such as `delivered` or `stored`.
        public let delivery: String
        /// The identifier of the Live Activity that the push started or was for.
        public let activity: String?
        /// Why the device ignored a push to a Live Activity, such as `stale-timestamp`; `nil` if it did not.
        public let ignored: String?
        /// The same, for people.
        let refusal: String?
        /// What another push service answered; `nil` if the server did not forward the push, or not yet.
        public let forward: Forward?
        /// The warnings about the push, which can be there although it was accepted; without notes.
        public let warnings: [Warning]
        /// The push as JSON, as in the debug API.
        public let description: String

        init(_ push: APIObject<PushShape>) {
            let (apns, request) = (push.apns, push.request)
            (id, apnsID, token, topic, type) = (push.id, apns.id, apns.token, apns.topic, apns.pushType)
            priority = apns.priority.map { Int(clamping: $0) }
            expiration = apns.expiration.map { Int(clamping: $0) }
            collapseID = apns.collapseId
            headers = request.headers.filter { $0.count == 2 }.map { ($0[0], $0[1]) }
            (payload, body) = (JSON(request.payload), request.bodyBase64.bytes)
            (status, reason) = (push.response.status, push.verdict.reason)
            (isAccepted, delivery) = (push.verdict.outcome == "accepted", push.delivery.state)
            activity = push.delivery.activity
            (ignored, refusal) = (push.delivery.ignored?.code, push.delivery.ignored?.text)
            forward = push.forward.map { Forward($0) }
            warnings = push.lints.filter { $0.severity != "info" }.map(Warning.init)
            description = String(decoding: push.serialized, as: UTF8.self)
        }

        /// The title of the alert.
        public var title: String? { alert["title"]?.string }
        /// The text of the alert.
        public var text: String? { alert?.string ?? alert["body"]?.string }

        private var alert: JSON? { payload["aps"]["alert"] }
    }

    /// What another push service answered to a push (`serve --forward`).
    public struct Forward: Sendable {
        /// The status; `nil` if there was no response.
        public let status: Int?
        /// The reason in the response, such as `BadDeviceToken`; `nil` if there is none.
        public let reason: String?
        /// Whether the status or the reason is not that of the mock.
        public let differs: Bool
        /// Why there was no response; `nil` if there was one.
        public let error: String?

        init(_ forward: APIObject<ForwardShape>) {
            (status, reason, differs, error) = (forward.status, forward.reason, forward.differs, forward.error)
        }
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
