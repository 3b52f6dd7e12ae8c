import Foundation
import MockAPNsFormats
import Testing

@Suite struct HexDigitTests {
    @Test func `only 0-9, a-f and A-F are hex digits, and bytes are written in lower case`() {
        for byte in UInt8.min ... .max {
            let expected =
                Array("0123456789abcdefABCDEF".utf8).contains(byte)
                ? UInt8(String(decoding: [byte], as: UTF8.self), radix: 16) : nil
            #expect(HexDigit.value(byte) == expected)
            #expect(HexDigit.text(of: [byte]) == String(format: "%02x", Int(byte)))
        }
    }
}
