/// One block of a PEM text (RFC 7468), not decoded.
///
/// OpenSSL finds blocks too, but its errors do not name the blocks that it skips. Lines may be indented
/// (keys pasted into YAML) and may end in CR LF.
struct PEMBlock {
    let label: String
    /// The whole block, its lines trimmed and each ended by a line feed.
    private(set) var text: String
    /// Whether the block ends with `-----END …-----` and the same label.
    private(set) var isComplete: Bool

    var isPrivateKey: Bool { label.hasSuffix("PRIVATE KEY") }
    var isPublicKey: Bool { label.hasSuffix("PUBLIC KEY") }

    /// Whether the block carries the header lines of an encrypted key in the traditional form (RFC 1421).
    var isEncrypted: Bool { label == "ENCRYPTED PRIVATE KEY" || text.contains("\nProc-Type: 4,ENCRYPTED\n") }

    /// All blocks of a text, in order; a block that is cut off ends with the text or at the next block.
    static func all(in text: String) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        for line in text.split(whereSeparator: \.isNewline).map(trimmed) {
            if let label = label(of: line, after: "-----BEGIN ") {
                blocks.append(PEMBlock(label: label, text: line + "\n", isComplete: false))
            } else if let last = blocks.indices.last, !blocks[last].isComplete {
                blocks[last].text += line + "\n"
                blocks[last].isComplete = label(of: line, after: "-----END ") == blocks[last].label
            }
        }
        return blocks
    }

    private static func trimmed(_ line: Substring) -> Substring {
        // A byte order mark at the start of the file would hide the first line.
        let isBlank = { (character: Character) in character.isWhitespace || character == "\u{FEFF}" }
        guard let first = line.firstIndex(where: { !isBlank($0) }), let last = line.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return line[first...last]
    }

    private static func label(of line: Substring, after opening: String) -> String? {
        let closing = "-----"
        guard line.hasPrefix(opening), line.hasSuffix(closing), line.count > opening.count + closing.count else {
            return nil
        }
        let label = line.dropFirst(opening.count).dropLast(closing.count)
        return label.contains("-----") ? nil : String(label)
    }
}
