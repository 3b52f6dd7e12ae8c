internal import MockAPNsFormats

/// What only the text of a payload tells, because a parser has made a choice about it.
package enum PayloadText {
    /// Returns the names that an object has twice, in the payload itself, in `aps` and in the objects in it.
    package static func repeatedNames(in body: ByteSpan) -> [[String]] {
        var seen: Set<[String]> = []
        var repeated: [[String]] = []
        MemberNames.visit(body) { depth, holders, name in
            guard depth == 1 || depth <= 3 && holders.0.equals("aps") else { return }
            let way = [holders.0, holders.1].prefix(depth - 1).map(\.text) + [name.text]
            if !seen.insert(way).inserted, !repeated.contains(way) { repeated.append(way) }
        }
        return repeated
    }

    /// Whether a string has half of a surrogate pair as an escape, such as `\ud83d` without the other half.
    package static func hasLoneSurrogate(in body: ByteSpan) -> Bool {
        var at = 0
        while let next = body.dropFirst(at).firstIndex(of: UInt8(ascii: "\\")) {
            at += next
            guard let unit = codeUnit(of: body, at: at) else {
                at = min(at + 2, body.count)
                continue
            }
            at += 6
            if UTF16.isTrailSurrogate(unit) { return true }
            guard UTF16.isLeadSurrogate(unit) else { continue }
            guard let trail = codeUnit(of: body, at: at), UTF16.isTrailSurrogate(trail) else { return true }
            at += 6
        }
        return false
    }

    /// The code unit of an escape at an offset.
    private static func codeUnit(of body: ByteSpan, at: Int) -> UInt16? {
        guard at + 6 <= body.count, body[at] == UInt8(ascii: "\\"), body[at + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt16 = 0
        for offset in 2..<6 {
            guard let digit = HexDigit.value(body[at + offset]) else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
