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

    /// The name in BCP 47 format.
    public var description: String { parts.joined(separator: "-") }

    /// The language without script and region.
    package var language: String { parts[0] }

    /// The script, such as `Hans`, if the name has one.
    var script: String? { parts.dropFirst().first { $0.utf8.count == 4 && $0.utf8.allSatisfy { $0 > 0x39 } } }

    /// The region, such as `BR` or `419`, if the name has one.
    package var region: String? {
        parts.dropFirst().first { part in
            part.utf8.count == 2 || part.utf8.count == 3 && part.utf8.allSatisfy { $0 <= 0x39 }
        }
    }

    /// Orders by name.
    public static func < (left: LanguageTag, right: LanguageTag) -> Bool { left.description < right.description }
}

extension LanguageTag: MemberwiseArchived {
    package static let format = ArchiveFormat<LanguageTag>(checking: { LanguageTag($0) }, \.description)
}
