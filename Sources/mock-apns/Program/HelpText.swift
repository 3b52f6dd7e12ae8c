internal import ArgumentParser

/// The help that ArgumentParser renders, with lines of limited length and headings in bold.
enum HelpText {
    /// Longer lines are hard to read.
    private static let widest = 100
    /// Examples are broken for this width, so that they can be pasted from a narrower terminal, too.
    static let narrowest = Terminal.standardWidth

    private static let headings = [
        "OVERVIEW:", "USAGE:", "ARGUMENTS:", "OPTIONS:", "SUBCOMMANDS:", "Example:", "Examples:",
    ]

    /// The columns for help: those of the terminal, or of `COLUMNS` in a pipe too.
    static func width(of terminal: Terminal, environment: [String: String]) -> Int {
        let wanted = terminal.width ?? Terminal.columns(in: environment) ?? Terminal.standardWidth
        return max(narrowest, min(widest, wanted))
    }

    /// Returns a text of ArgumentParser, which has been rendered for this width, with its usage wrapped.
    static func shown(_ text: String, width: Int, on terminal: Terminal) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("USAGE: ") ? usage(String(line), width) : String(line)
        }
        let shown = lines.map { line in
            guard let heading = headings.first(where: line.hasPrefix) else { return line }
            return terminal.styled(heading, .heading) + line.dropFirst(heading.count)
        }
        return shown.joined(separator: "\n").trimmingSuffix { $0 == "\n" }
    }

    /// Returns how a command is used, after some words.
    static func usage(
        _ words: String, of command: any ParsableCommand.Type, in root: any ParsableCommand.Type
    ) -> String { usage(words + root.usageString(for: command, includeHidden: false), narrowest) }

    /// Breaks a usage between its parts; an option and its value are one.
    private static func usage(_ line: String, _ width: Int) -> String {
        let start = line.prefix { $0 == " " }
        let indent = String(repeating: " ", count: start.count + "usage: ".count)
        var lines: [String] = []
        var current = String(start)
        for part in parts(of: line.dropFirst(start.count)) {
            let space = current.hasSuffix(" ") || current.isEmpty ? "" : " "
            if current.count + space.count + part.count > width {
                lines.append(current)
                current = indent + part
            } else {
                current += space + part
            }
        }
        return (lines + [current]).joined(separator: "\n")
    }

    /// The words of a usage; brackets keep words together.
    private static func parts(of usage: Substring) -> [String] {
        var (parts, depth) = ([""], 0)
        for character in usage {
            depth += character == "[" ? 1 : character == "]" ? -1 : 0
            if character == " ", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }
}

extension String {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
        lastIndex { !isTrimmed($0) }.map { String(self[...$0]) } ?? ""
    }
}
