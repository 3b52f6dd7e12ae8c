internal import MockAPNsAPI
internal import MockAPNsFormats

extension APNsMock {
    /// Adds a fault; without limits, it fires for every push that matches.
    ///
    /// `skip` lets that many matching pushes pass first; `times` is the maximum number of times that the fault fires.
    /// If several faults apply to a push, only the one that was added first fires.
    @discardableResult public func addFault(
        _ fault: Fault, _ matchers: Matcher..., times: Int? = nil, skip: Int = 0
    ) async throws -> ActiveFault {
        var trigger: [String: JSONValue] = ["skip": .integer(Int64(skip))]
        if let times { trigger["times"] = .integer(Int64(times)) }
        let body: JSONValue = ["do": fault.action, "match": try matchers.match, "when": .object(trigger)]
        return try await api.call("POST", "faults", body, as: FaultShape.self) { ActiveFault(id: $0.id, api: api) }
    }

    /// Adds a fault of the table in docs/reference.md, such as `addPreset("too-many-requests", parameters: ["times": 1])`.
    @discardableResult public func addPreset(
        _ name: String, _ matchers: Matcher..., parameters: [String: JSON] = [:]
    ) async throws -> ActiveFault {
        var body = parameters.mapValues(\.value)
        if !matchers.isEmpty { body["match"] = try matchers.match }
        return try await api.call("POST", "faults/presets/\(name)", .object(body), as: FaultShape.self) {
            ActiveFault(id: $0.id, api: api)
        }
    }

    /// Removes all faults.
    public func removeFaults() async throws { try await api.call("DELETE", "faults?all=true") }

    /// An effect to simulate, such as an error response or a delay.
    public struct Fault: Sendable, CustomStringConvertible {
        let action: JSONValue

        /// The `do` object of the fault in the debug API, as JSON.
        public var description: String { JSON(action).description }

        /// Sends an error response with this reason, such as `TooManyRequests`.
        public static func respond(_ reason: String) -> Self { Self(action: ["respond": ["reason": .string(reason)]]) }

        /// Sends a response with this status.
        public static func respond(status: Int) -> Self {
            Self(action: ["respond": ["status": .integer(Int64(status))]])
        }

        /// Delays the response.
        public static func delay(_ duration: Duration) -> Self { Self(action: ["delay": ["for": duration.json]]) }

        /// Sends a GOAWAY after the response, so that the provider has to reconnect.
        public static var goAway: Self { Self(action: ["goaway": [:]]) }

        /// Resets the stream instead of sending a response.
        public static var resetStream: Self { Self(action: ["stream": ["reset": "INTERNAL_ERROR"]]) }

        /// Resets the TCP connection instead of sending a response.
        public static var resetConnection: Self { Self(action: ["connection": "rst"]) }

        /// Accepts the push, but never delivers it.
        public static var lose: Self { Self(action: ["lose": true]) }

        /// Any action, given as the `do` object of the debug API, such as `["goaway": ["code": "NO_ERROR"]]`.
        public static func action(_ action: JSON) -> Self { Self(action: action.value) }
    }

    /// A fault on the server.
    public struct ActiveFault: Sendable, Identifiable {
        /// The identifier of the fault.
        public let id: String
        let api: DebugAPI

        /// Returns how often the fault has fired.
        public func fired() async throws -> Int {
            try await api.get("faults/\(id)", as: FaultShape.self) { Int(clamping: $0.stats.fired) }
        }

        /// Removes the fault.
        public func remove() async throws { try await api.call("DELETE", "faults/\(id)") }
    }
}
