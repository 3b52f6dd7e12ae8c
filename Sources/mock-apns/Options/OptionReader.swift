internal import MockAPNsFormats

/// Reads options from flags, then from the environment, then from defaults, and records the source of each value.
struct OptionReader {
    /// The source of a value.
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
    /// Shown in place of a secret.
    static let redacted = "***"

    private let environment: [String: String]
    /// The options read so far.
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
        entries.append(Entry(name: name, value: text, source: source))
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
        entries.append(Entry(name: name, value: isSecret ? Self.redacted : text, source: source))
        return try read(text, name, source, isSecret: isSecret, parse)
    }

    mutating func text(_ name: String, _ flag: String?) throws -> String? {
        try optional(name, flag) { $0 }
    }

    /// Any number of values: repeated flags, or one variable with the values separated by spaces.
    mutating func list<Value>(
        _ name: String,
        _ flags: [String],
        default standard: [String] = [],
        parse: (String) throws -> Value
    ) throws -> [Value] {
        let variable = environment[Self.variable(for: name)] ?? ""
        let (texts, source): ([String], Source) =
            if !flags.isEmpty {
                (flags, .flag)
            } else if !variable.isEmpty {
                (variable.split(separator: " ").map(String.init), .environment)
            } else {
                (standard, .standard)
            }
        if !texts.isEmpty {
            entries.append(Entry(name: name, value: texts.joined(separator: " "), source: source))
        }
        return try texts.map { try read($0, name, source, parse) }
    }

    /// A switch: a flag, or a variable that is `true` or `false`.
    mutating func flag(_ name: String, _ isGiven: Bool) throws -> Bool {
        try value(name, isGiven ? "true" : nil, default: "false") { text in
            guard let value = Bool(text) else { throw Expected("true or false") }
            return value
        }
    }

    private func pick(_ flag: String?, _ name: String) -> (String, Source)? {
        if let flag { return (flag, .flag) }
        // An empty variable counts as unset.
        guard let variable = environment[Self.variable(for: name)], !variable.isEmpty else { return nil }
        return (variable, .environment)
    }

    private func read<Value>(
        _ text: String,
        _ name: String,
        _ source: Source,
        isSecret: Bool = false,
        _ parse: (String) throws -> Value
    ) throws -> Value {
        let option = source == .environment ? Self.variable(for: name) : "--\(name)"
        let invalid = "invalid \(option) '\(isSecret ? Self.redacted : text)'"
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
            throw CommandFailure(.badConfiguration, "\(invalid): \(error)")
        }
    }

    /// Refuses variables with the prefix that belong to no option.
    ///
    /// Kubernetes sets some for a service called mock-apns (`MOCK_APNS_PORT`, `MOCK_APNS_SERVICE_HOST`, ...): these
    /// are ignored.
    ///
    /// - Parameters:
    ///   - known: the options.
    ///   - others: variables that are no options.
    /// - Throws: `CommandFailure` that names the first.
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
