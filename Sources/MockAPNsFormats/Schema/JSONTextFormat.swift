/// A value of the keyword `format`.
package enum JSONTextFormat: String, CaseIterable, Sendable {
    /// RFC 3339, as JSON Schema defines it.
    case dateTime = "date-time"
    /// RFC 3986, with a scheme.
    case uri

    /// What a text has to be, for messages.
    package var expected: String {
        switch self {
        case .dateTime: "a date and time such as 2030-01-31T09:30:00Z"
        case .uri: "a URI such as https://example.com/orders/1"
        }
    }

    /// Whether a text has the format.
    package func fits(_ text: String) -> Bool {
        switch self {
        case .dateTime: Self.isDateTime(text)
        case .uri: Self.isURI(Array(text.utf8))
        }
    }

    private static func isDateTime(_ text: String) -> Bool {
        var bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[10] | 0x20 == UInt8(ascii: "t") else { return false }
        guard bytes[17..<19].elementsEqual("60".utf8) else { return RFC3339.microseconds(text) != nil }
        // A leap second is the second after 23:59:59 in UTC.
        bytes.replaceSubrange(17..<19, with: "59".utf8)
        guard let time = RFC3339.microseconds(String(decoding: bytes, as: UTF8.self)) else { return false }
        let day: Int64 = 86_400
        let second = (time - RFC3339.writable.lowerBound) / 1_000_000 % day
        return second == day - 1
    }

    private static func isURI(_ bytes: [UInt8]) -> Bool {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, isLetter(bytes[0]),
            bytes[..<colon].allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) })
        else { return false }
        var rest = bytes[(colon + 1)...]
        if rest.starts(with: "//".utf8) {
            let end = rest.dropFirst(2).firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
            guard isAuthority(rest[rest.startIndex.advanced(by: 2)..<end]) else { return false }
            rest = rest[end...]
        }
        let parts = rest.split(separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.allSatisfy { isMade($0, of: ":@/?") }
    }

    private static func isAuthority(_ bytes: ArraySlice<UInt8>) -> Bool {
        let at = bytes.lastIndex(of: UInt8(ascii: "@"))
        if let at, !isMade(bytes[..<at], of: ":") { return false }
        var host = bytes[(at.map { $0 + 1 } ?? bytes.startIndex)...]
        var port: ArraySlice<UInt8> = []
        if host.first == UInt8(ascii: "[") {
            guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let after = host[(end + 1)...]
            guard after.isEmpty || after.first == UInt8(ascii: ":") else { return false }
            port = after.dropFirst()
            let literal = host[(host.startIndex + 1)..<end]
            guard !literal.isEmpty, isMade(literal, of: ":") else { return false }
        } else {
            if let colon = host.lastIndex(of: UInt8(ascii: ":")) {
                port = host[(colon + 1)...]
                host = host[..<colon]
            }
            guard isMade(host, of: "") else { return false }
        }
        return port.allSatisfy(isDigit)
    }

    /// Whether bytes are unreserved characters and sub-delimiters, escapes with `%`, or some others.
    private static func isMade(_ bytes: ArraySlice<UInt8>, of others: String) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.count >= 2, rest.prefix(2).allSatisfy({ HexDigit.value($0) != nil }) else { return false }
                rest = rest.dropFirst(2)
            } else {
                guard
                    isLetter(byte) || isDigit(byte) || "-._~!$&'()*+,;=".utf8.contains(byte)
                        || others.utf8.contains(byte)
                else { return false }
            }
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
