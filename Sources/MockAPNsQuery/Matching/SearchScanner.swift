/// Splits a search into its terms, operators and parentheses.
struct SearchScanner {
    struct Token {
        enum Kind: Equatable {
            case term(SearchTerm)
            case open
            case close
            case and
            case or
            case not
        }

        let kind: Kind
        let offset: Int
        let length: Int
    }

    /// The operators, which are written in capitals; other spellings are words to look for.
    static let keywords: [String: Token.Kind] = ["AND": .and, "OR": .or, "NOT": .not]

    /// The characters that have not been read; their indices are offsets in the text.
    private var rest: ArraySlice<Character>
    /// The offset of a `!` or `-` directly before the rest.
    private var sign: Int?
    /// The parentheses that are open within the current term, and belong to it.
    private var inner = 0

    init(_ text: String) { rest = Array(text)[...] }

    mutating func next() throws(SearchText.Failure) -> Token? {
        rest = rest.drop(while: \.isWhitespace)
        guard let first = rest.first else { return nil }
        let start = rest.startIndex
        switch first {
        case "(":
            rest.removeFirst()
            sign = nil
            return Token(kind: .open, offset: start, length: 1)
        case ")":
            rest.removeFirst()
            return Token(kind: .close, offset: start, length: 1)
        case "!" where sign == nil, "-" where sign == nil && negatesWithMinus: return try takeSign()
        default: return try takeWord()
        }
    }

    /// Whether a minus is a sign: before a key, a quote or a parenthesis.
    ///
    /// Otherwise it belongs to a word.
    private var negatesWithMinus: Bool {
        let after = rest.dropFirst()
        if after.first == "(" || after.first == "\"" { return true }
        let key = after.prefix { !$0.isWhitespace && $0 != ":" }
        return !key.isEmpty && after.dropFirst(key.count).first == ":"
    }

    private mutating func takeSign() throws(SearchText.Failure) -> Token {
        let start = rest.startIndex
        let mark = rest.removeFirst()
        if rest.first.map({ $0.isWhitespace || $0 == ")" }) ?? true {
            throw SearchText.Failure(offset: start, length: 1, problem: "nothing follows the '\(mark)'")
        }
        sign = start
        return Token(kind: .not, offset: start, length: 1)
    }

    private mutating func takeWord() throws(SearchText.Failure) -> Token {
        let start = sign ?? rest.startIndex
        inner = 0
        var term = SearchTerm(offset: start)
        if rest.first == "\"" {
            term.value = try quoted()
            term.isQuoted = true
        } else {
            term.value = plain(until: ":", endsAtKeyword: sign == nil)
            if take(":") {
                term.key = term.value
                try takeValue(of: &term)
            } else if sign == nil, let kind = Self.keywords[term.value] {
                return Token(kind: kind, offset: start, length: rest.startIndex - start)
            }
        }
        sign = nil
        term.length = rest.startIndex - start
        return Token(kind: .term(term), offset: start, length: term.length)
    }

    private mutating func takeValue(of term: inout SearchTerm) throws(SearchText.Failure) {
        let hasParts = term.row?.hasParts ?? false
        term.isQuoted = rest.first == "\""
        term.value = try value(until: hasParts ? "=" : nil)
        if hasParts, take("=") { term.wanted = try value(until: nil) }
    }

    private mutating func value(until end: Character?) throws(SearchText.Failure) -> String {
        rest.first == "\"" ? try quoted() : plain(until: end)
    }

    private mutating func take(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    /// Takes the characters of a word.
    ///
    /// A parenthesis that is closed within the word is part of it.
    private mutating func plain(until end: Character?, endsAtKeyword: Bool = false) -> String {
        var text = ""
        while let character = rest.first, !character.isWhitespace, character != end {
            if character == "(" {
                if endsAtKeyword, Self.keywords[text] != nil { break }
                inner += 1
            } else if character == ")" {
                if inner == 0 { break }
                inner -= 1
            }
            text.append(character)
            rest.removeFirst()
        }
        return text
    }

    /// Takes quoted text, where a backslash escapes the next character.
    private mutating func quoted() throws(SearchText.Failure) -> String {
        let start = rest.startIndex
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return text
            case "\\": text.append(rest.popFirst() ?? character)
            default: text.append(character)
            }
        }
        let length = rest.startIndex - start
        throw SearchText.Failure(offset: start, length: length, problem: "the quote is not closed")
    }
}
