internal import MockAPNsFormats

/// Text from pushes and descriptions, made safe for a terminal.
///
/// It is untrusted: characters that move the cursor, change colors or the direction of writing must not reach the
/// terminal.
enum TerminalText {
    /// The text on one line, without control characters.
    static func plain(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar {
            case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}": " "
            case "\u{61c}", "\u{200e}", "\u{200f}", "\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}": "\u{fffd}"
            default: scalar.properties.generalCategory == .control ? "\u{fffd}" : scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Seconds in whole numbers; the number as it is if it is too large for that.
    static func seconds(_ seconds: Double) -> String {
        (Int64(exactly: seconds.rounded(.down)).map(String.init) ?? "\(seconds)") + " s"
    }

    /// The text without control characters, except line feeds, and without one at the end.
    static func plainLines(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let whole = text.hasSuffix("\n") ? text.dropLast() : text[...]
        let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { plain(String($0)) }.joined(separator: "\n")
    }

    /// Words to choose from: `a, b or c`.
    static func choice(_ words: [String]) -> String {
        [words.dropLast().joined(separator: ", "), words.last].given(joinedBy: " or ") ?? ""
    }

    /// A device token, of which only the beginning and the end are shown unless it is to be `full`.
    static func token(_ token: String, full: Bool = false) -> String {
        full || token.count <= 16 ? token : "\(token.prefix(8))…\(token.suffix(4))"
    }

    /// A time of the API, to the second: `2026-01-05 10:11:12Z`.
    static func time(_ text: String) -> String {
        guard let separator = text.firstIndex(of: "T"), text.hasSuffix("Z") else { return text }
        let time = text[text.index(after: separator)...].dropLast()
        return "\(text[..<separator]) \(time.split(separator: ".").first ?? time)Z"
    }
}

/// Widths and places, for the lines of a terminal.
extension TerminalText {
    /// Text is not wrapped into less than this.
    static let narrowest = 20

    /// The columns that a text without control characters takes.
    static func width(of text: String) -> Int {
        text.utf8.count == text.unicodeScalars.count ? text.utf8.count : text.reduce(0) { $0 + (isWide($1) ? 2 : 1) }
    }

    /// Whether terminals draw a character twice as wide: most of East Asian Width W and F, and emoji.
    private static func isWide(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
            0xff00...0xff60, 0xffe0...0xffe6, 0x20000...0x3fffd:
            return true
        default: return scalar.properties.isEmojiPresentation
        }
    }

    /// The beginning of a text, with an ellipsis if it is longer.
    static func cut(_ text: String, to width: Int) -> String {
        guard self.width(of: text) > width else { return text }
        var (beginning, used) = ("", 0)
        for character in text {
            used += isWide(character) ? 2 : 1
            guard used < width else { break }
            beginning.append(character)
        }
        return beginning + "…"
    }

    /// The lines of a text that is broken at spaces; a word that is longer than a line stays whole.
    static func wrapped(_ text: String, first: Int, rest: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            let room = lines.isEmpty ? first : rest
            if index > 0, !line.isEmpty, width(of: line) + 1 + width(of: String(word)) > room {
                // The spaces at a break are left out.
                lines.append(String(line[...(line.lastIndex { $0 != " " } ?? line.startIndex)]))
                line = String(word)
            } else {
                let isFirst = index == 0 || line.isEmpty && !lines.isEmpty
                line += (isFirst ? "" : " ") + word
            }
        }
        return lines + [line]
    }

    /// The end of a text, after an ellipsis if it is longer.
    static func cutBeginning(_ text: String, to width: Int) -> String {
        String(cut(String(text.reversed()), to: width).reversed())
    }

    /// The lines of a text that are not longer than a width; a word that does not fit is broken.
    static func broken(_ text: String, to width: Int) -> [String] {
        wrapped(text, first: width, rest: width).flatMap { line -> [String] in
            var (lines, used) = ([""], 0)
            for character in line {
                let next = isWide(character) ? 2 : 1
                if used + next > width, used > 0 { (lines, used) = (lines + [""], 0) }
                lines[lines.count - 1].append(character)
                used += next
            }
            return lines
        }
    }

    /// A JSON Pointer or a part of a request in words: `/aps/alert/0` is `aps.alert[0]`.
    static func place(_ pointer: String) -> String {
        if pointer == "headers/:path" { return "the device token" }
        guard pointer.hasPrefix("/") else { return String(pointer.trimmingPrefix("headers/")) }
        return JSONPointer.words(pointer)
    }

    /// A sentence as a part of one: without a capital letter at its beginning, or a full stop at its end.
    static func clause(_ sentence: String) -> String {
        let text = sentence.hasSuffix(".") && !sentence.hasSuffix("..") ? sentence.dropLast() : sentence[...]
        let word = text.prefix { $0.isLetter }
        // Names such as APNs and JSON keep their capitals.
        let isName = word.dropFirst().contains(where: \.isUppercase)
        return isName ? String(text) : text.prefix(1).lowercased() + text.dropFirst()
    }
}

extension Sequence<String?> {
    /// The texts that are there and not empty, in one; `nil` when there are none.
    func given(joinedBy separator: String) -> String? {
        let given = compactMap(\.self).filter { !$0.isEmpty }
        return given.isEmpty ? nil : given.joined(separator: separator)
    }
}
