import MockAPNsFormats
import Testing

@Suite struct PercentEncodingTests {
    static let table: [(String, String?)] = [
        ("a%20b", "a b"), ("a+b", "a+b"), ("%C3%a9", "é"), ("%", nil), ("%2", nil), ("%zz", nil), ("%ff", nil),
        ("seq%3A1", "seq:1"), ("", ""),
    ]

    @Test(arguments: table) func `text is decoded, or refused`(text: String, decoded: String?) {
        #expect(PercentEncoding.decode(text) == decoded)
    }

    @Test func `a plus is a space in a query alone`() {
        #expect(PercentEncoding.decode("a+b%2B", plusIsSpace: true) == "a b+")
    }
}
