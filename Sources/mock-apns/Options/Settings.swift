internal import MockAPNsFormats
internal import MockAPNsInspector

/// Where options get their values from: flag before environment before default, each value with its source.
struct Settings {
    /// Where a value came from.
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

    static let prefix = "MOCK_APNS_"

    private let environment: [String: String]
    /// The options looked up so far.
    private(set) var entries: [Entry] = []

    init(environment: [String: String]) { self.environment = environment }

    /// The environment variable of an option: `apns-listen` is `MOCK_APNS_APNS_LISTEN`.
    static func variable(for option: String) -> String {
        prefix + option.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// One value, read by `parse`, which says what it expects instead in the message of what it throws.
    mutating func value<Value>(
        _ name: String,
        flag: String?,
        flagName: String? = nil,
        default standard: String,
        parse: (String) throws -> Value
    ) throws -> Value {
        let (text, source) = pick(flag, name) ?? (standard, .standard)
        entries.append(Entry(name: name, value: text, source: source))
        return try read(text, source == .flag ? flagName ?? name : name, source, parse)
    }

    /// What stands in the place of a value that nobody should read.
    static let redacted = "***"

    /// One value that may be absent; a secret is never shown.
    mutating func optional<Value>(
        _ name: String,
        flag: String?,
        isSecret: Bool = false,
        parse: (String) throws -> Value
    ) throws -> Value? {
        guard let (text, source) = pick(flag, name) else { return nil }
        entries.append(Entry(name: name, value: isSecret ? Self.redacted : text, source: source))
        return try read(text, name, source, isSecret: isSecret, parse)
    }

    /// Any number of values: repeated flags, or one variable with the values separated by spaces.
    mutating func list<Value>(
        _ name: String,
        flags: [String],
        default standard: [String] = [],
        parse: (String) throws -> Value
    ) throws -> [Value] {
        let texts: [String]
        let source: Source
        if !flags.isEmpty {
            (texts, source) = (flags, .flag)
        } else if let variable = environment[Self.variable(for: name)], !variable.isEmpty {
            (texts, source) = (variable.split(separator: " ").map(String.init), .environment)
        } else {
            (texts, source) = (standard, .standard)
        }
        if !texts.isEmpty {
            entries.append(Entry(name: name, value: texts.joined(separator: " "), source: source))
        }
        return try texts.map { try read($0, name, source, parse) }
    }

    /// A switch: given, or a variable that says `true` or `false`.
    mutating func flag(_ name: String, _ isGiven: Bool) throws -> Bool {
        try value(name, flag: isGiven ? "true" : nil, default: "false") { text in
            guard let value = Bool(text) else { throw Expected("true or false") }
            return value
        }
    }

    /// What a value should have been.
    struct Expected: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    private func pick(_ flag: String?, _ name: String) -> (String, Source)? {
        if let flag { return (flag, .flag) }
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
        // An empty variable counts as none; an empty flag is a shell variable that was never set.
        if text.isEmpty, source == .flag {
            throw CommandFailure(
                .badConfiguration,
                "--\(name): the value is empty; give one, or leave the flag out"
            )
        }
        let origin = source == .environment ? Self.variable(for: name) : "--\(name)"
        do {
            return try parse(text)
        } catch let expected as Expected {
            throw CommandFailure(
                .badConfiguration,
                "\(origin): '\(isSecret ? Self.redacted : text)' should be \(expected.text)"
            )
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.badConfiguration, "\(origin): \(error)")
        }
    }

    /// Refuses variables with the prefix that no option has.
    ///
    /// Kubernetes sets some for a service called mock-apns (`MOCK_APNS_PORT`, `MOCK_APNS_SERVICE_HOST`, ...): these
    /// mean nothing here.
    ///
    /// - Parameters:
    ///   - known: the options.
    ///   - others: the variables that are for somebody else.
    /// - Throws: `CommandFailure` that names the first.
    func refuseUnknownVariables(known: [String], besides others: [String] = []) throws {
        let variables = known.map(Self.variable(for:))
        for name in environment.keys.sorted() where name.hasPrefix(Self.prefix) && !variables.contains(name) {
            let rest = name.dropFirst(Self.prefix.count)
            if rest.hasPrefix("PORT") || rest.hasPrefix("SERVICE_") || others.contains(name) { continue }
            let hint = Suggestion.nearest(to: name, among: variables).map { "; did you mean \($0)?" } ?? ""
            throw CommandFailure(.badConfiguration, "there is no option for the variable \(name)\(hint)")
        }
    }
}
