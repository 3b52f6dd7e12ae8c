internal import MockAPNsRules

/// The app of a notification, as far as its topic tells: nobody here has its name or its icon.
package struct PreviewedApp: Equatable {
    /// The bundle identifier: the topic without the suffix of a push type.
    package let bundleID: String
    /// The last part of the bundle identifier, in words that begin with capitals.
    package let name: String

    /// Words of a bundle identifier that name no app.
    private static let endings: Set<String> = [
        "ios", "watchkitapp", "clip", "debug", "dev", "staging", "beta",
    ]

    /// - Parameter topic: the topic; `nil` for a push without one.
    package init(topic: String?) {
        var topic = topic ?? ""
        bundleID = topic.withUTF8 { Topic(ByteSpan($0)).bundleID.text }
        let parts = bundleID.split(separator: ".").map(String.init)
        let last = parts.last { !Self.endings.contains($0.lowercased()) } ?? parts.last ?? ""
        let words = last.split { "-_ ".contains($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        name = words.isEmpty ? "Unknown App" : String(words.joined(separator: " ").prefix(40))
    }

    /// What stands on the icon.
    package var letter: String { String(name.prefix(1)) }

    /// The two colours between which the icon lies, the upper one first; the same for the same app.
    package var colors: (top: String, bottom: String) {
        // FNV-1a, because Swift's hashes are others in each process.
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
