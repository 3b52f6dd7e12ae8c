internal import MockAPNsRules

/// A ready-made fault that has been observed or is documented.
///
/// To add one: add a row to `FaultPreset+Rows.swift`, and run `make reference`.
public struct FaultPreset: Sendable {
    /// A value of a parameter.
    public enum Value: Equatable, Sendable {
        /// A number of things.
        case count(Int)
        /// Microseconds.
        case duration(Int64)
        /// From 0 to 1.
        case fraction(Double)
    }

    /// Something that can be chosen.
    public struct Parameter: Sendable {
        /// Its name.
        public let name: String
        /// What it is when it is not given, and of what kind it has to be; for `times`, 0 means no limit.
        public let standard: Value
        /// What it means.
        public let meaning: String
    }

    /// The values of all parameters of a preset.
    struct Values {
        let given: [String: Value]
        let parameters: [Parameter]

        private subscript(name: String) -> Value? {
            given[name] ?? parameters.first { $0.name == name }?.standard
        }

        func count(_ name: String) -> Int {
            guard case .count(let value) = self[name] else { return 0 }
            return value
        }

        func duration(_ name: String) -> Int64 {
            guard case .duration(let value) = self[name] else { return 0 }
            return value
        }

        func fraction(_ name: String) -> Double {
            guard case .fraction(let value) = self[name] else { return 1 }
            return value
        }

        /// The parameters that all presets have.
        var trigger: FaultTrigger {
            var trigger = FaultTrigger()
            trigger.skip = count("skip")
            let times = count("times")
            trigger.times = times == 0 ? nil : times
            trigger.probability = fraction("probability")
            return trigger
        }
    }

    /// The name.
    public let name: String
    /// What happens, in one sentence.
    public let meaning: String
    /// Where it was observed or is documented.
    public let source: String
    /// What can be chosen.
    public let parameters: [Parameter]
    /// What a push or connection has to be like, and what then happens.
    let make: @Sendable (Values) -> (when: FaultTrigger, action: FaultAction)

    /// The preset of this name.
    public static func named(_ name: String) -> FaultPreset? { all.first { $0.name == name } }

    /// Whether it is for pushes, so that a condition on pushes makes sense.
    public var isForPushes: Bool {
        let (when, action) = make(Values(given: [:], parameters: parameters))
        return action.row.stage == .push && !(when.afterIdle != nil && action.row.worksWhileIdle)
    }

    /// The fault.
    ///
    /// - Parameters:
    ///   - values: what is chosen, by the names of parameters; each of the kind that its parameter has.
    ///   - name: a name for people.
    ///   - isEnabled: whether it fires at all.
    ///   - match: which pushes it is for.
    ///   - connections: which connections it is for.
    /// - Returns: the fault, to be put in force.
    /// - Throws: `FaultError` for values that cannot be used.
    public func draft(
        _ values: [String: Value] = [:],
        name: String? = nil,
        isEnabled: Bool = true,
        match: FaultDraft.Match? = nil,
        connections: FaultDraft.Connections = FaultDraft.Connections()
    ) throws(FaultError) -> FaultDraft {
        let (when, action) = make(Values(given: values, parameters: parameters))
        var draft = try FaultDraft(
            name: name,
            isEnabled: isEnabled,
            match: match,
            connections: connections,
            when: when,
            action: action
        )
        draft.preset = self.name
        return draft
    }
}
