@testable import MockAPNs
@testable import MockAPNsCrypto
@testable import MockAPNsFormats
@testable import MockAPNsInspector
@testable import MockAPNsRules

/// Provider tokens: taking them apart, and verifying them.
///
/// An input that begins with `r` is the text of a token. Any other input is a line with the header, a line with the
/// claims and the bytes of a signature, encoded here, so that the fuzzer need not learn base64. One that begins with
/// `s` gets a good signature.
enum TokenFuzz {
    static func run(_ bytes: [UInt8]) throws {
        guard let mode = bytes.first else { return }
        let rest = bytes.dropFirst()
        if mode == UInt8(ascii: "r") {
            try checkText(Array(rest))
            return
        }
        let parts = rest.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        let header = parts.first.map(Array.init) ?? []
        let claims = parts.count > 1 ? Array(parts[1]) : []
        var signature = parts.count > 2 ? Array(parts[2]) : []
        let signed = Array("\(encode(header)).\(encode(claims))".utf8)
        let isSigned = mode == UInt8(ascii: "s")
        if isSigned { signature = try signed.withUnsafeBytes { try FuzzWorld.signingKey.signature(of: $0) } }
        let text = signed + Array(".\(encode(signature))".utf8)
        try checkText(text)
        try checkAgainstModel(text, header: header, claims: claims, signature: signature)
        try checkVerification(text, isSigned: isSigned)
    }

    private static func encode(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes) }

    // MARK: Properties

    /// What is true of any token that can be taken apart.
    private static func checkText(_ text: [UInt8]) throws {
        try text.withSpan { span in
            guard case .success(let token) = ProviderToken.parse(span) else { return }
            try require(!token.keyID.isEmpty && !token.teamID.isEmpty, "a token without kid or iss")
            try require(token.issuedAt >= 0 && token.issuedAt.isFinite, "iat is \(token.issuedAt)")
            try require(
                token.signedLength < text.count && text[token.signedLength] == UInt8(ascii: "."),
                "the signed part does not end before a dot")
            // The other forms of Base64 that are accepted have several texts for the same bytes.
            guard token.isBase64URL else { return }
            let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            try require(parts.count == 3, "\(parts.count) parts")
            for part in parts {
                guard let decoded = part.withUnsafeBufferPointer({ Base64URL.decode($0) }) else {
                    throw Finding(description: "a part that is not base64url")
                }
                try require(Array(encode(decoded).utf8) == Array(part), "a part with two encodings")
            }
        }
        // Behind the scheme, in any letter case and with any number of spaces, the same token is found.
        for scheme in ["bearer ", "Bearer  "] {
            try (Array(scheme.utf8) + text).withSpan { span in
                let found = ProviderToken.bearer(span).map { Array($0.bytes) }
                let expected = Array(text.drop { $0 == UInt8(ascii: " ") })
                try require(found ?? [] == expected, "the token in '\(scheme)…' is another one")
            }
        }
    }

    /// What is said of a token follows from the JSON of its parts.
    private static func checkAgainstModel(_ text: [UInt8], header: [UInt8], claims: [UInt8], signature: [UInt8]) throws
    {
        let found = text.withSpan { ProviderToken.parse($0) }
        let deepest = RuleOptions.deepestJSON
        let headerJSON = JSONParser.value(of: header, maximumDepth: deepest)
        let claimsJSON = JSONParser.value(of: claims, maximumDepth: deepest)
        var expected = TokenVerification.verified
        if text.count > ProviderToken.maximumSize || !isObject(headerJSON) || !isObject(claimsJSON) {
            expected = .malformed
        } else if self.text(headerJSON?["alg"]).flatMap(ProviderToken.Algorithm.init) == nil {
            expected = .wrongAlgorithm
        } else if self.text(headerJSON?["kid"]) == nil {
            expected = .missingKeyID
        } else if self.text(claimsJSON?["iss"]) == nil {
            expected = .missingIssuer
        } else if !isTime(claimsJSON?["iat"]) {
            expected = .badIssuedAt
        }
        switch found {
        case .success(let token):
            try require(expected == .verified, "taken apart, and \(expected) was expected")
            try require(token.keyID == self.text(headerJSON?["kid"]), "another kid")
            try require(token.teamID == self.text(claimsJSON?["iss"]), "another iss")
            try require(token.subject == self.text(claimsJSON?["sub"]), "another sub")
            try require(token.signature == signature, "another signature")
        case .failure(let refusal):
            try require(refusal.verification == expected, "\(refusal.verification), and not \(expected)")
        }
    }

    /// Only a good signature of the key that is named verifies.
    private static func checkVerification(_ text: [UInt8], isSigned: Bool) throws {
        let worker = FuzzWorld.worker(of: world)
        let credential = text.withSpan { worker.credential(for: $0) }
        let again = text.withSpan { worker.credential(for: $0) }
        try require(again.verification == credential.verification, "the cached answer is another one")
        guard case .success(let token) = text.withSpan({ ProviderToken.parse($0) }) else {
            try require(credential.verification != .verified, "verified, and cannot be taken apart")
            return
        }
        let expected: TokenVerification =
            if token.keyID != FuzzWorld.keyID { .unknownKey } else if !isSigned || token.algorithm != .es256 {
                .badSignature
            } else { token.teamID == FuzzWorld.teamID ? .verified : .wrongTeam }
        try require(credential.verification == expected, "\(credential.verification), and not \(expected)")
    }

    /// Never changed: tokens are verified here and not recorded.
    private static let world = FuzzWorld.make()

    // MARK: Reading JSON

    private static func isObject(_ value: JSONValue?) -> Bool { if case .object? = value { true } else { false } }

    private static func text(_ value: JSONValue?) -> String? {
        guard case .string(let text)? = value, !text.isEmpty else { return nil }
        return text
    }

    private static func isTime(_ value: JSONValue?) -> Bool {
        switch value {
        case .integer(let number)?: number >= 0
        case .unsigned?: true
        case .literal(let number)?: Double(number).map { $0 >= 0 } ?? false
        case .string(let text)?:
            !text.isEmpty && text.utf8.count <= 19 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        default: false
        }
    }
}
