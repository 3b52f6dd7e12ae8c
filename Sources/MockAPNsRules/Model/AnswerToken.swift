internal import MockAPNsFormats

/// A device token that requests a response: `dead`, four digits of status, two hex digits of variant, then
/// anything.
///
/// `dead0410…` gets 410 Unregistered and `dead041001…` gets 410 ExpiredToken. A provider's own test, in any
/// language, can thus provoke any reason without configuring this server. An unknown variant selects variant
/// 0, the default reason of the status. An unknown status requests nothing.
public enum AnswerToken {
    private static let reasons = Reason.allCases.map { (reason: $0, prefix: prefix(of: $0)) }

    /// The ten hexadecimal digits with which a device token must begin to get `reason`.
    public static func prefix(of reason: Reason) -> String {
        "dead0\(reason.status)" + HexDigit.text(of: [reason.variant])
    }

    /// The reason that a device token requests.
    static func reason(asked token: ByteSpan?) -> Reason? {
        guard let token, token.count >= 8, token[0] | 0x20 == UInt8(ascii: "d"), token[1] | 0x20 == UInt8(ascii: "e"),
            token[2] | 0x20 == UInt8(ascii: "a"), token[3] | 0x20 == UInt8(ascii: "d")
        else { return nil }
        let asked = token.prefix(min(10, token.count)).text.lowercased()
        let exact = reasons.first { $0.prefix == asked }
        return (exact ?? reasons.first { $0.prefix == asked.prefix(8) + "00" })?.reason
    }
}
