internal import MockAPNsFormats

/// A device token that asks for an answer: `dead`, four digits of status, two hex digits of variant, then anything.
///
/// `dead0410…` is answered 410 Unregistered and `dead041001…` 410 ExpiredToken. It lets a provider's own test
/// provoke any reason without touching this server, from any language. A variant that no reason of the status has
/// asks for variant 0, the status's own reason; a status that no reason has asks for nothing.
public enum AnswerToken {
    private static let reasons = Reason.allCases.map { (reason: $0, prefix: prefix(of: $0)) }

    /// What a device token must begin with to be answered with `reason`: ten hexadecimal digits.
    public static func prefix(of reason: Reason) -> String {
        let row = reason.row
        return "dead0\(row.status)" + HexDigit.text(of: [row.variant])
    }

    /// The reason that a device token asks for.
    static func reason(asked token: ByteSpan?) -> Reason? {
        guard let token, token.count >= 8, token[0] | 0x20 == UInt8(ascii: "d"),
            token[1] | 0x20 == UInt8(ascii: "e"),
            token[2] | 0x20 == UInt8(ascii: "a"), token[3] | 0x20 == UInt8(ascii: "d")
        else { return nil }
        let asked = token.prefix(min(10, token.count)).text.lowercased()
        let exact = reasons.first { $0.prefix == asked }
        return (exact ?? reasons.first { $0.prefix == asked.prefix(8) + "00" })?.reason
    }
}
