internal import MockAPNsFormats

/// Why a provider token cannot be parsed.
package enum TokenFlaw: Equatable, Sendable {
    /// The parts of a token, in their order.
    package enum Part: String, CaseIterable, Sendable {
        case header
        case claims
        case signature
    }

    case tooLong(Int)
    /// The content of a key file, instead of a token signed with it.
    case keyContent
    case keyPath
    /// `bearer` twice.
    case repeatedScheme
    /// In quotes, brackets or the like.
    case quoted
    /// What is written in place of a missing value, such as `null`.
    case placeholder(String)
    /// A token of Google's services, such as FCM.
    case google
    case parts(Int)
    case character(Part, Character)
    /// A part has the padding of Base64, where this server is told to require URL-safe Base64.
    case padded(Part)
    /// The part's length is impossible, because some of it is missing.
    case cut(Part)
    case notJSON(Part)

    /// Examines a token that cannot be parsed, or is not Base64URL where that is required.
    ///
    /// Its signature may be removed except for dots, padding and the first `+` or `/`.
    package init(_ token: String, requiresURL: Bool = true) {
        let inner = Wrapping.inside(token)
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if token.contains("-----BEGIN") || token.contains("PRIVATE KEY") || token.hasPrefix("MIG") {
            self = .keyContent
        } else if token.hasSuffix(".p8") || token.hasSuffix(".pem") {
            self = .keyPath
        } else if token.lowercased().hasPrefix("bearer") {
            self = .repeatedScheme
        } else if Placeholder.isOne(token) {
            self = .placeholder(token)
        } else if inner != token, inner.contains(".") {
            self = .quoted
        } else if token.hasPrefix("ya29.") || token.contains(":APA91") {
            self = .google
        } else if token.utf8.count > ProviderToken.maximumSize {
            self = .tooLong(token.utf8.count)
        } else if parts.count != 3 {
            self = .parts(parts.count)
        } else {
            let found = zip(Part.allCases, parts).prefix(2).lazy.compactMap(Self.flaw).first
            let other = requiresURL ? parts[2].first { $0 == "+" || $0 == "/" } : nil
            let isPadded = parts[2].contains("=")
            self =
                found ?? (isPadded ? .padded(.signature) : other.map { .character(.signature, $0) } ?? .cut(.signature))
        }
    }

    private static func flaw(in part: Part, _ text: String) -> TokenFlaw? {
        if let json = Base64URL.decode(text) { return ProviderToken.members(json) == nil ? .notJSON(part) : nil }
        let end = text.drop { $0 != "=" }
        if !end.isEmpty, end.allSatisfy({ $0 == "=" }), Base64URL.decodeAny(text) != nil { return .padded(part) }
        let wrong = text.first { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        return wrong.map { .character(part, $0) } ?? .cut(part)
    }
}

extension Base64URL {
    fileprivate static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8(decode)
    }
}
