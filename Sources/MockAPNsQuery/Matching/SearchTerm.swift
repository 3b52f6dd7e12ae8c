package import MockAPNsFormats
package import MockAPNsRules

/// A term of a search: a word or phrase, or a key with a value.
///
/// The keys are the rows of `SearchWord`.
package struct SearchTerm: Sendable, Equatable {
    package typealias Failure = SearchText.Failure

    package let offset: Int
    package internal(set) var length = 0
    /// The key before the colon, or `nil` for plain text.
    package internal(set) var key: String?
    /// The value after the colon without its quotes, or the plain text.
    package internal(set) var value = ""
    /// Whether the value is quoted, so that `>` and `4xx` are part of it.
    var isQuoted = false
    /// The value after the `=` of a `payload:` or `header:` term.
    var wanted: String?

    var row: SearchWord? { key.flatMap(SearchWord.named) }

    init(offset: Int) { self.offset = offset }

    /// Creates a term that looks for a text.
    package init(text: String) {
        offset = 0
        value = text
    }

    /// Creates a term that looks for a value; it is quoted if it has the form of a comparison.
    package init(_ key: String, _ value: String) {
        self.init(comparing: key, value)
        isQuoted = value.contains("=") || value.first.map { "<>".contains($0) } ?? false
    }

    /// Creates a term with a comparison, such as `>4000`.
    package init(comparing key: String, _ comparison: String) {
        self.init(text: comparison)
        self.key = key
    }

    package func condition(now: Timestamp) throws(Failure) -> Condition {
        guard let key else { return .text(FreeText(value)) }
        guard let row else {
            let names = SearchWord.all.flatMap(\.names)
            let nearest = Suggestion.nearest(to: key, among: names)
            // A suggestion makes the list superfluous.
            let known = nearest == nil ? "; there are: \(names.joined(separator: ", "))" : ""
            let problem = "'\(key):' is not known\(known). To search for it as text, put it in quotes"
            throw failure(problem, mended: nearest.map { with(\.key, $0) })
        }
        return try row.read(self, now)
    }

    // MARK: Writing

    /// The term as written in a search.
    var text: String {
        guard let key else { return Self.isPlain(value) ? value : Self.quoted(value) }
        let isPlain = !isQuoted && Self.isWord(value)
        let rest = wanted.map { "=" + (Self.isWord($0) ? $0 : Self.quoted($0)) } ?? ""
        return "\(key):" + (isPlain ? value : Self.quoted(value)) + rest
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && !text.contains { $0.isWhitespace || "\"()".contains($0) }
    }

    private static func isPlain(_ text: String) -> Bool {
        isWord(text) && !text.contains(":") && text.first != "!" && SearchScanner.keywords[text] == nil
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }

    // MARK: Reading the values of rows

    func condition(on field: PushField) throws(Failure) -> Condition {
        let row = field.row
        var text = try given("a value")
        if !field.canBe(text) {
            if row.values.isEmpty { throw failure("'\(text)' is not \(field.expected)") }
            throw isNone(of: row.values)
        }
        if row.isCaseless { text = text.lowercased() }
        switch row.search {
        case .part, .entry: return Self.field(field, .contains(text))
        case .label where text.hasPrefix("@"): return Self.field(field, .equals(.string(String(text.dropFirst()))))
        case .value, .label: return Self.field(field, .equals(.string(text)))
        case .number, .status, .milliseconds: return try ordered(field, text, row.search)
        }
    }

    /// Reads a comparison, a status class such as `4xx`, or a value.
    private func ordered(_ field: PushField, _ text: String, _ kind: PushField.Search) throws(Failure) -> Condition {
        if !isQuoted, let (order, bound) = comparison {
            guard let number = kind.number(bound) else {
                throw failure("'\(bound)' is not a number; expected \(kind.example(key ?? ""))")
            }
            return Self.field(field, .number(order, number))
        }
        if kind == .status, let digit = FreeText.statusClass(text) {
            let least = Double(digit) * 100
            return Self.field(field, .number(.gte, least), .number(.lt, least + 100))
        }
        if kind == .milliseconds { throw failure("expected a comparison, as in \(kind.example(key ?? ""))") }
        return Self.field(field, .equals(.string(text)))
    }

    /// The operator at the start of the value, and the rest; `nil` if the value does not start with one.
    private var comparison: (order: Comparison.Operator, bound: String)? {
        let operators: [(text: String, order: Comparison.Operator)] = [
            (">=", .gte), ("<=", .lte), (">", .gt), ("<", .lt),
        ]
        guard let found = operators.first(where: { value.hasPrefix($0.text) }) else { return nil }
        return (found.order, String(value.dropFirst(found.text.count)))
    }

    func payload() throws(Failure) -> Condition {
        guard let pointer = JSONPointer(value) else { throw failure("'\(value)' is not \(JSONPointer.expected)") }
        guard let wanted else { return Self.requirement(.payload(pointer), .present) }
        return Self.payload(pointer, equals: wanted)
    }

    /// Returns the condition that a payload value equals a text, or the JSON value that the text represents.
    package static func payload(_ pointer: JSONPointer, equals wanted: String) -> Condition {
        let asText = requirement(.payload(pointer), .equals(.string(wanted)))
        guard let value = JSONParser.value(of: Array(wanted.utf8)) else { return asText }
        return .any([asText, requirement(.payload(pointer), .equals(value))])
    }

    func header() throws(Failure) -> Condition {
        // The quotes may be around both the name and the value.
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let wanted = wanted ?? (parts.count > 1 ? String(parts[1]) : nil)
        guard let name = parts.first?.lowercased(), !name.isEmpty else {
            throw failure("expected a header, as in header:apns-priority=10")
        }
        guard let wanted else { return Self.requirement(.header(name), .present) }
        return Self.requirement(.header(name), .equals(.string(wanted)))
    }

    func moment(
        _ now: Timestamp, seq: (UInt64) -> Condition, time: (Timestamp) -> Condition
    ) throws(Failure) -> Condition {
        if value.hasPrefix("seq:"), let number = UInt64(digits: String(value.dropFirst(4))) { return seq(number) }
        guard let moment = Self.moment(value, now) else {
            throw failure("invalid time '\(value)': expected seq:1800, -5m or 2026-01-05T10:11:12Z")
        }
        return time(moment)
    }

    /// Reads a comparison with a time.
    func time(_ now: Timestamp) throws(Failure) -> Condition {
        guard let (order, bound) = comparison, let moment = Self.moment(bound, now) else {
            throw failure("invalid time '\(value)': expected time:>-5m or time:<=2026-01-05T10:11:12Z")
        }
        return Self.received(order, moment)
    }

    /// Reads a comparison with the time since a push arrived.
    func age(_ now: Timestamp) throws(Failure) -> Condition {
        let opposite: [Comparison.Operator: Comparison.Operator] = [.gt: .lt, .gte: .lte, .lt: .gt, .lte: .gte]
        guard let (order, bound) = comparison, let time = opposite[order], bound.first != "-",
            let moment = Self.moment("-" + bound, now)
        else { throw failure("invalid age '\(value)': expected age:<5m or age:>=1h") }
        return Self.received(time, moment)
    }

    private static func received(_ order: Comparison.Operator, _ moment: Timestamp) -> Condition {
        let next = Timestamp(microseconds: moment.microseconds &+ (moment.microseconds < .max ? 1 : 0))
        return switch order {
        case .gt: .since(next)
        case .gte: .since(moment)
        case .lte: .until(next)
        default: .until(moment)
        }
    }

    private static func moment(_ text: String, _ now: Timestamp) -> Timestamp? {
        if let moment = Timestamp(rfc3339: text) { return moment }
        guard text.hasPrefix("-"), let ago = DurationText.microseconds(text) else { return nil }
        let (moment, overflow) = now.microseconds.addingReportingOverflow(ago)
        return Timestamp(microseconds: overflow ? .min : moment)
    }

    func given(_ expected: String) throws(Failure) -> String {
        guard !value.isEmpty else { throw failure("expected \(expected) after the colon") }
        return value
    }

    func pick(from table: [(name: String, condition: Condition)]) throws(Failure) -> Condition {
        if let row = table.first(where: { $0.name == value }) { return row.condition }
        throw isNone(of: table.map(\.name))
    }

    private func isNone(of names: [String]) -> Failure {
        let problem = "'\(value)' is none of \(names.joined(separator: ", "))"
        return failure(problem, mended: Suggestion.nearest(to: value, among: names).map { with(\.value, $0) })
    }

    private func with<Value>(_ part: WritableKeyPath<SearchTerm, Value>, _ value: Value) -> SearchTerm {
        var term = self
        term[keyPath: part] = value
        return term
    }

    private func failure(_ problem: String, mended: SearchTerm? = nil) -> Failure {
        Failure(offset: offset, length: length, problem: problem, mended: mended?.text)
    }

    static func field(_ field: PushField, _ comparisons: Comparison...) -> Condition {
        .requirement(Requirement(subject: .field(field), comparisons: comparisons))
    }

    static func requirement(_ subject: Requirement.Subject, _ comparison: Comparison) -> Condition {
        .requirement(Requirement(subject: subject, comparisons: [comparison]))
    }
}
