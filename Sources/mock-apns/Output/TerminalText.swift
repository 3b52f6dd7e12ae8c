/// Text from pushes and descriptions, made safe for a terminal.
///
/// It is untrusted: characters that move the cursor, change colours or the direction of writing must not reach the
/// terminal.
enum TerminalText {
    /// The text on one line, without control characters.
    static func plain(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar {
            case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}": " "
            case "\u{61c}", "\u{200e}", "\u{200f}", "\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}":
                "\u{fffd}"
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

extension Sequence<String?> {
    /// The texts that are there and not empty, in one; `nil` when there are none.
    func given(joinedBy separator: String) -> String? {
        let given = compactMap(\.self).filter { !$0.isEmpty }
        return given.isEmpty ? nil : given.joined(separator: separator)
    }
}
