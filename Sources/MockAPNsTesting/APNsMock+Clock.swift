internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules

extension APNsMock {
    /// The clock of the server, by which provider tokens and stored notifications expire.
    public var clock: Clock { Clock(api: api) }

    /// A clock that tests can move, so that they do not have to sleep.
    public struct Clock: Sendable {
        let api: DebugAPI

        /// Returns the time since 1970.
        public func now() async throws -> Duration {
            let text = try await api.get("clock", as: ClockShape.self) { $0.now }
            guard let time = Timestamp(rfc3339: text) else { throw Failure("'\(text)' is not a time") }
            return .microseconds(time.microseconds)
        }

        /// Moves the clock forward; everything that becomes due has happened when this returns.
        public func advance(by duration: Duration) async throws {
            try await api.call("POST", "clock/advance", ["by": duration.json])
        }

        /// Stops the clock at its current time; `advance(by:)` still moves it.
        public func freeze() async throws { try await api.call("PUT", "clock", ["mode": "frozen"]) }

        /// Returns the clock to the system's time.
        public func run() async throws { try await api.call("PUT", "clock", ["mode": "real"]) }
    }
}
