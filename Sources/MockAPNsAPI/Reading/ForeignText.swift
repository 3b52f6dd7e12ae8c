/// What a body is that should be text in UTF-8, by its first bytes.
package enum ForeignText {
    /// One row for each form: its first bytes, what it is, and how to send it instead.
    static let forms: [(start: [UInt8], seen: String, fix: String)] = [
        ([0x1f, 0x8b], "is compressed with gzip", decompress),
        ([0x28, 0xb5, 0x2f, 0xfd], "is compressed with zstd", decompress),
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a], "is compressed with xz", decompress),
        ([0x42, 0x5a, 0x68], "is compressed with bzip2", decompress),
        ([0x50, 0x4b, 0x03, 0x04], "is a ZIP archive", decompress),
        ([0xef, 0xbb, 0xbf], "begins with a byte order mark", "send it without these three bytes"),
        ([0xff, 0xfe], "is in UTF-16", convert), ([0xfe, 0xff], "is in UTF-16", convert),
        ([0x00, 0x7b], "is in UTF-16", convert), ([0x7b, 0x00], "is in UTF-16", convert),
    ]

    private static let decompress = "decompress it first"
    private static let convert = "convert it first"

    /// Returns a complaint about a body that is no text in UTF-8; `nil` if it may be.
    package static func complaint(about body: [UInt8]) -> String? {
        forms.first { body.starts(with: $0.start) }.map { "\($0.seen); expected text in UTF-8: \($0.fix)" }
    }
}
