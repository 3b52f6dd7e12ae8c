package import MockAPNsFormats

/// The readable parts of a provider token, even of one that is refused.
package struct TokenParts: Sendable {
    package let header: [String: JSONValue]
    package let claims: [String: JSONValue]

    /// Decodes the token of an `authorization` value; `nil` if its first two parts are not JSON objects.
    package init?(authorization: String) {
        let token = authorization.split(separator: " ").last ?? ""
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, let header = Self.object(parts[0]), let claims = Self.object(parts[1]) else {
            return nil
        }
        (self.header, self.claims) = (header, claims)
    }

    /// Both parts as JSON, as they follow each other in the token.
    package var text: String {
        [header, claims].map { String(decoding: JSONValue.object($0).text, as: UTF8.self) }.joined(separator: ".")
    }

    private static func object(_ part: Substring) -> [String: JSONValue]? {
        Base64URL.decodeAny(part).flatMap(ProviderToken.members)
    }
}

extension Base64URL {
    /// Decodes text in either alphabet of Base64, with or without padding.
    static func decodeAny(_ text: some StringProtocol) -> [UInt8]? {
        let url = text.utf8.filter { $0 != UInt8(ascii: "=") }.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return url.withUnsafeBufferPointer(decode)
    }
}
