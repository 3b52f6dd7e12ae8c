import Foundation
import MockAPNsFormats
import Testing

@Suite struct JSONWriterTests {
    @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3_900]) func `Base64 is that of others`(length: Int) {
        let content = (0..<length).map { UInt8(truncatingIfNeeded: 0xf8 &+ $0 &* 0x3b) }
        var writer = JSONWriter()
        writer.value(base64: content)
        let expected = "\"\(Data(content).base64EncodedString())\""
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }
}
