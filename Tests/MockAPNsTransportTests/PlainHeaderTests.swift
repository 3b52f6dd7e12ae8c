import CMockAPNsNghttp2
import CMockAPNsShims
import TestSupport
import Testing

@testable import MockAPNsTransport

/// Header blocks whose Huffman-coded values are decoded before nghttp2, compared with what nghttp2 makes of them.
@Suite struct PlainHeaderTests {
    @Test(arguments: 0..<8) func `means the same to nghttp2`(seed: UInt64) throws {
        var random = Generator(seed: seed)
        var memory = mockapns_hpack_memory()
        // Provider tokens, some of which differ only in their middle.
        let tokens = (0..<12).map { "bearer " + String(repeating: "aZ_", count: 50 + $0 % 3) + "\($0)" + "0Zq-xyz.9cX" }
        var rewritten = 0
        for _ in 0..<300 {
            let (coded, plain) = (try #require(Inflater()), try #require(Inflater()))
            let deflater = try #require(Deflater())
            for _ in 0..<6 {
                let fields = (0..<random.number(1...6)).map { _ in
                    let text = random.chance(oneIn: 3) ? random.pick(tokens) : Self.text(&random)
                    return Frame.Field(random.pick([":path", "x-a", "apns-topic"]), text)
                }
                let block = deflater.block(fields)
                let other = Self.plain(block, &memory)
                rewritten += other == nil ? 0 : 1
                #expect(coded.fields(block) == fields)
                #expect(plain.fields(other ?? block) == fields, "\(block)")
            }
        }
        #expect(rewritten > 500, "of 1,800")
    }

    /// Any bytes, most of which are no string: ours must never accept what nghttp2 does not, nor the other way round.
    @Test(arguments: 0..<8) func `agrees which strings are valid`(seed: UInt64) throws {
        var random = Generator(seed: seed)
        var (valid, invalid) = (0, 0)
        for _ in 0..<2_000 {
            let length = random.number(16...120)
            var value = (0..<length).map { _ in UInt8(random.chance(oneIn: 3) ? 0xff : random.number(0...255)) }
            if random.chance(oneIn: 2) { value[length - 1] |= 0x7f }
            let block = [0, 1, 0x78, 0x80 | UInt8(min(length, 127))] + (length < 127 ? [] : [0]) + value
            let expected = try #require(Inflater()).fields(block)
            let plain = Self.plain(block)
            #expect((expected == nil) == (plain == nil), "\(value)")
            guard let plain else {
                invalid += 1
                continue
            }
            valid += 1
            #expect(try #require(Inflater()).fields(plain) == expected)
        }
        #expect(valid > 50 && invalid > 50, "\(valid), \(invalid)")
    }

    /// Each cut-off or changed block is refused by ours, or is one that nghttp2 reads like the original.
    @Test(arguments: 0..<8) func `survives any damage`(seed: UInt64) throws {
        var random = Generator(seed: seed)
        for _ in 0..<1_000 {
            let fields = (0..<3).map { _ in Frame.Field("x-\(random.number(0...3))", Self.text(&random)) }
            var block = try #require(Deflater()).block(fields)
            if random.chance(oneIn: 3) { block.removeLast(random.number(1...block.count)) }
            for _ in 0..<random.number(0...3) where !block.isEmpty {
                block[random.number(0...block.count - 1)] = UInt8(random.number(0...255))
            }
            guard let plain = Self.plain(block) else { continue }
            #expect(try #require(Inflater()).fields(plain) == (try #require(Inflater()).fields(block)), "\(block)")
        }
    }

    /// A frame's length is what the client sent, and a frame that is too large stays so.
    @Test func `does not hide the size of a frame`() throws {
        let client = try Client()
        let deflater = try #require(Deflater())
        let block = deflater.block(.push())
        #expect(Self.plain(block) != nil)
        try client.send(.block(1, block))
        try client.expect(.headers(1, .status(200)))
        #expect(client.recorder.requests.map(\.fields) == [.push()])
        #expect(client.recorder.requests.map(\.headerBlockLength) == [block.count])
        try client.send(.block(3, block + [UInt8](repeating: 0, count: 65_536)))
        try client.expectGoAway(.frameSizeError)
    }

    @Test(arguments: [1, 5, 9, 40]) func `reads a block that comes in pieces`(size: Int) throws {
        let client = try Client()
        let deflater = try #require(Deflater())
        let fields = [Frame.Field].push()
        for stream in [Int32(1), 3] {
            try client.send(bytes: Frame.block(stream, deflater.block(fields)).encoded, inPiecesOf: size)
            try client.expect(.headers(stream, .status(200)))
        }
        #expect(client.recorder.requests.map(\.fields) == [fields, fields])
    }

    // MARK: Support

    private static func text(_ random: inout Generator) -> String {
        let alphabet = random.pick(["0123456789abcdef", "/3/device/09afAF", " ~{}|\\^\u{1}\u{7f}é", "ABCxyz.-_"])
        return String((0..<random.pick([0, 3, 30, 64, 74, 127, 200, 800])).map { _ in random.pick(Array(alphabet)) })
    }

    private static func plain(_ block: [UInt8]) -> [UInt8]? {
        var memory = mockapns_hpack_memory()
        return plain(block, &memory)
    }

    private static func plain(_ block: [UInt8], _ memory: inout mockapns_hpack_memory) -> [UInt8]? {
        // With a size that the address sanitizer sees.
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(MOCKAPNS_HPACK_MOST)) { target, count in
            count = mockapns_hpack_plain(block, block.count, target.baseAddress, &memory)
        }
        return bytes.isEmpty ? nil : bytes
    }
}

/// nghttp2's decoder of header blocks.
private final class Inflater {
    private let inflater: OpaquePointer

    init?() {
        var inflater: OpaquePointer?
        guard nghttp2_hd_inflate_new(&inflater) == 0, let inflater else { return nil }
        self.inflater = inflater
    }

    deinit { nghttp2_hd_inflate_del(inflater) }

    /// Returns the fields of the next block; `nil` if it is not valid.
    func fields(_ block: [UInt8]) -> [Frame.Field]? {
        var fields: [Frame.Field] = []
        var position = 0
        while true {
            var field = nghttp2_nv()
            var flags: CInt = 0
            let result = block.withUnsafeBufferPointer { bytes in
                nghttp2_hd_inflate_hd2(
                    inflater, &field, &flags, bytes.baseAddress.map { $0 + position }, bytes.count - position, 1)
            }
            guard result >= 0 else { return nil }
            position += result
            if UInt32(flags) & NGHTTP2_HD_INFLATE_EMIT.rawValue != 0 {
                let name = UnsafeBufferPointer(start: field.name, count: field.namelen)
                let value = UnsafeBufferPointer(start: field.value, count: field.valuelen)
                fields.append(
                    Frame.Field(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
            }
            if UInt32(flags) & NGHTTP2_HD_INFLATE_FINAL.rawValue != 0 {
                nghttp2_hd_inflate_end_headers(inflater)
                return fields
            }
            if result == 0, UInt32(flags) & NGHTTP2_HD_INFLATE_EMIT.rawValue == 0 { return nil }
        }
    }
}
