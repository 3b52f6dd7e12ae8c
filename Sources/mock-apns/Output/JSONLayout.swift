/// JSON with a line for each member, in its original order and spelling.
enum JSONLayout {
    /// Deeper levels are not indented further.
    private static let deepest = 40

    static func lines(of text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        var depth = 0
        var isInText = false
        var isEscaped = false
        var opening = false
        func begin() {
            lines.append(line)
            line = String(repeating: "  ", count: min(depth, deepest))
        }
        for scalar in text.unicodeScalars {
            if isInText {
                line.unicodeScalars.append(scalar)
                isInText = isEscaped || scalar != "\""
                isEscaped = scalar == "\\" && !isEscaped
                continue
            }
            switch scalar {
            case " ", "\t", "\r", "\n": continue
            case "}", "]":
                depth = max(0, depth - 1)
                if !opening { begin() }
                line.unicodeScalars.append(scalar)
                opening = false
                continue
            default: break
            }
            if opening { begin() }
            opening = false
            line.unicodeScalars.append(scalar)
            switch scalar {
            case "{", "[":
                depth += 1
                opening = true
            case ",": begin()
            case ":": line += " "
            case "\"": isInText = true
            default: break
            }
        }
        return lines + [line]
    }
}
