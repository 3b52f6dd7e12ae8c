/// Estimates the width of text.
///
/// The iOS fonts are not available here, and a picture can be displayed in a different font anyway.
enum TextMeasure {
    /// Helvetica's widths for U+0020 to U+007E in thousandths of the font size; San Francisco's are similar.
    private static let ascii: [Double] = [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556,
        556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667,
        556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556,
        556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722,
        500, 500, 500, 334, 260, 334, 584,
    ]

    /// A correction, because most available fonts are slightly wider than Helvetica.
    private static let allowance = 1.06
    private static let boldness = 1.06

    /// The first matching range applies.
    private static let scripts: [(range: ClosedRange<UInt32>, width: Double)] = [
        (0x00a0...0x024f, 560), (0x0250...0x02ff, 520), (0x0300...0x036f, 0), (0x0370...0x03ff, 570),
        (0x0400...0x052f, 600), (0x0530...0x058f, 600), (0x0590...0x05ff, 540), (0x0600...0x08ff, 500),
        (0x0900...0x0dff, 640), (0x0e00...0x0fff, 560), (0x1100...0x115f, 1_000), (0x2000...0x200a, 400),
        (0x200b...0x200f, 0), (0x2010...0x2027, 600), (0x2e80...0x9fff, 1_000), (0xa960...0xa97f, 1_000),
        (0xac00...0xd7ff, 1_000), (0xf900...0xfaff, 1_000), (0xfb1d...0xfdff, 560), (0xfe00...0xfe0f, 0),
        (0xfe30...0xfe6f, 1_000), (0xfe70...0xfefe, 500), (0xff01...0xff60, 1_000), (0xff61...0xffdc, 500),
        (0x2_0000...0x3_ffff, 1_000), (0xe_0000...0xe_0fff, 0),
    ]

    private static let other = 620.0
    private static let emoji = 1_250.0

    static func width(of text: String, _ font: DrawnText.Font) -> Double { text.reduce(0) { $0 + width(of: $1, font) } }

    static func width(of character: Character, _ font: DrawnText.Font) -> Double {
        let em = thousandths(of: character) / 1_000 * font.size
        return em * allowance * (font.isBold ? boldness : 1)
    }

    /// Whether a line can break before and after the character, as for ideographs, kana and emoji.
    static func isWide(_ character: Character) -> Bool { thousandths(of: character) >= 1_000 && !character.isASCII }

    private static func thousandths(of character: Character) -> Double {
        let scalars = character.unicodeScalars
        let first = scalars[scalars.startIndex]
        if first.properties.isEmojiPresentation || scalars.contains("\u{fe0f}") { return emoji }
        guard first.isASCII else { return scripts.first { $0.range.contains(first.value) }?.width ?? other }
        let place = Int(first.value) - 0x20
        return ascii.indices.contains(place) ? ascii[place] : 0
    }
}
