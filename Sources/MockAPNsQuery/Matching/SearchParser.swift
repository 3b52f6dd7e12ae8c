internal import MockAPNsRules

/// Parses a search: `NOT` before `AND`, also between adjacent terms, before `OR`.
struct SearchParser {
    private typealias Token = SearchScanner.Token

    /// How deep parentheses may be nested.
    static let deepest = 50

    private var scanner: SearchScanner
    private var token: Token?
    private let now: Timestamp
    private var depth = 0

    init(_ text: String, now: Timestamp) throws(SearchText.Failure) {
        scanner = SearchScanner(text)
        self.now = now
        token = try scanner.next()
    }

    mutating func search() throws(SearchText.Failure) -> SearchExpression {
        // An empty search matches every push.
        guard token != nil else { return .all([]) }
        let search = try alternatives()
        if let token { throw missing(before: token) }
        return search
    }

    private mutating func alternatives() throws(SearchText.Failure) -> SearchExpression {
        var parts = [try terms(after: nil)]
        while let or = token, or.kind == .or {
            try advance()
            parts.append(try terms(after: or))
        }
        return .any(of: parts)
    }

    /// Parses terms that must all match, after the operator `before`.
    private mutating func terms(after before: Token?) throws(SearchText.Failure) -> SearchExpression {
        var parts = [try operand(after: before)]
        while let next = token, next.kind != .or, next.kind != .close {
            if next.kind == .and { try advance() }
            parts.append(try operand(after: next.kind == .and ? next : nil))
        }
        return .all(of: parts)
    }

    private mutating func operand(after before: Token?) throws(SearchText.Failure) -> SearchExpression {
        var before = before
        var isNegated = false
        while let not = token, not.kind == .not {
            try advance()
            isNegated.toggle()
            before = not
        }
        guard let next = token else { throw missing(after: before) }
        var operand: SearchExpression
        switch next.kind {
        case .term(let term):
            try advance()
            operand = .term(term, try term.condition(now: now))
        case .open: operand = try group(next)
        case .close, .and, .or, .not: throw before.map { missing(after: $0) } ?? missing(before: next)
        }
        if isNegated { operand = .not(operand) }
        return operand
    }

    private mutating func group(_ open: Token) throws(SearchText.Failure) -> SearchExpression {
        try advance()
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else {
            throw failure(open, "parentheses are nested more than \(Self.deepest) deep")
        }
        if let close = token, close.kind == .close {
            let length = close.offset + 1 - open.offset
            throw SearchText.Failure(offset: open.offset, length: length, problem: "the parentheses are empty")
        }
        let notClosed = failure(open, "this '(' is not closed; quote a text that contains it")
        guard token != nil else { throw notClosed }
        let group = try alternatives()
        guard token != nil else { throw notClosed }
        try advance()
        return group
    }

    private mutating func advance() throws(SearchText.Failure) { token = try scanner.next() }

    private func missing(after token: Token?) -> SearchText.Failure {
        guard let token else { return SearchText.Failure(offset: 0, length: 1, problem: "a term is missing") }
        return failure(token, "expected a term after \(name(token)); to search for it as text, put it in quotes")
    }

    private func missing(before token: Token) -> SearchText.Failure {
        if token.kind == .close { return failure(token, "there is no '(' for this ')'; quote a text that contains it") }
        return failure(token, "expected a term before \(name(token)); to search for it as text, put it in quotes")
    }

    private func name(_ token: Token) -> String {
        SearchScanner.keywords.first { $0.value == token.kind }?.key ?? "this"
    }

    private func failure(_ token: Token, _ problem: String) -> SearchText.Failure {
        SearchText.Failure(offset: token.offset, length: token.length, problem: problem)
    }
}
