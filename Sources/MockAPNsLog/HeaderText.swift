internal import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

/// Header fields as text, with one line `name: value` per field.
///
/// Bytes that are not printable ASCII are escaped as `\x` and two hex digits. So are backslashes and, in names, spaces
/// and colons other than a leading one. Every field can therefore be read back exactly.
package enum HeaderText {
    /// Returns the fields as ASCII text.
    package static func text(of headers: [LoggedPush.Header]) -> [UInt8] {
        var text: [UInt8] = []
        for header in headers {
            header.name.withUnsafeBufferPointer { name in
                header.value.withUnsafeBufferPointer { append(ByteSpan(name), ByteSpan($0), to: &text) }
            }
        }
        return text
    }

    /// Replaces the contents of `text` with the header fields of a push.
    package static func write(_ push: borrowing PushColumns, to text: inout [UInt8]) {
        var count = 0
        var isPlain = true
        push.visitHeaders { name, value in
            count += name.count + value.count + 3
            let mark = name.bytes.first == UInt8(ascii: ":") ? 1 : 0
            if hasSpecial(name.dropFirst(mark), isName: true) || hasSpecial(value, isName: false) { isPlain = false }
        }
        guard isPlain else {
            text.removeAll(keepingCapacity: true)
            push.visitHeaders { name, value in append(name, value, to: &text) }
            return
        }
        // The usual case: the size is known, so fill the array once instead of appending each part.
        text = [UInt8](unsafeUninitializedCapacity: count) { memory, written in
            push.visitHeaders { name, value in
                written = put(name, in: memory, at: written)
                memory[written] = UInt8(ascii: ":")
                memory[written + 1] = UInt8(ascii: " ")
                written = put(value, in: memory, at: written + 2)
                memory[written] = UInt8(ascii: "\n")
                written += 1
            }
        }
    }

    /// Copies bytes to `place`, and returns the offset after them.
    private static func put(_ span: ByteSpan, in memory: UnsafeMutableBufferPointer<UInt8>, at place: Int) -> Int {
        let end = place + span.count
        _ = memory[place..<end].update(fromContentsOf: span.bytes)
        return end
    }

    /// Appends the line of a header field.
    private static func append(_ name: ByteSpan, _ value: ByteSpan, to text: inout [UInt8]) {
        // A leading colon marks a pseudo-header field.
        let mark = name.bytes.first == UInt8(ascii: ":") ? 1 : 0
        text.append(contentsOf: name.bytes.prefix(mark))
        append(name.dropFirst(mark), isName: true, to: &text)
        text.append(UInt8(ascii: ":"))
        text.append(UInt8(ascii: " "))
        append(value, isName: false, to: &text)
        text.append(UInt8(ascii: "\n"))
    }

    private static func append(_ span: ByteSpan, isName: Bool, to text: inout [UInt8]) {
        guard hasSpecial(span, isName: isName) else {
            text.append(contentsOf: span.bytes)
            return
        }
        for byte in span.bytes {
            if isSpecial(byte, isName: isName) {
                text += #"\x"#.utf8
                text += HexDigit.text(of: CollectionOfOne(byte)).utf8
            } else {
                text.append(byte)
            }
        }
    }

    private static func hasSpecial(_ span: ByteSpan, isName: Bool) -> Bool {
        // No early exit, so that the compiler can vectorize the loop.
        var special: UInt8 = 0
        for byte in span.bytes { special |= isSpecial(byte, isName: isName) ? 1 : 0 }
        return special != 0
    }

    private static func isSpecial(_ byte: UInt8, isName: Bool) -> Bool {
        byte < 0x20 || byte >= 0x7f || byte == UInt8(ascii: "\\")
            || isName && (byte == UInt8(ascii: " ") || byte == UInt8(ascii: ":"))
    }

    /// Parses text written by `write`; `nil` if it is malformed.
    package static func headers(of text: [UInt8]) -> [LoggedPush.Header]? {
        text.withUnsafeBufferPointer { headers(of: ByteSpan($0)) }
    }

    /// Parses text written by `write`; `nil` if it is malformed.
    package static func headers(of text: ByteSpan) -> [LoggedPush.Header]? {
        var headers: [LoggedPush.Header] = []
        headers.reserveCapacity(12)
        var rest = text
        while !rest.isEmpty {
            guard let end = rest.bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            let line = rest.prefix(end)
            rest = rest.dropFirst(end + 1)
            // Skip the leading colon of a pseudo-header field, unless it is the separator after an empty name.
            let start = min(line.bytes.starts(with: ": ".utf8) ? 0 : 1, line.count)
            guard let colon = line.dropFirst(start).bytes.firstIndex(of: UInt8(ascii: ":")).map({ $0 + start }),
                colon + 1 < end, line[colon + 1] == UInt8(ascii: " "), let name = bytes(of: line.prefix(colon)),
                let value = bytes(of: line.dropFirst(colon + 2))
            else { return nil }
            headers.append(LoggedPush.Header(name: name, value: value))
        }
        return headers
    }

    private static func bytes(of text: ByteSpan) -> [UInt8]? {
        guard text.bytes.contains(UInt8(ascii: "\\")) else { return Array(text.bytes) }
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "\\") else {
                bytes.append(text[index])
                index += 1
                continue
            }
            guard index + 3 < text.count, text[index + 1] == UInt8(ascii: "x"),
                let high = HexDigit.value(text[index + 2]), let low = HexDigit.value(text[index + 3])
            else { return nil }
            bytes.append(high << 4 | low)
            index += 4
        }
        return bytes
    }
}
