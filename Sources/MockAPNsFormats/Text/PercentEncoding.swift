/// Percent-encoding, as URLs have it (RFC 3986).
package enum PercentEncoding {
    /// The text that was encoded; `nil` for a `%` without two digits, and for bytes that are not UTF-8.
    package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
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
