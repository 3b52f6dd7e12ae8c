internal import MockAPNsFormats

/// Reads options from flags, then from the environment, then from defaults, and records the source of each value.
struct OptionReader {
    enum Source: String {
        case flag
        case environment = "env"
        case standard = "default"
    }

    /// An option in force.
    struct Entry: Equatable {
        let name: String
        let value: String
        let source: Source
    }

    /// What a parser expects in place of an invalid value.
    struct Expected: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    static let prefix = "MOCK_APNS_"

    private let environment: [String: String]
    private(set) var entries: [Entry] = []

    init(environment: [String: String]) { self.environment = environment }

    /// The environment variable of an option: `apns-listen` is `MOCK_APNS_APNS_LISTEN`.
    static func variable(for option: String) -> String {
        prefix + option.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// One value, read by `parse`, which throws `Expected` for an invalid one.
    mutating func value<Value>(
        _ name: String,
        _ flag: String?,
        default standard: String,
        parse: (String) throws -> Value
    ) throws -> Value {
        let (text, source) = pick(flag, name) ?? (standard, .standard)
        return try read(text, name, source, parse)
    }

    /// One value that may be absent; a secret is never shown.
    mutating func optional<Value>(
        _ name: String,
        _ flag: String?,
        isSecret: Bool = false,
        parse: (String) throws -> Value
    ) throws -> Value? {
        guard let (text, source) = pick(flag, name) else { return nil }
        return try read(text, name, source, isSecret: isSecret, parse)
    }

    mutating func text(_ name: String, _ flag: String?) throws -> String? { try optional(name, flag) { $0 } }

    /// Any number of values: repeated flags, or one variable with the values separated by spaces.
    mutating func list<Value>(
        _ name: String,
        _ flags: [String],
        default standard: [String] = [],
        parse: (String) throws -> Value
    ) throws -> [Value] {
        var (texts, source) = (flags, Source.flag)
        if flags.isEmpty {
            let variable = pick(nil, name)
            source = variable?.source ?? .standard
            texts = variable?.text.split(separator: " ").map(String.init) ?? standard
        }
        if !texts.isEmpty {
            entries.append(Entry(name: name, value: texts.joined(separator: " "), source: source))
        }
        return try texts.map { try parsed($0, name, source, parse) }
    }

    /// A switch: a flag, or a variable that is `true` or `false`.
    mutating func flag(_ name: String, _ isGiven: Bool) throws -> Bool {
        try value(name, isGiven ? "true" : nil, default: "false") { text in
            guard let value = Bool(text) else { throw Expected("true or false") }
            return value
        }
    }

    private func pick(_ flag: String?, _ name: String) -> (text: String, source: Source)? {
        if let flag { return (flag, .flag) }
        // An empty variable counts as unset.
        guard let variable = environment[Self.variable(for: name)], !variable.isEmpty else { return nil }
        return (variable, .environment)
    }

    private mutating func read<Value>(
        _ text: String,
        _ name: String,
        _ source: Source,
        isSecret: Bool = false,
        _ parse: (String) throws -> Value
    ) throws -> Value {
        let shown = isSecret ? "***" : text
        entries.append(Entry(name: name, value: shown, source: source))
        return try parsed(text, shownAs: shown, name, source, parse)
    }

    private func parsed<Value>(
        _ text: String,
        shownAs shown: String? = nil,
        _ name: String,
        _ source: Source,
        _ parse: (String) throws -> Value
    ) throws -> Value {
        let option = source == .environment ? Self.variable(for: name) : "--\(name)"
        let invalid = "invalid \(option) '\(shown ?? text)'"
        // An empty flag is usually a shell variable that is not set.
        if text.isEmpty, source == .flag {
            throw CommandFailure(.badConfiguration, "\(invalid): expected a value; omit it for the default")
        }
        do {
            return try parse(text)
        } catch let expected as Expected {
            throw CommandFailure(.badConfiguration, "\(invalid): expected \(expected.text)")
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.badConfiguration, "\(invalid): \(TerminalText.plain("\(error)"))")
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
        _ name: String,
        _ flag: String?,
        _ range: ClosedRange<Int>,
        into value: inout Number
    ) throws {
        value = try self.value(name, flag, default: "\(value)") { text in
            guard let number = Int(text), range.contains(number) else {
                let upper = range.upperBound == .max ? "" : " to \(range.upperBound)"
                throw Expected("a whole number from \(range.lowerBound)\(upper)")
            }
            return Number(number)
        }
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        _ flag: String?,
        into value: inout Choice
    ) throws {
        value = try self.value(name, flag, default: value.rawValue) { text in
            guard let choice = Choice(rawValue: text) else {
                throw Expected(Choice.allCases.map(\.rawValue).joined(separator: " or "))
            }
            return choice
        }
    }

    /// A duration, in microseconds.
    mutating func duration(
        _ name: String,
        _ flag: String?,
        allowsZero: Bool = true,
        into value: inout Int64
    ) throws {
        value = try self.value(name, flag, default: DurationText.text(value)) { text in
            let milliseconds = try DurationText.milliseconds(text)
            guard allowsZero || milliseconds > 0 else {
                throw Expected("\(DurationText.expected), greater than 0")
            }
            return milliseconds * 1_000
        }
    }
}

extension DurationText {
    static let expected = "a duration such as 500ms, 5s, 20m, 1h or 30d"

    static func milliseconds(_ text: String) throws -> Int64 {
        if text == "0" { return 0 }
        guard let time = microseconds(text), (0...longest).contains(time) else {
            throw OptionReader.Expected(expected)
        }
        return time / 1_000
    }

    /// The value of an option, in milliseconds.
    static func milliseconds(_ text: String, option: String) throws -> Int64 {
        guard let time = try? milliseconds(text) else {
            throw CommandFailure(.usage, "invalid \(option) '\(text)': expected \(expected)")
        }
        return time
    }
}
