/// Text prepared for drawing: sanitized, measured and broken into lines.
///
/// The server does not have the iOS fonts, so widths are estimates and line breaks are approximate.
struct DrawnText {
    struct Font {
        let size: Double
        var isBold = false
        var lineHeight: Double { (size * 1.3).rounded() }

        static func plain(_ size: Double) -> Font { Font(size: size) }
        static func bold(_ size: Double) -> Font { Font(size: size, isBold: true) }
    }

    /// The maximum length in characters, which is more than fits on any screen.
    private static let mostCharacters = 2_000
    /// The maximum number of scalars in a character; the longest emoji have 11.
    private static let mostScalars = 12
    /// The maximum number of combining marks in a character.
    private static let mostMarks = 3

    /// The sanitized text, with `\n` as the only line separator.
    let text: String
    let isRightToLeft: Bool

    init(_ text: String) {
        self.text = Self.cleaned(text)
        isRightToLeft = Self.runsRightToLeft(self.text)
    }

    init(_ text: PreviewText?) { self.init(text?.text ?? "") }

    /// Whether a scalar is valid in XML 1.0 and is not DEL, a C1 control or a noncharacter.
    static func isWritable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0a: true
        case 0..<0x20, 0x7f..<0xa0: false
        // Noncharacters: the last two code points of each plane, and U+FDD0 to U+FDEF.
        case let value where value & 0xfffe == 0xfffe || (0xfdd0...0xfdef).contains(value): false
        default: true
        }
    }

    /// Whether a scalar is invisible, or a bidirectional control that would affect the text after it.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202a...0x202e, 0x2066...0x2069, 0xfeff, 0xfff9...0xfffb, 0x200b, 0x2060...0x2064, 0xad: true
        default: false
        }
    }

    private static func cleaned(_ text: String) -> String {
        var result = ""
        for character in text.prefix(mostCharacters) {
            if character.isNewline {
                result += "\n"
                continue
            }
            var marks = 0
            var scalars = 0
            for scalar in character.unicodeScalars where isWritable(scalar) && !isControl(scalar) {
                if scalar.properties.canonicalCombiningClass != .notReordered { marks += 1 }
                scalars += 1
                guard marks <= mostMarks, scalars <= mostScalars else { continue }
                result.unicodeScalars.append(scalar == "\t" ? " " : scalar)
            }
        }
        return result
    }

    private static func runsRightToLeft(_ text: String) -> Bool {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x590...0x8ff, 0x200f, 0xfb1d...0xfdff, 0xfe70...0xfefc, 0x10800...0x10fff, 0x1e800...0x1efff:
                return true
            default: if scalar.properties.isAlphabetic { return false }
            }
        }
        return false
    }

    /// Returns the text on at most `most` lines, or on one line without its line separators.
    func block(_ font: Font, width: Double, most: Int? = nil) -> TextBlock {
        let lines = lines(font, width: width, most: most)
        return TextBlock(lines: lines, font: font, width: width, isRightToLeft: isRightToLeft)
    }

    func line(_ font: Font, width: Double) -> String { lines(font, width: width).first ?? "" }

    /// If the text does not fit, the last line ends with an ellipsis.
    func lines(_ font: Font, width: Double, most: Int? = nil) -> [String] {
        let text = most == nil ? text.replacing("\n", with: " ") : text
        let most = most ?? 1
        guard most > 0, let start = text.firstIndex(where: { !$0.isWhitespace }),
            let end = text.lastIndex(where: { !$0.isWhitespace })
        else { return [] }
        var lines: [String] = []
        for paragraph in text[start...end].split(separator: "\n", omittingEmptySubsequences: false) {
            // One extra line shows that the text needs to be truncated.
            guard lines.count <= most else { break }
            lines += Self.broken(paragraph, font, width: width, most: most + 1 - lines.count)
        }
        guard lines.count > most else { return lines }
        return lines.prefix(most - 1) + [Self.cut(lines[most - 1], font, width: width)]
    }

    private static func broken(_ text: Substring, _ font: Font, width: Double, most: Int) -> [String] {
        var lines: [String] = []
        var rest = Array(text)[...]
        while lines.count < most {
            var lineWidth = 0.0
            let overflow = rest.indices.first { place in
                lineWidth += TextMeasure.width(of: rest[place], font)
                return lineWidth > width && rest[place] != " " && place > rest.startIndex
            }
            guard let overflow else { return lines + [trimmed(rest)] }
            let word = rest.firstIndex { $0 != " " } ?? overflow
            let end = (word..<overflow).last { mayBreak(between: rest[$0], and: rest[$0 + 1]) }
            // A word that is longer than a line can break anywhere.
            let next = end.map { $0 + 1 } ?? overflow
            lines.append(trimmed(rest[..<next]))
            rest = rest[next...].drop { $0 == " " }
        }
        return lines
    }

    private static func mayBreak(between left: Character, and right: Character) -> Bool {
        if left == " " { return right != " " }
        if left == "-" || left == "/" { return right.isLetter }
        return TextMeasure.isWide(left) || TextMeasure.isWide(right)
    }

    private static func trimmed(_ line: some BidirectionalCollection<Character>) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }

    private static func cut(_ line: String, _ font: Font, width: Double) -> String {
        var line = line
        while !line.isEmpty, TextMeasure.width(of: line + "…", font) > width { line.removeLast() }
        return trimmed(line) + "…"
    }
}

struct TextBlock {
    let lines: [String]
    let font: DrawnText.Font
    let width: Double
    let isRightToLeft: Bool

    var height: Double { Double(lines.count) * font.lineHeight }
}
