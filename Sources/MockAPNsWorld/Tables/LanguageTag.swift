package import MockAPNsFormats

/// A language as Apple names it: `en`, `pt-BR`, `zh-Hans`.
///
/// The input may have hyphens or underscores and any letter case; it is stored in BCP 47 format.
public struct LanguageTag: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The parts, each in the letter case that BCP 47 recommends.
    private let parts: [String]

    private static let longest = 35

    /// Parses a name; `nil` if it is invalid.
    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count) else { return nil }
        let given = text.utf8.split(omittingEmptySubsequences: false) { "-_".utf8.contains($0) }
        var parts: [String] = []
        for part in given {
            let isWord = part.allSatisfy { ($0 | 0x20) &- 0x61 < 26 }
            let isOther = part.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 }
            let isFit = parts.isEmpty ? isWord && (2...8).contains(part.count) : isOther && part.count <= 8
            guard isFit, !part.isEmpty else { return nil }
            let lower = String(Substring(part)).lowercased()
            switch (parts.isEmpty, part.count) {
            case (false, 2): parts.append(lower.uppercased())
            case (false, 4): parts.append(lower.prefix(1).uppercased() + lower.dropFirst())
            default: parts.append(lower)
            }
        }
        self.parts = parts
    }

    private init(parts: [String]) { self.parts = parts }

    /// The name in BCP 47 format.
    public var description: String { parts.joined(separator: "-") }

    /// The language without script and region.
    var base: LanguageTag { LanguageTag(parts: Array(parts.prefix(1))) }

    /// The language itself, then without its last part, and so on: `pt-BR`, `pt`.
    var fallbacks: [LanguageTag] { parts.indices.reversed().map { LanguageTag(parts: Array(parts[...$0])) } }

    /// Orders by name.
    public static func < (left: LanguageTag, right: LanguageTag) -> Bool { left.description < right.description }
}

extension LanguageTag: MemberwiseArchived {
    package static let format = ArchiveFormat<LanguageTag>(checking: { LanguageTag($0) }, \.description)
}
