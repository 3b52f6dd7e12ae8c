import Foundation
import MockAPNsFormats
import Testing

@Suite struct JSONValueBase64Tests {
    @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3_900]) func `writes the same Base64 as Foundation`(length: Int) {
        let content = (0..<length).map { UInt8(truncatingIfNeeded: 0xf8 &+ $0 &* 0x3b) }
        let expected = "\"\(Data(content).base64EncodedString())\""
        #expect(String(decoding: JSONValue.base64(content).text, as: UTF8.self) == expected)
    }
}
