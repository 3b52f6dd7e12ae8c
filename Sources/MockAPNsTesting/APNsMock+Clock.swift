internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules

extension APNsMock {
    /// The clock of the server, by which tokens expire and stored pushes are kept.
    public var clock: Clock { Clock(api: api) }

    /// A clock that tests move; nothing has to sleep.
    public struct Clock: Sendable {
        let api: DebugAPI

        /// The time since 1970.
        public func now() async throws -> Duration {
            let text = try await api.get("clock", as: ClockShape.self).now
            guard let time = Timestamp(rfc3339: text) else { throw Failure("'\(text)' is not a time") }
            return .microseconds(time.microseconds)
        }

        /// Moves the clock forward; what becomes due happens before this returns.
        public func advance(by duration: Duration) async throws {
            try await api.call("POST", "clock/advance", ["by": duration.json])
        }

        /// Stops the clock where it is; `advance(by:)` still moves it.
        public func freeze() async throws { try await api.call("PUT", "clock", ["mode": "frozen"]) }

        /// Lets the clock run with the system's again.
        public func run() async throws { try await api.call("PUT", "clock", ["mode": "real"]) }
    }
}
