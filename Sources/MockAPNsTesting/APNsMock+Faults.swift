internal import MockAPNsAPI
internal import MockAPNsFormats

extension APNsMock {
    /// Adds a fault; without limits it fires for every push that matches.
    ///
    /// The last ones of a list of faults fire only where the earlier ones do not.
    @discardableResult
    public func addFault(
        _ fault: Fault,
        _ matchers: Matcher...,
        times: Int? = nil,
        skip: Int = 0
    ) async throws -> ActiveFault {
        var trigger: [String: JSONValue] = ["skip": .integer(Int64(skip))]
        if let times { trigger["times"] = .integer(Int64(times)) }
        let body: JSONValue = [
            "do": fault.action, "match": try matchers.match, "when": .object(trigger),
        ]
        let added = try await api.call("POST", "faults", body, as: FaultShape.self)
        return ActiveFault(id: added.id, api: api)
    }

    /// Removes all faults.
    public func removeFaults() async throws { try await api.call("DELETE", "faults?all=true") }

    /// What goes wrong on purpose.
    public struct Fault: Sendable, CustomStringConvertible {
        let action: JSONValue

        /// The member `do` of the fault in the debug API.
        public var description: String { JSON(action).description }

        /// An error response instead of the right one, by its reason, such as `TooManyRequests`.
        public static func respond(_ reason: String) -> Self {
            Self(action: ["respond": ["reason": .string(reason)]])
        }

        /// A response with this status instead of the right one.
        public static func respond(status: Int) -> Self {
            Self(action: ["respond": ["status": .integer(Int64(status))]])
        }

        /// A response that is late.
        public static func delay(_ duration: Duration) -> Self {
            Self(action: ["delay": ["for": duration.json]])
        }

        /// A GOAWAY after the response: the provider has to open another connection.
        public static var goAway: Self { Self(action: ["goaway": [:]]) }

        /// A reset of the stream instead of a response.
        public static var resetStream: Self { Self(action: ["stream": ["reset": "INTERNAL_ERROR"]]) }

        /// A reset of the TCP connection instead of a response.
        public static var resetConnection: Self { Self(action: ["connection": "rst"]) }

        /// A push that is accepted and never delivered.
        public static var lose: Self { Self(action: ["lose": true]) }

        /// Any action of the debug API, as the member `do` of a fault: `["goaway": ["code": "NO_ERROR"]]`.
        public static func action(_ action: JSON) -> Self { Self(action: action.value) }
    }

    /// A fault that the server has.
    public struct ActiveFault: Sendable, Identifiable {
        /// The identifier of the fault.
        public let id: String
        let api: DebugAPI

        /// How often it has fired.
        public func fired() async throws -> Int {
            Int(clamping: try await api.get("faults/\(id)", as: FaultShape.self).stats.fired)
        }

        /// Removes the fault.
        public func remove() async throws { try await api.call("DELETE", "faults/\(id)") }
    }
}
