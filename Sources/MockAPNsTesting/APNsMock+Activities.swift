internal import MockAPNsAPI
internal import MockAPNsFormats

extension APNsMock {
    /// Waits until a Live Activity of the phone is in a state, and returns the newest that is.
    ///
    /// If none is in time, fails the test at the caller's line, and shows the activities, and which pushes were ignored,
    /// and why.
    @discardableResult public func expectActivity(
        on phone: Phone, _ state: Activity.State = .active, within limit: Duration = .seconds(1),
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws -> Activity {
        let deadline = ContinuousClock.now + limit
        while true {
            let newest = try await api.get("seq", as: SequenceShape.self) { $0.seq }
            let activities = try await phone.activities()
            if let found = activities.last(where: { $0.state == state }) { return found }
            let left = deadline - .now
            if left <= .zero {
                let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
                throw place.fail(try await report(on: activities, state) + link)
            }
            // A push ends this wait; what happens without one is seen after it.
            let wait = min(left, .milliseconds(100)).json
            try await api.call("GET", "pushes/count?after=\(newest)&wait=\(wait.plainText ?? "")")
        }
    }

    private func report(on activities: [Activity], _ state: Activity.State) async throws -> String {
        let all = activities.isEmpty ? "none" : activities.map(\.description).joined(separator: ", ")
        let ignored = try await pushes(.query("is:ignored")).suffix(5).compactMap { push in
            push.refusal.map { "\n\(push.id) was ignored: \($0)" }
        }
        return "Expected a Live Activity that is \(state), but the phone has \(all)" + ignored.joined()
    }

    /// A Live Activity as of when it was asked for.
    public struct Activity: Sendable, Identifiable, CustomStringConvertible {
        /// A state of a Live Activity.
        public enum State: String, Sendable {
            /// It runs.
            case active
            /// It runs, and its content is out of date.
            case stale
            /// It has ended, and may still be on the lock screen.
            case ended
            /// It has left the lock screen.
            case dismissed
        }

        /// The identifier on the server.
        public let id: String
        /// The update token, in hexadecimal digits; `nil` if it follows a channel or asked for none.
        public private(set) var token: String?
        /// The state.
        public private(set) var state: State
        /// The name of its `ActivityAttributes` structure.
        public let attributesType: String
        /// The attributes, an object.
        public let attributes: JSON
        /// The newest state of its content, an object.
        public let contentState: JSON
        /// The channel that it follows, in Base64.
        public let channel: String?
        private let path: String
        private let api: DebugAPI

        init(_ shown: APIObject<ActivityShape>, _ api: DebugAPI) throws {
            guard let state = State(rawValue: shown.state) else {
                throw Failure(
                    "the server knows a state '\(shown.state)' of Live Activities, and this kit does not: update it")
            }
            (id, token, self.state, attributesType) = (shown.id, shown.token, state, shown.attributesType)
            (attributes, contentState) = (JSON(shown.attributes), JSON(shown.contentState))
            (channel, path, self.api) = (shown.channel, "devices/\(shown.device)/activities/\(shown.id)", api)
        }

        /// Dismisses it, as the user does: pushes to its token get 410 from now on.
        public mutating func dismiss() async throws { self = try await after("dismiss") }

        /// Gives it a new update token, and returns that: pushes to the old one get 410 from now on.
        @discardableResult public mutating func rotateToken() async throws -> String? {
            self = try await after("rotate")
            return token
        }

        /// The type, the state and the state of the content.
        public var description: String { "\(id) \(attributesType): \(state) \(contentState)" }

        private func after(_ change: String) async throws -> Activity {
            try await api.call("POST", "\(path)/\(change)", as: ActivityShape.self) { [api] in try Activity($0, api) }
        }
    }
}

extension APNsMock.Phone {
    /// Returns the Live Activities, in the order of their start, with the latest dismissed ones.
    public func activities() async throws -> [APNsMock.Activity] {
        try await api.get("devices/\(id)/activities", as: ActivityListShape.self) { [api] list in
            try list.activities.map { try APNsMock.Activity($0, api) }
        }
    }

    /// Starts a Live Activity, as the app does it itself, without a push; attributes and content state are objects.
    @discardableResult public func startActivity(
        _ attributesType: String, attributes: APNsMock.JSON = [:], contentState: APNsMock.JSON = [:]
    ) async throws -> APNsMock.Activity {
        let body: JSONValue = [
            "topic": .string(topic), "attributesType": .string(attributesType), "attributes": attributes.value,
            "contentState": contentState.value,
        ]
        return try await api.call("POST", "devices/\(id)/activities", body, as: ActivityShape.self) { [api] in
            try APNsMock.Activity($0, api)
        }
    }
}
