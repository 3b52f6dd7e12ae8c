import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsLog

struct HeaderTextTests {
    private static func header(_ name: String, _ value: String) -> LoggedPush.Header {
        LoggedPush.Header(name: Array(name.utf8), value: Array(value.utf8))
    }

    /// The text for a push with these fields, in memory that was used before.
    private static func written(_ headers: [LoggedPush.Header]) -> [UInt8] {
        var push = LoggedPush(seq: 1, receivedAt: 0, answeredAt: 0)
        push.headers = headers
        var text = Array("what was there before".utf8)
        PushColumns.with(push) { HeaderText.write($0, to: &text) }
        return text
    }

    @Test func `fields become lines that people can read`() {
        let headers = [Self.header(":path", "/3/device/ab"), Self.header("apns-topic", "com.example.app: x")]
        let text = String(decoding: HeaderText.text(of: headers), as: UTF8.self)
        #expect(text == ":path: /3/device/ab\napns-topic: com.example.app: x\n")
        #expect(String(decoding: Self.written(headers), as: UTF8.self) == text)
    }

    @Test func `bytes that cannot be shown are escaped`() {
        let text = HeaderText.text(of: [Self.header("a b:c", "1\n2\\é\u{7f}")])
        #expect(String(decoding: text, as: UTF8.self) == #"a\x20b\x3ac: 1\x0a2\x5c\xc3\xa9\x7f"# + "\n")
    }

    @Test func `all fields of three bytes and fewer that matter are read back exactly`() {
        let bytes: [UInt8] = [0, 0x0a, 0x20, 0x3a, 0x5c, 0x78, 0x61, 0x7f, 0xff]
        var texts: [[UInt8]] = [[]]
        var longest: [[UInt8]] = [[]]
        for _ in 0..<3 {
            longest = longest.flatMap { text in bytes.map { text + [$0] } }
            texts += longest
        }
        for text in texts {
            let headers = [
                LoggedPush.Header(name: text, value: text), LoggedPush.Header(name: text, value: []),
                LoggedPush.Header(name: [], value: text),
            ]
            #expect(HeaderText.headers(of: HeaderText.text(of: headers)) == headers, "\(text)")
            #expect(Self.written(headers) == HeaderText.text(of: headers), "\(text)")
        }
    }

    @Test(arguments: ["a: b", "a\n", "a:b\n", #"a: \x4"# + "\n", #"a: \"# + "\n"])
    func `text that was not written this way is refused`(text: String) {
        #expect(HeaderText.headers(of: Array(text.utf8)) == nil)
    }
}
