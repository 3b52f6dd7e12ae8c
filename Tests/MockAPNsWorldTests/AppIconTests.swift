import MockAPNsFormats
import MockAPNsWorld
import Testing

@Suite struct AppIconTests {
    static let flawed: [(file: String, flaw: String)] = [
        ("R0lGODlh", "not a PNG file"),
        (
            "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAAAAADcV1ARAAAAC0lEQVR42mNoAAIABQUCAT/3Vd0AAAAASUVORK5CYA==",
            "a PNG file that is cut short"
        ), ("iVBORw0KGgo=", "a PNG file that is cut short"),
        (
            "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAAAAADcV1ARAAAAC0lEQVR42mNoAQIABQUCAT/3Vd0AAAAASUVORK5CYII=",
            "a damaged PNG file: the checksum of a chunk is wrong"
        ),
        (
            "iVBORw0KGgr/////SUhEUgAAAAQAAAABCAAAAADcV1ARAAAAC0lEQVR42mNoAAIABQUCAT/3Vd0AAAAASUVORK5CYII=",
            "a PNG file that is cut short"
        ),
        (
            "iVBORw0KGgoAAAANSUhEUgAABAEAAAABCAAAAACKp+jXAAAAC0lEQVR42mNoAAIABQUCAT/3Vd0AAAAASUVORK5CYII=",
            "an image of 1025 × 1 pixels"
        ),
        (
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAACAAAAADxIkjwAAAAC0lEQVR42mNoAAIABQUCAT/3Vd0AAAAASUVORK5CYII=",
            "an image of 1 × 0 pixels"
        ),
        (
            "iVBORw0KGgoAAAANSUhEUgAAAAT/////CAAAAAAO/WjlAAAAC0lEQVR42mNoAAIABQUCAT/3Vd0AAAAASUVORK5CYII=",
            "an image of 4 × 4294967295 pixels"
        ),
        (
            "iVBORw0KGgoAAAAASUhEUqihrgoAAAALSURBVHjaY2gAAgAFBQIBP/dV3QAAAABJRU5ErkJggg==",
            "a damaged PNG file: its header has 0 bytes"
        ), ("iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAAAAADcV1ARAAAAAElFTkSuQmCC", "a PNG file without an image"),
        (
            "iVBORw0KGgoAAAALSURBVHjaY2gAAgAFBQIBP/dV3QAAAABJRU5ErkJggg==",
            "a PNG file with an unexpected or animated chunk"
        ),
        (
            "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAAAAADcV1ARAAAADUlIRFIAAAAEAAAAAQgAAAAA3FdQEQAAAAtJREFUeNpjaAACAAUFAgE/91XdAAAAAElFTkSuQmCC",
            "a PNG file with an unexpected or animated chunk"
        ),
        (
            "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAAAAADcV1ARAAAAAEFCQ0TbFyClAAAAC0lEQVR42mNoAAIABQUCAT/3Vd0AAAAASUVORK5CYII=",
            "a PNG file with an unexpected or animated chunk"
        ),
        (
            "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAAAAADcV1ARAAAACGFjVEwAAAABAAAAALQt6aAAAAALSURBVHjaY2gAAgAFBQIBP/dV3QAAAABJRU5ErkJggg==",
            "a PNG file with an unexpected or animated chunk"
        ),
        (
            "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAAAAADcV1ARAAAAC0lEQVR42mNoAAIABQUCAT/3Vd0AAAAASUVORK5CYII8c2NyaXB0Pg==",
            "a PNG file that is followed by something else"
        ),
    ]

    static let usable = [
        "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAAAAADcV1ARAAAAC0lEQVR42mNoAAIABQUCAT/3Vd0AAAAASUVORK5CYII=",
        "iVBORw0KGgoAAAANSUhEUgAABAAAAAQACAAAAABadnRfAAAAA3RFWHRhAGLcSaI7AAAAC0lEQVR42mNoAAIABQUCAT/3Vd0AAAAASUVORK5CYII=",
    ]

    private static func decoded(_ text: String) throws -> [UInt8] {
        var text = text
        return try #require(text.withUTF8 { Base64.decode($0) })
    }

    @Test(arguments: flawed) func `a flaw is named`(file: String, flaw: String) throws {
        #expect(AppIcon.flaw(in: try Self.decoded(file)) == flaw)
    }

    @Test(arguments: usable) func `a PNG file is an icon unless it is too large`(file: String) throws {
        let bytes = try Self.decoded(file)
        #expect(AppIcon.flaw(in: bytes) == nil)
        let large = bytes + Array(repeating: 0, count: AppIcon.bytes)
        #expect(AppIcon.flaw(in: large) == "a file of \(large.count) bytes")
        // Nothing that ends early is one.
        for end in bytes.indices { #expect(AppIcon.flaw(in: Array(bytes[..<end])) != nil) }
    }

    @Test func `a name needs a visible character`() {
        for name in ["", " ", "\n\t", String(repeating: "x", count: 65)] {
            #expect(!AppDescription.allows(name: name), "\(name)")
        }
        for name in ["A", " A ", String(repeating: "ü", count: 64)] { #expect(AppDescription.allows(name: name)) }
    }
}
