internal import MockAPNsRules

/// The notification's app, derived from the topic because the server has neither its name nor its icon.
package struct PreviewedApp: Equatable {
    /// The bundle identifier, which is the topic without the push type's suffix.
    package let bundleID: String
    /// The display name: the last meaningful part of the bundle identifier, with each word capitalized.
    package let name: String

    private static let endings: Set<String> = [
        "ios", "watchkitapp", "clip", "debug", "dev", "staging", "beta",
    ]

    package init(topic: String?) {
        var topic = topic ?? ""
        bundleID = topic.withUTF8 { Topic(ByteSpan($0)).bundleID.text }
        let parts = bundleID.split(separator: ".").map(String.init)
        let last = parts.last { !Self.endings.contains($0.lowercased()) } ?? parts.last ?? ""
        let words = last.split { "-_ ".contains($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        name = words.isEmpty ? "Unknown App" : String(words.joined(separator: " ").prefix(40))
    }

    package var letter: String { String(name.prefix(1)) }

    /// The colors of the icon's gradient, which are always the same for the same app.
    package var colors: (top: String, bottom: String) {
        // FNV-1a, because Swift seeds its hashes differently in each process.
        let hash = bundleID.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return Self.palette[Int(hash % UInt32(Self.palette.count))]
    }

    private static let palette: [(top: String, bottom: String)] = [
        ("#5ac8fa", "#0a7aff"), ("#ff9f6b", "#ff3b30"), ("#7ee787", "#1f9d4c"), ("#c79bff", "#7d3ff8"),
        ("#ffd76a", "#ff9500"), ("#ff8fb8", "#e0245e"), ("#6fe3d6", "#0d9488"), ("#9fb4ff", "#4254e8"),
        ("#b7c0cc", "#566273"), ("#f0a6ff", "#b02fd6"), ("#8ddcff", "#0891b2"), ("#d4e157", "#7b9a10"),
    ]

    package static func == (left: PreviewedApp, right: PreviewedApp) -> Bool {
        left.bundleID == right.bundleID
    }
}
