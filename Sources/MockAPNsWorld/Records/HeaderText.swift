internal import MockAPNsFormats
package import MockAPNsRules

/// Header fields as the column `headers` has them, with a line `name: value` for each, in ASCII.
///
/// Bytes that are not printable ASCII are escaped as `\x` and two hex digits. So are backslashes and, in names, spaces
/// and colons other than a leading one. Every field can therefore be read back exactly. In place of a name that the rules
/// know and the `: ` after it, there is one byte, which the view `push` replaces by both.
package enum HeaderText {
    /// The byte in place of the first known name; those of the others follow.
    private static let firstCode: UInt8 = 0x10

    /// The bytes in place of known names, and what people see.
    package static let codes = HeaderName.allCases.filter { $0 != .other }.map { name in
        (code: Int(firstCode + name.rawValue), text: "\(name.text): ")
    }

    /// The bytes that texts which pushes share have in place of what is in a column, with the names of the columns.
    package static let placeholders = [(code: Int(tokenCode), column: "token"), (code: Int(idCode), column: "id")]
    private static let tokenCode: UInt8 = 0x01
    private static let idCode: UInt8 = 0x02

    /// Replaces the contents of `text` with the header fields of a record.
    static func write(_ record: RecordView, to text: inout [UInt8]) {
        record.withRequest { request in
            var count = 0
            var isPlain = true
            for field in request.fields {
                let value = request.value(of: field)
                count += value.count + 2
                if hasSpecial(value, isName: false) { isPlain = false }
                guard field.name == .other else { continue }
                let name = request.name(of: field)
                count += name.count + 1
                if hasSpecial(withoutMark(name), isName: true) { isPlain = false }
            }
            guard isPlain else {
                text.removeAll(keepingCapacity: true)
                for field in request.fields {
                    append(field.name, request.name(of: field), request.value(of: field), to: &text)
                }
                return
            }
            // The usual case: the size is known, so fill the array once instead of appending each part.
            text = [UInt8](unsafeUninitializedCapacity: count) { memory, written in
                for field in request.fields {
                    if field.name == .other {
                        written = put(request.name(of: field), in: memory, at: written)
                        memory[written] = UInt8(ascii: ":")
                        memory[written + 1] = UInt8(ascii: " ")
                        written += 2
                    } else {
                        memory[written] = firstCode + field.name.rawValue
                        written += 1
                    }
                    written = put(request.value(of: field), in: memory, at: written)
                    memory[written] = UInt8(ascii: "\n")
                    written += 1
                }
            }
        }
    }

    /// Returns the text of a request's header fields with placeholders for its device token and its `apns-id`.
    ///
    /// `token` and `id` are the positions of their fields, whose values end with them.
    static func text(of request: borrowing RequestView, token: SharedHeaders.Hole?, id: SharedHeaders.Hole?) -> [UInt8]
    {
        var text: [UInt8] = []
        for (position, field) in request.fields.enumerated() {
            let value = request.value(of: field)
            let hole = token?.field == position ? token : id?.field == position ? id : nil
            append(field.name, request.name(of: field), value.prefix(value.count - (hole?.count ?? 0)), to: &text)
            guard hole != nil else { continue }
            text[text.count - 1] = token?.field == position ? tokenCode : idCode
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    /// Calls `use` with a text that pushes share, with `token` and `id` in place of its placeholders.
    ///
    /// Any other text is passed on as it is, because it has no placeholders.
    package static func withWhole<Result>(
        _ text: ByteSpan, token: ByteSpan, id: ByteSpan, _ use: (ByteSpan) -> Result
    ) -> Result {
        let codes = tokenCode...idCode
        guard text.bytes.contains(where: codes.contains) else { return use(text) }
        var whole: [UInt8] = []
        whole.reserveCapacity(text.count + token.count + id.count)
        var rest = text.bytes[...]
        while let place = rest.firstIndex(where: codes.contains) {
            whole.append(contentsOf: rest[..<place])
            whole.append(contentsOf: (rest[place] == tokenCode ? token : id).bytes)
            rest = rest[(place + 1)...]
        }
        whole.append(contentsOf: rest)
        return whole.withUnsafeBufferPointer { use(ByteSpan($0)) }
    }

    /// Whether a value is written as it is.
    static func isPlain(_ value: ByteSpan) -> Bool { !hasSpecial(value, isName: false) }

    /// Copies bytes to `place`, and returns the offset after them.
    private static func put(_ span: ByteSpan, in memory: UnsafeMutableBufferPointer<UInt8>, at place: Int) -> Int {
        let end = place + span.count
        _ = memory[place..<end].update(fromContentsOf: span.bytes)
        return end
    }

    /// Returns a name without the colon that marks a pseudo-header field.
    private static func withoutMark(_ name: ByteSpan) -> ByteSpan {
        name.dropFirst(name.bytes.first == UInt8(ascii: ":") ? 1 : 0)
    }

    /// Appends the line of a header field.
    private static func append(_ known: HeaderName, _ name: ByteSpan, _ value: ByteSpan, to text: inout [UInt8]) {
        if known == .other {
            text.append(contentsOf: name.bytes.prefix(name.count - withoutMark(name).count))
            append(withoutMark(name), isName: true, to: &text)
            text.append(UInt8(ascii: ":"))
            text.append(UInt8(ascii: " "))
        } else {
            text.append(firstCode + known.rawValue)
        }
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

    /// The fields of a request, and the bytes in which they are, without the body.
    struct Fields {
        var fields: [HeaderField] = []
        var bytes: [UInt8] = []
        var index = HeaderIndex()
    }

    /// Reads text written by `write`.
    static func read(_ text: ByteSpan) throws(ArchiveError) -> Fields {
        var found = Fields()
        found.fields.reserveCapacity(16)
        found.bytes.reserveCapacity(text.count)
        var rest = text
        while !rest.isEmpty {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
                throw .badMember("its headers end too early")
            }
            try add(rest.prefix(end), to: &found)
            rest = rest.dropFirst(end + 1)
        }
        guard found.bytes.count < 1 << 30, found.fields.count <= RecordHead.mostFields else {
            throw .badMember("it has too many headers")
        }
        return found
    }

    private static func add(_ line: ByteSpan, to found: inout Fields) throws(ArchiveError) {
        let start = found.bytes.count
        var name = HeaderName.other
        var value = line
        if let code = line.bytes.first, code < 0x20 {
            guard code >= firstCode, let known = HeaderName(rawValue: code - firstCode), known != .other else {
                throw .badMember("a header has the unknown name \(code)")
            }
            (name, value) = (known, line.dropFirst(1))
        } else {
            // Skip the leading colon of a pseudo-header field, unless it is the separator after an empty name.
            let mark = min(line.bytes.starts(with: ": ".utf8) ? 0 : 1, line.count)
            guard let colon = line.dropFirst(mark).bytes.firstIndex(of: UInt8(ascii: ":")).map({ $0 + mark }),
                colon + 1 < line.count, line[colon + 1] == UInt8(ascii: " ")
            else { throw .badMember("a header has no name") }
            try append(line.prefix(colon), to: &found.bytes)
            value = line.dropFirst(colon + 2)
        }
        let nameLength = found.bytes.count - start
        try append(value, to: &found.bytes)
        found.index.note(name, at: found.fields.count)
        found.fields.append(
            HeaderField(
                name: name, at: start, nameLength: nameLength, valueLength: found.bytes.count - start - nameLength))
    }

    /// Appends what a text stands for.
    private static func append(_ text: ByteSpan, to bytes: inout [UInt8]) throws(ArchiveError) {
        guard text.firstIndex(of: UInt8(ascii: "\\")) != nil else {
            bytes.append(contentsOf: text.bytes)
            return
        }
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "\\") else {
                bytes.append(text[index])
                index += 1
                continue
            }
            guard index + 3 < text.count, text[index + 1] == UInt8(ascii: "x"),
                let high = HexDigit.value(text[index + 2]), let low = HexDigit.value(text[index + 3])
            else { throw .badMember(#"a header has an escape that is not \x and two hex digits"#) }
            bytes.append(high << 4 | low)
            index += 4
        }
    }
}
