internal import MockAPNsFormats
package import MockAPNsWorld

/// Header fields as text: a line `name: value` for each.
///
/// Bytes that are not printable ASCII are written as `\x` and two digits, and so are backslashes and, in names, spaces and all
/// but a first colon. So every field can be read back exactly.
package enum HeaderText {
    /// Returns the text, which is ASCII.
    package static func text(of headers: [LoggedPush.Header]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(headers.reduce(0) { $0 + $1.name.count + $1.value.count + 3 })
        for header in headers {
            // A first colon marks a pseudo-header field.
            let mark = header.name.first == UInt8(ascii: ":") ? 1 : 0
            text += header.name.prefix(mark)
            append(header.name.dropFirst(mark), isName: true, to: &text)
            text += ": ".utf8
            append(header.value[...], isName: false, to: &text)
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    private static func append(_ bytes: ArraySlice<UInt8>, isName: Bool, to text: inout [UInt8]) {
        func isPlain(_ byte: UInt8) -> Bool {
            byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "\\")
                && !(isName && (byte == UInt8(ascii: " ") || byte == UInt8(ascii: ":")))
        }
        guard !bytes.allSatisfy(isPlain) else {
            text += bytes
            return
        }
        for byte in bytes {
            if isPlain(byte) {
                text.append(byte)
            } else {
                text += #"\x"#.utf8
                text += HexDigit.text(of: CollectionOfOne(byte)).utf8
            }
        }
    }

    /// Reads header fields; `nil` if they are not as `text(of:)` writes them.
    package static func headers(of text: [UInt8]) -> [LoggedPush.Header]? {
        var headers: [LoggedPush.Header] = []
        var rest = text[...]
        while !rest.isEmpty {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            // The first byte may be the colon of a pseudo-header field; an empty name has the separator there.
            let searched = line.starts(with: ": ".utf8) ? line : line.dropFirst()
            guard let colon = searched.firstIndex(of: UInt8(ascii: ":")),
                colon + 1 < end, line[colon + 1] == UInt8(ascii: " "),
                let name = bytes(of: line[..<colon]), let value = bytes(of: line[(colon + 2)...])
            else { return nil }
            headers.append(LoggedPush.Header(name: name, value: value))
        }
        return headers
    }

    private static func bytes(of text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.contains(UInt8(ascii: "\\")) else { return Array(text) }
        var bytes: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            guard text[index] == UInt8(ascii: "\\") else {
                bytes.append(text[index])
                index += 1
                continue
            }
            guard index + 3 < text.endIndex, text[index + 1] == UInt8(ascii: "x"),
                let high = HexDigit.value(text[index + 2]), let low = HexDigit.value(text[index + 3])
            else { return nil }
            bytes.append(high << 4 | low)
            index += 4
        }
        return bytes
    }
}
