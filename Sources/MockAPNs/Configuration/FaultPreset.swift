internal import MockAPNsRules
public import MockAPNsWorld

/// A template for a fault that was observed or is documented.
///
/// To add one, add a row to `FaultPreset+Rows.swift`, and run `make reference`.
public struct FaultPreset: Sendable {
    /// The value of a parameter.
    public enum Value: Equatable, Sendable {
        case count(Int)
        /// A time in microseconds.
        case duration(Int64)
        /// A fraction from 0 to 1.
        case fraction(Double)
    }

    /// A parameter.
    public struct Parameter: Sendable {
        /// The name.
        public let name: String
        /// The default, which also determines the type; for `times`, 0 means no limit.
        public let standard: Value
        /// The meaning.
        public let meaning: String

        init(_ name: String, _ standard: Value, _ meaning: String) {
            self.name = name
            self.standard = standard
            self.meaning = meaning
        }
    }

    struct Values {
        let given: [String: Value]
        let parameters: [Parameter]

        private subscript(name: String) -> Value? { given[name] ?? parameters.first { $0.name == name }?.standard }

        func count(_ name: String) -> Int { if case .count(let value) = self[name] { value } else { 0 } }

        func duration(_ name: String) -> Int64 { if case .duration(let value) = self[name] { value } else { 0 } }

        func fraction(_ name: String) -> Double { if case .fraction(let value) = self[name] { value } else { 1 } }

        var trigger: FaultTrigger {
            var trigger = FaultTrigger()
            trigger.skip = count("skip")
            let times = count("times")
            trigger.times = times == 0 ? nil : times
            trigger.probability = fraction("probability")
            if parameters.contains(where: { $0.name == "idle" }) { trigger.afterIdle = duration("idle") }
            return trigger
        }
    }

    /// The name.
    public let name: String
    /// The effect, in one sentence.
    public let meaning: String
    /// Where it was observed or is documented.
    public let source: String
    /// The parameters.
    public let parameters: [Parameter]
    /// Returns the action, and may change the trigger.
    let make: @Sendable (Values, inout FaultTrigger) -> FaultAction

    /// Returns the preset with this name.
    public static func named(_ name: String) -> FaultPreset? { all.first { $0.name == name } }

    /// Creates a fault from the preset; each value must have the type of the parameter with its name.
    public func draft(
        _ values: [String: Value] = [:], name: String? = nil, isEnabled: Bool = true, match: FaultDraft.Match? = nil,
        connections: FaultDraft.Connections = FaultDraft.Connections()
    ) throws(FaultError) -> FaultDraft {
        let values = Values(given: values, parameters: parameters)
        var when = values.trigger
        let action = make(values, &when)
        var draft = try FaultDraft(
            name: name, isEnabled: isEnabled, match: match, connections: connections, when: when, action: action)
        draft.preset = self.name
        return draft
    }
}
