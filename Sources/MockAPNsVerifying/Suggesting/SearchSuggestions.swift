internal import MockAPNsFormats
package import MockAPNsQuery
package import MockAPNsRules
package import MockAPNsWorld

/// A search that finds pushes, for one that finds none.
package struct SearchSuggestion: Sendable, Equatable {
    package let text: String
    package let count: Int
}

/// Finds what was probably meant by a search without matches.
private struct SearchSuggester {
    /// The fields whose values a term may have meant.
    private static let fields: [PushField] = [
        .reason, .topic, .device, .pushType, .status, .delivery, .collapseId, .token, .channel, .connection, .keyId,
        .teamId, .certificate, .environment,
    ]
    /// Searches that are tried.
    static let most = 12
    /// Terms that are examined; each is looked for in every push.
    private static let mostTerms = 6
    /// Values of a field, the most frequent ones, that a term is compared with.
    private static let mostValues = 1_000

    let search: SearchText
    let now: Timestamp
    private(set) var values: [PushField: FieldValues] = [:]
    /// For each term, whether a push matches it by itself.
    private var isMatched: [Bool]
    private let terms: [SearchTerm]
    private let conditions: [Condition]

    init(_ search: SearchText, _ now: Timestamp) {
        self.search = search
        self.now = now
        terms = Array(search.expression.terms.prefix(Self.mostTerms))
        conditions = terms.map { (try? $0.condition(now: now)) ?? .all([]) }
        isMatched = terms.map { _ in false }
    }

    /// Learns what there is from one push.
    mutating func note(_ push: Candidate) {
        for field in Self.fields { values[field, default: FieldValues()].note(field.row.value(push)) }
        for position in terms.indices where !isMatched[position] {
            isMatched[position] = conditions[position].holds(for: push)
        }
    }

    /// The searches to try, the likeliest first; `pause` lets others have the thread.
    func candidates(pause: () async throws(SearchFailure) -> Void) async throws(SearchFailure) -> [SearchText] {
        let corrected = try await corrected(pause: pause)
        let texts = operatorsInCapitals + corrected + (terms.count > 1 ? shortened : [])
        var known: Set<String> = [search.text, search.expression.text]
        return texts.filter { known.insert($0).inserted }.prefix(Self.most).compactMap { try? SearchText($0, now: now) }
    }

    /// The search with `and`, `or` and `not` as operators.
    private var operatorsInCapitals: [String] {
        var characters = Array(search.text)
        let words = search.expression.terms.filter { term in
            term.key == nil && term.length == term.value.count
                && ["AND", "OR", "NOT"].contains(term.value.uppercased())
        }
        for word in words {
            characters.replaceSubrange(word.offset..<word.offset + word.length, with: word.value.uppercased())
        }
        return words.isEmpty ? [] : [String(characters)]
    }

    /// The search with another term instead of one that no push matches.
    private func corrected(pause: () async throws(SearchFailure) -> Void) async throws(SearchFailure) -> [String] {
        let known = values.mapValues { $0.most(Self.mostValues, prefix: "").map(\.value) }
        var found: [String] = []
        for position in terms.indices where !isMatched[position] && found.count < Self.most {
            for term in try await alternatives(to: terms[position], among: known, pause: pause) {
                guard let text = search.expression.replacing(position, by: term, now: now)?.text else { continue }
                found.append(text)
            }
        }
        return found
    }

    /// The search without one of its terms.
    private var shortened: [String] {
        // A term that no push matches is the one to leave out.
        let positions = terms.indices.filter { !isMatched[$0] } + terms.indices.filter { isMatched[$0] }
        return positions.compactMap { search.expression.replacing($0, by: nil, now: now)?.text }
    }

    private func alternatives(
        to term: SearchTerm, among known: [PushField: [String]], pause: () async throws(SearchFailure) -> Void
    ) async throws(SearchFailure) -> [SearchTerm] {
        let field = term.key.flatMap(SearchWord.named)?.field
        if term.key != nil, field == nil { return [] }
        let word = term.value
        var found: [SearchTerm] = []
        // A comparison without its colon: size>4000.
        if term.key == nil, let sign = word.firstIndex(where: { "<>".contains($0) }) {
            found.append(SearchTerm(comparing: String(word[..<sign]), String(word[sign...])))
        }
        if term.key == nil {
            let states = SearchWord.states.map(\.name)
            found += similar(to: word, among: states).map { SearchTerm("is", $0) }
        }
        // The field of the term first, then the others.
        let fields = Self.fields.filter { $0 == field } + Self.fields.filter { $0 != field }
        for other in fields {
            try await pause()
            // The same text may be one of the rarer values, such as a device token.
            let isValue = values[other]?.counts[word] != nil
            let meant = isValue ? [word] : similar(to: word, among: known[other] ?? [])
            found += meant.map { SearchTerm(other.words[0], $0) }
        }
        found += similar(to: word, among: Lint.allCases.map(\.id)).map { SearchTerm("lint", $0) }
        // A text of another field, or with other letter case.
        if term.key != nil { found.append(SearchTerm(text: word)) }
        return found
    }

    /// Returns the values that a word names, spells nearly, or begins: three at most, the most frequent first.
    private func similar(to word: String, among values: [String]) -> [String] {
        let lowered = word.lowercased()
        if let same = values.first(where: { $0.lowercased() == lowered }) { return [same] }
        // Another number is another thing, not a misspelling.
        guard lowered.count > 2, !lowered.allSatisfy(\.isNumber) else { return [] }
        let nearest = Suggestion.nearest(to: word, among: values)
        let parts = values.lazy.filter { $0.lowercased().contains(lowered) && $0 != nearest }
        return [nearest].compactMap(\.self) + parts.prefix(2)
    }
}

extension Scan {
    /// Returns up to three searches that find pushes, for a search that finds none among those of `query`.
    package func suggestions(
        for search: SearchText, _ journal: Journal, _ query: PushQuery, in context: PushContext, now: Timestamp
    ) async throws(SearchFailure) -> [SearchSuggestion] {
        repeats()
        var suggester = SearchSuggester(search, now)
        do throws(SearchFailure) {
            try await visit(journal, query) { request, outline, _ in
                suggester.note(Candidate(request, outline, in: context, budget))
            }
            let candidates = try await suggester.candidates(pause: pause)
            let conditions = candidates.map(\.condition)
            var counts = candidates.map { _ in 0 }
            repeats()
            try await visit(journal, query) { request, outline, _ in
                let push = Candidate(request, outline, in: context, budget)
                for position in conditions.indices where conditions[position].holds(for: push) { counts[position] += 1 }
            }
            let found = zip(candidates, counts).filter { $1 > 0 }.map { SearchSuggestion(text: $0.text, count: $1) }
            return Array(found.prefix(3))
        } catch {
            // The search itself has its answer.
            if case .tooMuchWork = error { return [] }
            throw error
        }
    }
}
