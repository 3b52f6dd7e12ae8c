internal import ArgumentParser
internal import MockAPNsFormats
internal import MockAPNsInspector

/// Reads options from flags, then from the environment, then from defaults, and records the source of each value.
struct OptionReader {
    enum Source: String {
        case flag
        case environment = "env"
        case standard = "default"
    }

    struct Invalid: Error, CustomStringConvertible {
        let description: String
        init(_ problem: String) { description = problem }
        init(expected: String) { description = "expected \(expected)" }
    }

    static let prefix = "MOCK_APNS_"

    private typealias Given = (texts: [String], source: Source)

    /// The texts of the flags that are given, by the name of the option.
    private let flags: [String: [String]]
    private let environment: [String: String]
    private(set) var settings: [Inspector.Facts.Setting] = []

    init(flags: [String: [String]] = [:], environment: [String: String] = SystemFacts.environment) {
        (self.flags, self.environment) = (flags, environment)
    }

    init(_ options: some ParsableArguments, environment: [String: String] = SystemFacts.environment) {
        self.init(flags: options.texts, environment: environment)
    }

    /// The environment variable of an option: `apns-listen` is `MOCK_APNS_APNS_LISTEN`.
    static func variable(for option: String) -> String {
        prefix + option.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// One value, read by `parse`, which throws `Invalid` for an invalid one.
    mutating func value<Value>(
        _ name: String, default standard: String, parse: (String) throws -> Value
    ) throws -> Value { try read(name, given(name) ?? ([standard], .standard), parse)[0] }

    /// One value that may be absent; `shown` makes of it what may be seen.
    mutating func optional<Value>(
        _ name: String, shown: (String) -> String = { $0 }, parse: (String) throws -> Value
    ) throws -> Value? { try given(name).flatMap { try read(name, $0, shown: shown, parse).first } }

    mutating func text(_ name: String) throws -> String? { try optional(name) { $0 } }

    /// Any number of values: repeated flags, or one variable with the values separated by spaces.
    mutating func list<Value>(
        _ name: String, default standard: [String] = [], parse: (String) throws -> Value
    ) throws -> [Value] {
        var given = given(name) ?? (standard, .standard)
        if given.source == .environment { given.texts = given.texts[0].split(separator: " ").map(String.init) }
        return given.texts.isEmpty ? [] : try read(name, given, parse)
    }

    /// A switch: a flag, or a variable that is `true` or `false`.
    mutating func flag(_ name: String) throws -> Bool {
        try value(name, default: "false") { try Self.require(Bool($0), "true or false") }
    }

    /// The value that was read; throws what is expected when there is none.
    static func require<Value>(_ value: Value?, _ expected: String) throws -> Value {
        guard let value else { throw Invalid(expected: expected) }
        return value
    }

    static func check(_ isValid: Bool, _ expected: String) throws { if !isValid { throw Invalid(expected: expected) } }

    private func given(_ name: String) -> Given? {
        if let texts = flags[name], !texts.isEmpty { return (texts, .flag) }
        // An empty variable counts as unset.
        guard let text = environment[Self.variable(for: name)], !text.isEmpty else { return nil }
        return ([text], .environment)
    }

    private mutating func read<Value>(
        _ name: String, _ given: Given, shown: (String) -> String = { $0 }, _ parse: (String) throws -> Value
    ) throws -> [Value] {
        let shown = given.texts.map(shown)
        settings.append((name, shown.joined(separator: " "), given.source.rawValue))
        let option = given.source == .environment ? Self.variable(for: name) : "--\(name)"
        return try zip(given.texts, shown).map { text, shown in
            try CommandFailure.explaining("invalid \(option) '\(shown)'") {
                // An empty flag is usually a shell variable that is not set.
                let isValue = !text.isEmpty || given.source != .flag
                try Self.check(isValue, "a value; omit it for the default")
                return try parse(text)
            }
        }
    }

    /// Refuses variables with the prefix, except those of known options and the others.
    ///
    /// Ignores those that Kubernetes sets for a service called mock-apns (`MOCK_APNS_PORT`, `MOCK_APNS_SERVICE_HOST`, ...).
    func refuseUnknownVariables(known: [String], besides others: [String] = []) throws {
        let variables = known.map(Self.variable(for:))
        for name in environment.keys.sorted() where name.hasPrefix(Self.prefix) && !variables.contains(name) {
            let rest = name.dropFirst(Self.prefix.count)
            if rest.hasPrefix("PORT") || rest.hasPrefix("SERVICE_") || others.contains(name) { continue }
            let hint = Suggestion.question(for: name, among: variables)
            throw CommandFailure(.badConfiguration, "unknown environment variable \(name)\(hint)")
        }
    }
}

/// Options with a type: each replaces a value, which is also the default.
extension OptionReader {
    mutating func number<Number: BinaryInteger>(
        _ name: String, _ range: ClosedRange<Int>, into value: inout Number
    ) throws {
        value = try self.value(name, default: "\(value)") { text in
            let upper = range.upperBound == .max ? "" : " to \(range.upperBound)"
            let number = Int(text).flatMap { range.contains($0) ? $0 : nil }
            return Number(try Self.require(number, "a whole number from \(range.lowerBound)\(upper)"))
        }
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, into value: inout Choice
    ) throws {
        let choices = TerminalText.choice(Choice.allCases.map(\.rawValue))
        value = try self.value(name, default: value.rawValue) { try Self.require(Choice(rawValue: $0), choices) }
    }

    /// A duration, in microseconds.
    mutating func duration(_ name: String, allowsZero: Bool = true, into value: inout Int64) throws {
        value = try self.value(name, default: DurationText.text(value)) { text in
            let milliseconds = try DurationText.milliseconds(text)
            try Self.check(allowsZero || milliseconds > 0, "\(DurationText.expected), greater than 0")
            return milliseconds * 1_000
        }
    }
}

extension DurationText {
    static let expected = "a duration such as 500ms, 5s, 20m, 1h or 30d"

    static func milliseconds(_ text: String) throws -> Int64 {
        if text == "0" { return 0 }
        let time = microseconds(text).flatMap { (0...longest).contains($0) ? $0 : nil }
        return try OptionReader.require(time, expected) / 1_000
    }

    /// The value of an option, in milliseconds.
    static func milliseconds(_ text: String, option: String) throws -> Int64 {
        try CommandFailure.explaining("invalid \(option) '\(text)'", .usage) { try milliseconds(text) }
    }
}
