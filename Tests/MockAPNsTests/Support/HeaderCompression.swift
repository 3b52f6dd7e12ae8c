/// Header compression (RFC 7541), as little of it as a client of these tests needs.
enum HeaderCompression {
    /// What a server may not send.
    struct Malformed: Error { let detail: String }

    /// A header block of literals that enter no table.
    static func encode(_ fields: [(name: String, value: String)]) -> [UInt8] {
        fields.flatMap { [0] + text($0.name) + text($0.value) }
    }

    private static func text(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var length = text.utf8.count
        if length < 127 {
            bytes.append(UInt8(length))
        } else {
            bytes.append(127)
            length -= 127
            while length > 127 {
                bytes.append(UInt8(length & 127) | 128)
                length >>= 7
            }
            bytes.append(UInt8(length))
        }
        return bytes + Array(text.utf8)
    }

    /// Reads the header blocks of one connection.
    struct Decoder {
        private var newest: [(name: String, value: String)] = []
        private var input: [UInt8] = []
        private var at = 0

        mutating func decode(_ block: [UInt8]) throws -> [(name: String, value: String)] {
            (input, at) = (block, 0)
            var fields: [(name: String, value: String)] = []
            while at < input.count {
                switch input[at] {
                case 0x80...: fields.append(try entry(try number(bits: 7)))
                case 0x40...:
                    let field = try literal(bits: 6)
                    newest.insert(field, at: 0)
                    fields.append(field)
                case 0x20...: _ = try number(bits: 5)
                default: fields.append(try literal(bits: 4))
                }
            }
            return fields
        }

        private func entry(_ index: Int) throws -> (name: String, value: String) {
            let known = HeaderCompression.names
            if index >= 1, index <= known.count { return (known[index - 1], HeaderCompression.values[index] ?? "") }
            guard newest.indices.contains(index - known.count - 1) else {
                throw Malformed(detail: "there is no entry \(index)")
            }
            return newest[index - known.count - 1]
        }

        private mutating func literal(bits: Int) throws -> (name: String, value: String) {
            let index = try number(bits: bits)
            let name = index == 0 ? try string() : try entry(index).name
            return (name, try string())
        }

        private mutating func byte() throws -> UInt8 {
            guard at < input.count else { throw Malformed(detail: "the header block ends early") }
            at += 1
            return input[at - 1]
        }

        private mutating func number(bits: Int) throws -> Int {
            let all = (1 << bits) - 1
            var value = Int(try byte()) & all
            guard value == all else { return value }
            var (shift, isLast) = (0, false)
            while !isLast {
                let next = try byte()
                value += Int(next & 127) << shift
                shift += 7
                isLast = next < 128
            }
            return value
        }

        private mutating func string() throws -> String {
            let isCoded = at < input.count && input[at] >= 128
            let length = try number(bits: 7)
            guard at + length <= input.count else { throw Malformed(detail: "a text ends early") }
            let bytes = Array(input[at..<at + length])
            at += length
            return String(decoding: isCoded ? try HuffmanCode.decode(bytes) : bytes, as: UTF8.self)
        }
    }

    /// The names of RFC 7541 appendix A, in order.
    private static let names = """
        :authority :method :method :path :path :scheme :scheme :status :status :status :status :status \
        :status :status accept-charset accept-encoding accept-language accept-ranges accept \
        access-control-allow-origin age allow authorization cache-control content-disposition \
        content-encoding content-language content-length content-location content-range content-type cookie \
        date etag expect expires from host if-match if-modified-since if-none-match if-range \
        if-unmodified-since last-modified link location max-forwards proxy-authenticate proxy-authorization \
        range referer refresh retry-after server set-cookie strict-transport-security transfer-encoding \
        user-agent vary via www-authenticate
        """.split(separator: " ").map(String.init)

    /// The values of appendix A, where an entry has one.
    private static let values = [
        2: "GET", 3: "POST", 4: "/", 5: "/index.html", 6: "http", 7: "https", 8: "200", 9: "204", 10: "206", 11: "304",
        12: "400", 13: "404", 14: "500", 16: "gzip, deflate",
    ]
}

/// The Huffman code of RFC 7541 appendix B, for the characters with codes of up to 15 bits: all that a server
/// has reason to send.
enum HuffmanCode {
    /// The characters of each length of code, in the order of their codes, which count up.
    private static let characters: KeyValuePairs<Int, String> = [
        5: "012aceiost", 6: " %-./3456789=A_bdfghlmnpru", 7: ":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz", 8: "&*,;XZ",
        10: "!\"()?", 11: "'+|", 12: "#>", 13: "\0$@[]~", 14: "^}", 15: "<`{",
    ]

    private struct Code: Hashable {
        var length = 0
        var bits = 0
    }

    private static let table: [Code: UInt8] = {
        var table: [Code: UInt8] = [:]
        var code = Code()
        for (length, characters) in characters {
            code.bits <<= length - code.length
            code.length = length
            for character in characters.utf8 {
                table[code] = character
                code.bits += 1
            }
        }
        return table
    }()

    static func decode(_ bytes: [UInt8]) throws -> [UInt8] {
        var (text, code) = ([UInt8](), Code())
        for position in 0..<bytes.count * 8 {
            code.bits = code.bits << 1 | Int(bytes[position / 8] >> (7 - position % 8) & 1)
            code.length += 1
            guard let character = table[code] else { continue }
            text.append(character)
            code = Code()
        }
        guard code.length < 8, code.bits == (1 << code.length) - 1 else {
            throw HeaderCompression.Malformed(detail: "a text is not in the Huffman code")
        }
        return text
    }
}
