/// JSON with a line for each member, in its original order and spelling.
enum JSONLayout {
    /// Deeper levels are not indented further.
    private static let deepest = 40

    static func lines(of text: String) -> [String] {
        var lines = [""]
        var depth = 0
        var isInText = false
        var isEscaped = false
        var isOpening = false
        func begin() { lines.append(String(repeating: "  ", count: min(depth, deepest))) }
        for scalar in text.unicodeScalars {
            if isInText {
                isInText = isEscaped || scalar != "\""
                isEscaped = scalar == "\\" && !isEscaped
            } else if " \t\r\n".unicodeScalars.contains(scalar) {
                continue
            } else {
                let isClosing = scalar == "}" || scalar == "]"
                if isClosing { depth = max(0, depth - 1) }
                if isOpening != isClosing { begin() }
                isOpening = scalar == "{" || scalar == "["
                if isOpening { depth += 1 }
                isInText = scalar == "\""
            }
            lines[lines.count - 1].unicodeScalars.append(scalar)
            if !isInText, scalar == "," { begin() }
            if !isInText, scalar == ":" { lines[lines.count - 1] += " " }
        }
        return lines
    }
}
