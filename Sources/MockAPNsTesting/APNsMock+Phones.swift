internal import MockAPNsAPI
internal import MockAPNsFormats

extension APNsMock {
    /// Whether a phone is connected to APNs.
    public enum Connectivity: String, Sendable {
        /// Pushes are delivered at once.
        case online
        /// The server stores the newest push for each of its apps.
        case offline
    }

    /// Adds a phone with an app that is registered for the topic.
    ///
    /// `name` is shown in reports. `token` sets the device token, in hexadecimal digits, for a provider that already
    /// has it; by default, the server generates one. `os` is the version of iOS, such as `17.4`, by default the newest.
    public func addPhone(
        topic: String, _ connectivity: Connectivity = .online, name: String? = nil, token: String? = nil,
        os: String? = nil
    ) async throws -> Phone {
        var app: [String: JSONValue] = ["topic": .string(topic)]
        if let token { app["token"] = .string(token) }
        var phone: [String: JSONValue] = ["registrations": [.object(app)], "state": .string(connectivity.rawValue)]
        if let os { phone["os"] = .string(os) }
        if let name { phone["label"] = .string(name) }
        return try await api.call("POST", "devices", .object(phone), as: DeviceShape.self) { device in
            guard let registration = device.registrations.first else { throw Failure("the phone has no app") }
            return Phone(id: device.id, token: registration.token, topic: topic, api: api)
        }
    }

    /// Returns the device tokens that have become invalid, oldest first.
    public func feedback() async throws -> [Feedback] {
        try await api.get("feedback", as: FeedbackListShape.self) { $0.feedback.map(Feedback.init) }
    }

    /// A phone with an app.
    public struct Phone: Sendable, Identifiable {
        /// The identifier of the phone on the server.
        public let id: String
        /// The device token of the app, in hexadecimal digits.
        public private(set) var token: String
        /// The topic of the app.
        public let topic: String
        let api: DebugAPI

        /// Connects the phone; stored notifications are delivered before this returns.
        public func goOnline() async throws { try await change(to: .online) }

        /// Disconnects the phone; the newest push for each app is stored.
        public func goOffline() async throws { try await change(to: .offline) }

        /// Uninstalls the app: pushes to its token get 410 from now on.
        public func uninstallApp() async throws {
            try await api.call("PATCH", "registrations/\(token)", ["state": "uninstalled"])
        }

        /// Gives the app a new token, and returns it: pushes to the old one get 410 from now on.
        @discardableResult public mutating func rotateToken() async throws -> String {
            let path = "registrations/\(token)/rotate"
            token = try await api.call("POST", path, as: RegistrationRotatedShape.self) { $0.registration.token }
            return token
        }

        /// Returns the notifications in Notification Center, newest first.
        public func inbox() async throws -> [Notification] {
            try await api.get("devices/\(id)/inbox", as: InboxShape.self) { $0.notifications.map(Notification.init) }
        }

        /// Subscribes the app to a broadcast channel.
        public func subscribe(to channel: Channel) async throws {
            let body: JSONValue = ["topic": .string(topic), "channel": .string(channel.id)]
            try await api.call("POST", "devices/\(id)/subscriptions", body)
        }

        private func change(to connectivity: Connectivity) async throws {
            try await api.call("PATCH", "devices/\(id)", ["state": .string(connectivity.rawValue)])
        }
    }

    /// A notification that was delivered to a phone.
    public struct Notification: Sendable, Identifiable {
        /// The identifier of its push.
        public let id: String
        /// The title.
        public let title: String?
        /// The subtitle.
        public let subtitle: String?
        /// The text.
        public let body: String?
        /// The number on the app's icon.
        public let badge: Int?
        /// The name of the sound.
        public let sound: String?
        /// The thread that groups notifications.
        public let threadID: String?
        /// The value of `apns-collapse-id`.
        public let collapseID: String?
        /// What iOS does with it, in one sentence.
        public let summary: String

        init(_ shown: APIObject<InboxShape.Notification>) {
            (id, title, subtitle, body) = (shown.push, shown.title, shown.subtitle, shown.body)
            (badge, sound) = (shown.badge.map { Int($0) }, shown.sound)
            (threadID, collapseID, summary) = (shown.threadId, shown.collapseId, shown.reaction.summary)
        }
    }

    /// A device token that has become invalid.
    public struct Feedback: Sendable {
        /// The token, in hexadecimal digits.
        public let token: String
        /// The topic of the app.
        public let topic: String?
        /// How many pushes were answered with 410.
        public let reported: Int
        /// How many pushes came after the first 410; should be 0, because providers must drop the token.
        public let pushesAfterFirst410: Int

        init(_ entry: APIObject<FeedbackShape>) {
            (token, topic) = (entry.token, entry.topic)
            reported = Int(clamping: entry.reported410)
            pushesAfterFirst410 = Int(clamping: entry.pushesAfterFirst410)
        }
    }
}
