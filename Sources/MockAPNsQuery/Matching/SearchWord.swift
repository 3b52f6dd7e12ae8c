internal import MockAPNsFormats
internal import MockAPNsRules

/// A key of the search language.
///
/// To add one, add a row to `others`, or a field to `PushField`.
package struct SearchWord: Sendable {
    /// The spellings; the first is the one that is shown.
    package let names: [String]
    /// What the key matches, as a phrase, with examples of comparisons.
    package let meaning: String
    /// The field whose value is compared; `nil` for a key with a meaning of its own.
    package private(set) var field: PushField?
    /// The values that a push has, for completion; `nil` for a key that no such values belong to.
    package private(set) var values: (@Sendable (Candidate) -> [String])?
    /// What a value can be or begin with, for completion; empty if those of the pushes say it.
    package private(set) var choices: [String] = []
    /// Whether there are no values besides the `choices`, or the values of the pushes.
    package private(set) var isClosed = false
    /// Whether the value consists of two parts with a `=` between them.
    private(set) var hasParts = false
    let read: @Sendable (SearchTerm, Timestamp) throws(SearchText.Failure) -> Condition

    package static let all: [SearchWord] = PushField.allCases.map(SearchWord.init) + others

    private static let others: [SearchWord] = [
        SearchWord("is", "outcome, delivery, fault, verification or pin", choices: states.map(\.name), isClosed: true) {
            (term, _) throws(SearchText.Failure) in try term.pick(from: states)
        },
        SearchWord("has", "parts of the push", choices: members.map(\.name), isClosed: true) {
            (term, _) throws(SearchText.Failure) in try term.pick(from: members)
        },
        SearchWord("lint", "warning ID", values: lints, isClosed: true) { (term, _) throws(SearchText.Failure) in
            try term.pick(from: Lint.allCases.map { ($0.rawValue, .lint([$0])) })
        },
        SearchWord("payload", "JSON Pointer and value: payload:/aps/badge=3", hasParts: true, choices: ["/aps/"]) {
            (term, _) throws(SearchText.Failure) in try term.payload()
        },
        SearchWord("header", "header: header:apns-priority=10", hasParts: true, values: headers) {
            (term, _) throws(SearchText.Failure) in try term.header()
        },
        SearchWord("after", "later than: after:-5m, after:seq:1800", choices: ["-5m", "-1h", "seq:"]) {
            (term, now) throws(SearchText.Failure) in try term.moment(now, seq: Condition.after, time: Condition.since)
        },
        SearchWord("before", "earlier than", choices: ["-5m", "-1h", "seq:"]) {
            (term, now) throws(SearchText.Failure) in try term.moment(now, seq: Condition.before, time: Condition.until)
        },
        SearchWord("time", "when it arrived: time:>2026-01-05T10:11:12Z", choices: [">", "<"]) {
            (term, now) throws(SearchText.Failure) in try term.time(now)
        },
        SearchWord("age", "time since it arrived: age:<5m", choices: ["<5m", "<1h", ">1h"]) {
            (term, now) throws(SearchText.Failure) in try term.age(now)
        },
        SearchWord("text", "same as a word without a key") { (term, _) throws(SearchText.Failure) in
            .text(FreeText(try term.given("a text")))
        },
    ]

    /// The values of `is:`.
    package static let states: [(name: String, condition: Condition)] = [
        ("accepted", SearchTerm.field(.outcome, .equals("accepted"))),
        ("rejected", SearchTerm.field(.outcome, .equals("rejected"))),
        ("delivered", SearchTerm.field(.delivery, .startsWith("delivered"))),
        ("stored", SearchTerm.field(.delivery, .startsWith("stored"))),
        ("discarded", SearchTerm.field(.delivery, .startsWith("discarded"))),
        ("ignored", SearchTerm.field(.ignored, .present)), ("linted", .lint(Lint.all)), ("faulted", .faulted),
        ("verified", .verified), ("unverified", .not(.verified)), ("pinned", .pinned), ("forwarded", .forwarded),
        ("differing", .differing),
    ]

    /// The values of `has:`.
    package static let members: [(name: String, condition: Condition)] = [
        ("alert", payload("/aps/alert")), ("title", SearchTerm.field(.title, .present)),
        ("body", SearchTerm.field(.body, .present)), ("badge", payload("/aps/badge")), ("sound", payload("/aps/sound")),
        ("category", payload("/aps/category")), ("thread", payload("/aps/thread-id")),
        ("collapse", SearchTerm.field(.collapseId, .present)), ("expiration", SearchTerm.field(.expiration, .present)),
        ("device", SearchTerm.field(.device, .present)), ("lint", .lint(Lint.all)), ("warning", .lint(Lint.notable)),
        ("payload", payload("")), ("reason", SearchTerm.field(.reason, .present)),
    ]

    private static let byName: [String: SearchWord] = Dictionary(
        all.flatMap { row in row.names.map { ($0.lowercased(), row) } }, uniquingKeysWith: { first, _ in first })

    /// Returns the row for a key, whose letter case is ignored.
    package static func named(_ key: String) -> SearchWord? { byName[key.lowercased()] }

    private init(
        _ name: String, _ meaning: String, hasParts: Bool = false, values: (@Sendable (Candidate) -> [String])? = nil,
        choices: [String] = [], isClosed: Bool = false,
        read: @escaping @Sendable (SearchTerm, Timestamp) throws(SearchText.Failure) -> Condition
    ) {
        names = [name]
        self.meaning = meaning
        self.choices = choices
        self.isClosed = isClosed
        self.hasParts = hasParts
        self.values = values
        self.read = read
    }

    private init(_ field: PushField) {
        names = field.words
        meaning = field.row.meaning
        self.field = field
        choices = field.row.search.hasComparisons ? [">", "<"] : []
        isClosed = !field.row.values.isEmpty && field != .pushType
        values = { push in
            let value = field.row.value(push)
            return field.row.search == .entry
                ? value?.split(separator: " ").map(String.init) ?? [] : value.map { [$0] } ?? []
        }
        read = { (term, _) throws(SearchText.Failure) in try term.condition(on: field) }
    }

    private static let lints: @Sendable (Candidate) -> [String] = { push in
        push.budget.take(StepBudget.lint) ? push.lints.map(\.id) : []
    }

    private static let headers: @Sendable (Candidate) -> [String] = { push in
        push.request.fields.filter { !$0.name.isPseudoHeader }.map { push.request.name(of: $0).text }
    }

    private static func payload(_ pointer: String) -> Condition {
        JSONPointer(pointer).map { SearchTerm.requirement(.payload($0), .present) } ?? .all([])
    }
}
