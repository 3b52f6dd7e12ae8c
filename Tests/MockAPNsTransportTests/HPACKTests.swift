import Testing

/// The tests' own reader and writer, held against RFC 7541's examples.
@Suite struct HPACKTests {
    @Test func `decodes the requests of RFC 7541, appendix C.4`() throws {
        var decoder = HPACK.Decoder()
        let first: [UInt8] = [
            0x82, 0x86, 0x84, 0x41, 0x8c, 0xf1, 0xe3, 0xc2, 0xe5, 0xf2, 0x3a, 0x6b, 0xa0, 0xab, 0x90, 0xf4, 0xff,
        ]
        let usual = [
            Frame.Field(":method", "GET"), Frame.Field(":scheme", "http"), Frame.Field(":path", "/"),
            Frame.Field(":authority", "www.example.com"),
        ]
        #expect(try decoder.decode(first) == usual)
        let second: [UInt8] = [0x82, 0x86, 0x84, 0xbe, 0x58, 0x86, 0xa8, 0xeb, 0x10, 0x64, 0x9c, 0xbf]
        #expect(try decoder.decode(second) == usual + [Frame.Field("cache-control", "no-cache")])
    }

    @Test func `reads what it writes`() throws {
        let fields = [
            Frame.Field(":path", "/x"), Frame.Field("long", String(repeating: "v", count: 5_000)),
            Frame.Field("edge", String(repeating: "e", count: 127)),
        ]
        var decoder = HPACK.Decoder()
        #expect(try decoder.decode(HPACK.encode(fields)) == fields)
    }

    @Test func `has the code lengths of RFC 7541, appendix B`() throws {
        // '{' is the last code of 15 bits, 0x7ffe: it only comes out when every shorter one is right.
        #expect(try Huffman.decode([0xff, 0xfd]) == [UInt8(ascii: "{")])
    }
}
