internal import MockAPNsFormats
internal import MockAPNsRules

/// The payload keys documented by Apple.
enum APSKeys {
    static let known = [
        "alert", "attributes", "attributes-type", "badge", "category", "content-available", "content-changed",
        "content-state", "dismissal-date", "event", "filter-criteria", "input-push-channel",
        "input-push-token", "interruption-level", "mutable-content", "relevance-score", "sound", "stale-date",
        "target-content-id", "thread-id", "timestamp", "url-args",
    ]

    /// `sound` is only for Live Activities.
    static let ofAlert = [
        "action", "action-loc-key", "body", "launch-image", "loc-args", "loc-key", "sound", "subtitle",
        "subtitle-loc-args", "subtitle-loc-key", "summary-arg", "summary-arg-count", "title",
        "title-loc-args", "title-loc-key",
    ]

    static let arguments = ["loc-args", "subtitle-loc-args", "title-loc-args"]

    /// An undocumented or misplaced key, and the key that was probably meant.
    struct Stranger {
        let way: [String]
        let meant: [String]?

        var name: String { JSONValue.shortened(way.last ?? "") }
        /// The object that has the key, such as `aps.alert`.
        var holder: String { way.dropLast().joined(separator: ".") }
    }

    /// Returns the undocumented or misplaced keys in `aps` and then in its alert, each sorted by name.
    static func strangers(in push: LintedPush) -> [Stranger] {
        guard let aps = push.aps else { return [] }
        var strangers = aps.keys.sorted().filter { !known.contains($0) }.map { name in
            if ofAlert.contains(name) { return Stranger(way: ["aps", name], meant: ["aps", "alert", name]) }
            return Stranger(way: ["aps", name], meant: meant(name, among: known).map { ["aps", $0] })
        }
        guard case .object(let alert)? = aps["alert"] else { return strangers }
        let isOfActivity = push.type == .liveactivity
        for name in alert.keys.sorted() where !ofAlert.contains(name) || name == "sound" && !isOfActivity {
            let way = ["aps", "alert", name]
            if known.contains(name) {
                strangers.append(Stranger(way: way, meant: ["aps", name]))
            } else {
                let meant = meant(name, among: ofAlert.filter { $0 != "sound" })
                strangers.append(Stranger(way: way, meant: meant.map { ["aps", "alert", $0] }))
            }
        }
        return strangers
    }

    /// Returns the closest documented key.
    ///
    /// Ignores case, `-` and `_`, so `contentAvailable` and `content_available` match `content-available`.
    private static func meant(_ name: String, among keys: [String]) -> String? {
        guard name.utf8.count <= 64 else { return nil }
        let letters = letters(of: name)
        return keys.first { Self.letters(of: $0) == letters } ?? Suggestion.nearest(to: name, among: keys)
    }

    private static func letters(of name: String) -> String {
        name.lowercased().filter { $0 != "-" && $0 != "_" }
    }
}
