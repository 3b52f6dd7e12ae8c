/// Header compression (RFC 7541), as little of it as a test client needs.
enum HPACK {
    /// What no decoder may accept.
    struct Malformed: Error { let detail: String }

    /// A header block of literals that enter no table, without Huffman coding.
    static func encode(_ fields: [Frame.Field]) -> [UInt8] {
        fields.flatMap { [0] + string($0.name) + string($0.value) }
    }

    /// A literal that enters the dynamic table, where it is entry 62 until the next one.
    static func indexed(_ field: Frame.Field) -> [UInt8] { [0x40] + string(field.name) + string(field.value) }

    /// A string literal without Huffman coding.
    static func string(_ text: String) -> [UInt8] { integer(text.utf8.count, prefix: 7) + Array(text.utf8) }

    private static func integer(_ value: Int, prefix: Int) -> [UInt8] {
        let limit = 1 << prefix - 1
        guard value >= limit else { return [UInt8(value)] }
        var bytes = [UInt8(limit)]
        var rest = value - limit
        while rest >= 128 {
            bytes.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    /// Reads header blocks, one after the other.
    struct Decoder {
        private var table: [Frame.Field] = []
        private var block: ArraySlice<UInt8> = []

        mutating func decode(_ bytes: [UInt8]) throws -> [Frame.Field] {
            block = bytes[...]
            var fields: [Frame.Field] = []
            while let first = block.first {
                if first & 0x80 != 0 {
                    fields.append(try entry(try integer(prefix: 7)))
                } else if first & 0x40 != 0 {
                    let field = try literal(prefix: 6)
                    table.insert(field, at: 0)
                    fields.append(field)
                } else if first & 0x20 != 0 {
                    _ = try integer(prefix: 5)
                } else {
                    fields.append(try literal(prefix: 4))
                }
            }
            return fields
        }

        private func entry(_ index: Int) throws -> Frame.Field {
            let all = HPACK.staticTable.count
            if index >= 1, index <= all { return HPACK.staticTable[index - 1] }
            guard index > all, index - all <= table.count else { throw Malformed(detail: "index \(index)") }
            return table[index - all - 1]
        }

        private mutating func literal(prefix: Int) throws -> Frame.Field {
            let index = try integer(prefix: prefix)
            let name = index == 0 ? try string() : try entry(index).name
            return Frame.Field(name, try string())
        }

        private mutating func integer(prefix: Int) throws -> Int {
            guard let first = block.popFirst() else { throw Malformed(detail: "the block ends early") }
            let limit = 1 << prefix - 1
            var value = Int(first) & limit
            guard value == limit else { return value }
            var shift = 0
            while let byte = block.popFirst() {
                value += Int(byte & 127) << shift
                if byte & 128 == 0 { return value }
                shift += 7
            }
            throw Malformed(detail: "the block ends early")
        }

        private mutating func string() throws -> String {
            let isHuffman = (block.first ?? 0) & 0x80 != 0
            let length = try integer(prefix: 7)
            guard block.count >= length else { throw Malformed(detail: "the block ends early") }
            let bytes = Array(block.prefix(length))
            block = block.dropFirst(length)
            return String(decoding: isHuffman ? try Huffman.decode(bytes) : bytes, as: UTF8.self)
        }
    }
}

/// RFC 7541's Huffman code, for the characters whose codes have at most 15 bits: all of ASCII's printable ones but
/// the backslash.
enum Huffman {
    /// Characters by the length of their code; within a length, codes count up in the order of the characters.
    private static let lengths: [(Int, String)] = [
        (5, "012aceiost"), (6, " %-./3456789=A_bdfghlmnpru"), (7, ":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz"), (8, "&*,;XZ"),
        (10, "!\"()?"), (11, "'+|"), (12, "#>"), (13, "\0$@[]~"), (14, "^}"), (15, "<`{"),
    ]

    private static let codes: [Int: UInt8] = {
        var codes: [Int: UInt8] = [:]
        var (code, length) = (0, 5)
        for (bits, characters) in lengths {
            code <<= bits - length
            length = bits
            for character in characters.utf8 {
                codes[key(code, bits)] = character
                code += 1
            }
        }
        return codes
    }()

    private static func key(_ code: Int, _ length: Int) -> Int { length << 16 | code }

    static func decode(_ bytes: [UInt8]) throws -> [UInt8] {
        var text: [UInt8] = []
        var (code, length) = (0, 0)
        for byte in bytes {
            for bit in (0..<8).reversed() {
                code = code << 1 | Int(byte >> bit & 1)
                length += 1
                if let character = codes[key(code, length)] {
                    text.append(character)
                    (code, length) = (0, 0)
                }
            }
        }
        // What is left must be the beginning of the end-of-string code: fewer than 8 one bits.
        guard length < 8, code == 1 << length - 1 else {
            throw HPACK.Malformed(detail: "Huffman code that is unknown here")
        }
        return text
    }
}

extension HPACK {
    /// RFC 7541 appendix A.
    static let staticTable: [Frame.Field] = [
        (":authority", ""), (":method", "GET"), (":method", "POST"), (":path", "/"), (":path", "/index.html"),
        (":scheme", "http"), (":scheme", "https"), (":status", "200"), (":status", "204"), (":status", "206"),
        (":status", "304"), (":status", "400"), (":status", "404"), (":status", "500"), ("accept-charset", ""),
        ("accept-encoding", "gzip, deflate"), ("accept-language", ""), ("accept-ranges", ""), ("accept", ""),
        ("access-control-allow-origin", ""), ("age", ""), ("allow", ""), ("authorization", ""), ("cache-control", ""),
        ("content-disposition", ""), ("content-encoding", ""), ("content-language", ""), ("content-length", ""),
        ("content-location", ""), ("content-range", ""), ("content-type", ""), ("cookie", ""), ("date", ""),
        ("etag", ""), ("expect", ""), ("expires", ""), ("from", ""), ("host", ""), ("if-match", ""),
        ("if-modified-since", ""), ("if-none-match", ""), ("if-range", ""), ("if-unmodified-since", ""),
        ("last-modified", ""), ("link", ""), ("location", ""), ("max-forwards", ""), ("proxy-authenticate", ""),
        ("proxy-authorization", ""), ("range", ""), ("referer", ""), ("refresh", ""), ("retry-after", ""),
        ("server", ""), ("set-cookie", ""), ("strict-transport-security", ""), ("transfer-encoding", ""),
        ("user-agent", ""), ("vary", ""), ("via", ""), ("www-authenticate", ""),
    ].map { Frame.Field($0.0, $0.1) }
}
