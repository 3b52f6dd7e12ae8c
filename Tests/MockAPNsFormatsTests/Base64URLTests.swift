import Foundation
import MockAPNsFormats
import TestSupport
import Testing

@Suite struct Base64URLTests {
    private static func encodedByFoundation(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(
            of: "/", with: "_"
        ).replacingOccurrences(of: "=", with: "")
    }

    private static func naiveBase64(_ text: [UInt8]) -> [UInt8]? {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var bits: [Int] = []
        for character in text {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits += (0..<6).map { value >> (5 - $0) & 1 }
        }
        let rest = bits.count % 8
        guard rest < 6, !bits.suffix(rest).contains(1) else { return nil }
        return stride(from: 0, to: bits.count - rest, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | UInt8($1) }
        }
    }

    @Test func `Base64 agrees with the naive reader`() {
        var generator = Generator(seed: 10)
        let alphabet = Array("ABZabz019-_".utf8)
        let foreign = Array("+/=. \n\u{7f}@[`{é".utf8)
        var decoded = 0
        for _ in 0..<20_000 {
            var text = generator.array(0...11, of: alphabet)
            if generator.chance(oneIn: 4) { text = generator.damaged(text, with: alphabet + foreign) }
            let expected = Self.naiveBase64(text)
            if expected != nil { decoded += 1 }
            #expect(
                text.withUnsafeBufferPointer { Base64URL.decode($0) } == expected,
                "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(decoded > 4_000)
    }

    @Test func `a byte is accepted only if the naive reader of Base64 accepts it`() {
        for byte in UInt8.min ... .max {
            let text = [UInt8(ascii: "A"), byte, UInt8(ascii: "A"), UInt8(ascii: "A")]
            #expect(text.withUnsafeBufferPointer { Base64URL.decode($0) } == Self.naiveBase64(text))
        }
    }

    @Test func `Base64 reads back what Foundation writes`() {
        var generator = Generator(seed: 11)
        for _ in 0..<2_000 {
            let bytes = generator.bytes(0...70)
            let text = Array(Self.encodedByFoundation(bytes).utf8)
            #expect(text.withUnsafeBufferPointer { Base64URL.decode($0) } == bytes)
        }
    }

    @Test func `encodes like Foundation`() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count &* 31) }
            #expect(Base64URL.encode(bytes) == Self.encodedByFoundation(bytes))
        }
    }
}
