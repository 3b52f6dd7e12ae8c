import Testing

@testable import MockAPNsAPI

/// The table of bodies that are no text in UTF-8: each row has an effect.
@Suite struct ForeignTextTests {
    private static let forms: [(start: [UInt8], seen: String)] = [
        ([0x1f, 0x8b], "gzip"), ([0x28, 0xb5, 0x2f, 0xfd], "zstd"), ([0xfd, 0x37, 0x7a, 0x58, 0x5a], "xz"),
        ([0x42, 0x5a, 0x68], "bzip2"), ([0x50, 0x4b, 0x03, 0x04], "ZIP"), ([0xef, 0xbb, 0xbf], "byte order mark"),
        ([0xff, 0xfe], "UTF-16"), ([0xfe, 0xff], "UTF-16"), ([0x00, 0x7b], "UTF-16"), ([0x7b, 0x00], "UTF-16"),
    ]

    @Test func `each form is recognized by its first bytes`() {
        #expect(Self.forms.map(\.start) == ForeignText.forms.map(\.start))
        for (start, seen) in Self.forms {
            let words = ForeignText.complaint(about: start + [0x41])
            #expect(words?.contains(seen) == true && words?.contains("expected text in UTF-8: ") == true, "\(seen)")
            #expect(ForeignText.complaint(about: Array(start.dropLast())) == nil, "\(seen)")
        }
        #expect(ForeignText.complaint(about: Array("{}".utf8)) == nil)
    }
}
