/// Percent-encoding in URLs (RFC 3986).
public enum PercentEncoding {
    /// Decodes a text.
    ///
    /// Returns `nil` for a `%` without two hexadecimal digits, or if the result is not UTF-8.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap({ HexDigit.value($0) }),
                    let low = rest.popFirst().flatMap({ HexDigit.value($0) })
                else { return nil }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(0x20)
            default: decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }
}
