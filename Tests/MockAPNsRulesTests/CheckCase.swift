import Testing

@testable import MockAPNsRules

/// One row of the table of checks: what is changed about a good push, and what is answered then.
struct CheckCase: Sendable, CustomTestStringConvertible {
    let name: String
    /// The reason of the answer; `nil` when the push is accepted.
    let expected: Reason?
    private let change: @Sendable (inout Scenario) -> Void

    init(_ name: String, _ expected: Reason?, _ change: @escaping @Sendable (inout Scenario) -> Void) {
        self.name = name
        self.expected = expected
        self.change = change
    }

    var scenario: Scenario {
        var scenario = Scenario()
        change(&scenario)
        return scenario
    }

    var testDescription: String { name }

    /// Every row, one list per file of checks.
    static let table =
        paths + deviceTokens + registrations + deviceRates + headers + duplicates + certificates + tokens + bindings
        + topics + pushTypes + payloads
}

extension CheckCase {
    static func accepted(_ name: String, _ change: @escaping @Sendable (inout Scenario) -> Void) -> Self {
        Self(name, nil, change)
    }

    static func refused(
        _ name: String, _ reason: Reason, _ change: @escaping @Sendable (inout Scenario) -> Void
    ) -> Self { Self(name, reason, change) }

    /// A push with another value of one header.
    static func header(_ name: String, _ value: String, _ expected: Reason?, _ note: String = "") -> Self {
        let shown = value.utf8.count > 80 ? "\(value.utf8.count) bytes" : "'\(value)'"
        return Self("\(name) \(shown) \(note)", expected) { $0.request.set(name, value) }
    }

    /// A push without one header.
    static func without(_ name: String, _ expected: Reason?) -> Self {
        Self("no \(name)", expected) { $0.request.remove(name) }
    }

    /// A push to another device token.
    static func deviceToken(_ token: String, _ expected: Reason?, _ note: String) -> Self {
        Self("device token: \(note)", expected) { $0.request.setToken(token) }
    }

    /// A push whose provider token the authority finds like this.
    static func token(
        _ name: String, _ expected: Reason?, _ change: @escaping @Sendable (inout TokenFields) -> Void
    ) -> Self { Self("provider token: \(name)", expected) { change(&$0.token) } }
}
