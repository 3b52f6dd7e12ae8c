internal import MockAPNsFormats

/// What only the text of a payload tells, because a parser has made a choice about it.
package enum PayloadText {
    /// Returns the ways to the names that an object has more than once, at any depth; the payload has to be JSON.
    package static func repeatedNames(in body: ByteSpan) -> [[String]] {
        let text = Array(body.bytes)
        let isClean = (try? JSONParser.parse(text, repeatedNames: .refused)) != nil
        return isClean ? [] : repeatedNames(in: text[...], at: [])
    }

    private static func repeatedNames(in text: ArraySlice<UInt8>, at way: [String]) -> [[String]] {
        let isObject = text.first { $0 > 0x20 } == UInt8(ascii: "{")
        var seen: Set<String> = []
        var repeated: [[String]] = []
        for (position, part) in JSONParser.parts(of: text).enumerated() {
            let inner = way + [isObject ? part.name : "\(position)"]
            if isObject, !seen.insert(part.name).inserted, !repeated.contains(inner) { repeated.append(inner) }
            repeated += repeatedNames(in: part.text, at: inner)
        }
        return repeated
    }

    /// Returns the ways to the texts that have half of a surrogate pair as an escape, such as `\ud83d` without the other
    /// half; an empty way if only a name has one.
    package static func loneSurrogates(in body: ByteSpan) -> [[String]] {
        let offsets = loneSurrogateOffsets(in: body)
        guard !offsets.isEmpty else { return [] }
        // A parser puts U+FFFD in their places, which the payload may have elsewhere: a mark that it has nowhere tells.
        let text = body.text.lowercased()
        let scalars = text.unicodeScalars
        let mark = (0xfdd0...0xfdef).lazy.compactMap(Unicode.Scalar.init).first { mark in
            !text.contains(String(mark.value, radix: 16)) && !scalars.contains(mark)
        }
        guard let mark else { return [[]] }
        var marked = Array(body.bytes)
        for offset in offsets {
            marked.replaceSubrange(offset + 2..<offset + 6, with: String(mark.value, radix: 16).utf8)
        }
        let ways = JSONParser.value(of: marked).map { payload in
            PayloadProblem.ways(in: payload) { $0.string?.unicodeScalars.contains(mark) == true }
        }
        return ways.flatMap { $0.isEmpty ? nil : $0 } ?? [[]]
    }

    private static func loneSurrogateOffsets(in body: ByteSpan) -> [Int] {
        var offsets: [Int] = []
        var at = 0
        while let next = body.dropFirst(at).firstIndex(of: UInt8(ascii: "\\")) {
            at += next
            guard let unit = codeUnit(of: body, at: at) else {
                at = min(at + 2, body.count)
                continue
            }
            at += 6
            if UTF16.isTrailSurrogate(unit) { offsets.append(at - 6) }
            guard UTF16.isLeadSurrogate(unit) else { continue }
            if let trail = codeUnit(of: body, at: at), UTF16.isTrailSurrogate(trail) {
                at += 6
            } else {
                offsets.append(at - 6)
            }
        }
        return offsets
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
