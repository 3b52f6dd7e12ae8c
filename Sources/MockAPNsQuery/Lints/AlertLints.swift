internal import MockAPNsFormats
internal import MockAPNsRules

enum AlertLints {
    private static let visible = ["alert", "badge", "sound"]

    static func unknownKey(_ push: Candidate, _ notes: inout LintNotes) {
        for stranger in push.strangers {
            guard let meant = stranger.meant else { continue }
            let pointer = meant.map { "/" + $0 }.joined()
            let message = "'\(stranger.name)' is not a key of \(stranger.holder)"
            notes.add(stranger.way, message, fix: "Did you mean \(pointer)?")
        }
    }

    static func customKey(_ push: Candidate, _ notes: inout LintNotes) {
        for stranger in push.strangers where stranger.meant == nil {
            notes.add(stranger.way, "'\(stranger.name)' is in \(stranger.holder), where iOS ignores it")
        }
    }

    static func backgroundWithAlert(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.type == .background, push.reading.special == nil, let aps = push.aps else { return }
        let shown = visible.filter { aps[$0] != nil }
        guard let first = shown.first else { return }
        let seen = shown.joined(separator: ", ")
        notes.add(["aps", first], "a background push has \(seen); content-available alone is expected")
    }

    static func backgroundWithoutContentAvailable(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.type == .background, push.reading.special == nil, push.aps != nil else { return }
        notes.add(push.reading.unmetNeeds)
    }

    static func withoutText(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.type == .alert, push.reading.special == nil, let aps = push.aps else { return }
        switch aps["alert"] {
        case nil:
            guard push.reading.badge.number == nil, !push.reading.sound.isHeard else { return }
            notes.add(
                ["aps"],
                "push type alert, and aps has no alert, and no badge or sound that iOS reads: nothing is shown",
                fix: aps["content-available"] == nil
                    ? nil : "Send apns-push-type: background with apns-priority: 5, or give it an alert.")
        case _? where push.reading.alert.hasText: return
        case .string?: notes.add(["aps", "alert"], "alert is an empty string; a text is expected")
        case .object?:
            notes.add(
                ["aps", "alert"], "alert has no text; a title, subtitle or body, or a loc-key for one, is expected")
        case let other?: notes.add(["aps", "alert"], invalid: other, "a string or an object is expected")
        }
    }

    static func contentAvailable(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.type == .alert, let aps = push.aps, push.reading.isContentAvailable else { return }
        let shown = visible.filter { aps[$0] != nil }.joined(separator: ", ")
        guard !shown.isEmpty else { return }
        let message = "content-available is combined with \(shown): this is an alert that may also wake the app"
        notes.add(["aps", "content-available"], message)
    }

    static func mutableContent(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.type == .alert || push.type == .background, push.reading.isContentMutable,
            !push.reading.alert.hasText
        else { return }
        let message = "mutable-content is set without an alert text: the service extension does not run"
        notes.add(["aps", "mutable-content"], message)
    }

    static func arguments(_ push: Candidate, _ notes: inout LintNotes) {
        let alert = push.aps?["alert"]
        check(alert, at: ["aps", "alert"], &notes)
        guard push.type == .liveactivity else { return }
        for name in ["title", "body"] { check(alert?[name], at: ["aps", "alert", name], &notes) }
    }

    private static func check(_ text: JSONValue?, at way: [String], _ notes: inout LintNotes) {
        for key in ["loc-args", "subtitle-loc-args", "title-loc-args"] {
            switch text?[key] {
            case nil: continue
            // Apple's archived reference allows null here, but only for the title.
            case .null? where key == "title-loc-args": continue
            case .array(let values)?:
                let owner = String(key.dropLast("args".count)) + "key"
                if !values.isEmpty, text?[owner] == nil {
                    notes.add(
                        way + [key], "\(key) is there without \(owner), so there is no text to put the arguments into",
                        fix: "Send \(owner) with it, or omit it.")
                }
                for (position, value) in values.enumerated() {
                    if case .string = value { continue }
                    let message = "an argument is \(value.words); a string is expected"
                    notes.add(way + [key, "\(position)"], message)
                }
            case let other?: notes.add(way + [key], invalid: other, "an array of strings is expected")
            }
        }
    }

    static func outside(_ push: Candidate, _ notes: inout LintNotes) {
        guard let type = push.type, let aps = push.aps, case .object(let members)? = push.payload else { return }
        let owners = owners(of: type, push.reading.special)
        for name in members.keys.sorted() {
            guard let (meant, owner) = APSKeys.owned[PayloadMember.letters(of: name)], owners.contains(owner),
                aps[meant] == nil
            else { continue }
            // These are also common words: an app may have them for itself in a silent push, or in another spelling.
            if visible.contains(meant), type == .background || name != meant { continue }
            notes.add(
                [name], "'\(JSONValue.shortened(name))' is beside aps, where iOS ignores it",
                fix: "Put \(meant) into aps: {\"aps\":{\"\(meant)\":…}}.")
        }
    }
}

extension AlertLints {
    private static func owners(of type: PushType, _ special: SpecialTopic?) -> [PayloadMember.Owner] {
        switch (special, type) {
        case (.website, _): [.websites]
        case (nil, .liveactivity): [.everyone, .liveActivities]
        case (nil, .alert), (nil, .background): [.everyone]
        default: []
        }
    }
}

/// The payload keys documented by Apple.
enum APSKeys {
    static let known = PayloadMember.ofAPS.map(\.name)
    static let ofAlert = PayloadMember.ofAlert.map(\.name)
    /// The members of `aps` that no app has beside it, by their letters, and in which pushes.
    static let owned = Dictionary(
        uniqueKeysWithValues: PayloadMember.ofAPS.map {
            (PayloadMember.letters(of: $0.name), (name: $0.name, owner: $0.owner))
        })
    /// What is sent in the alert in place of one of its keys.
    private static let aliases = [
        "body-loc-args": "loc-args", "body-loc-key": "loc-key", "content": "body", "message": "body", "text": "body",
    ]

    /// An undocumented or misplaced key, and the key that was probably meant.
    struct Stranger {
        let way: [String]
        let meant: [String]?

        var name: String { JSONValue.shortened(way.last ?? "") }
        /// The object that has the key, such as `aps.alert`.
        var holder: String { way.dropLast().joined(separator: ".") }
    }

    /// Returns the undocumented or misplaced keys in `aps` and then in its alert, each sorted by name.
    static func strangers(in push: Candidate) -> [Stranger] {
        guard let aps = push.aps else { return [] }
        let members = PayloadMember.ofAPS(of: push.type)
        let alert = aps["alert"]
        // Most pushes have none.
        guard has(aps, besides: members) || has(alert, besides: PayloadMember.ofAlert) || alert?["sound"] != nil else {
            return []
        }
        let known = members.map(\.name)
        let ofAPS = aps.keys.sorted().filter { !known.contains($0) }.map { name in
            let isOfAlert = ofAlert.contains(name) && known.contains("alert")
            let meant = isOfAlert ? ["alert", name] : meant(name, among: known).map { [$0] }
            return Stranger(way: ["aps", name], meant: meant.map { ["aps"] + $0 })
        }
        guard case .object(let alert)? = alert else { return ofAPS }
        let common = ofAlert.filter { $0 != "sound" }
        let own = push.type == .liveactivity ? ofAlert : common
        let ofItsAlert = alert.keys.sorted().filter { !own.contains($0) }.map { name in
            let meant =
                known.contains(name) ? [name] : (aliases[name] ?? meant(name, among: common)).map { ["alert", $0] }
            return Stranger(way: ["aps", "alert", name], meant: meant.map { ["aps"] + $0 })
        }
        return ofAPS + ofItsAlert
    }

    private static func has(_ object: [String: JSONValue], besides members: [PayloadMember]) -> Bool {
        object.keys.contains { name in !members.contains { $0.name == name } }
    }

    private static func has(_ value: JSONValue?, besides members: [PayloadMember]) -> Bool {
        guard case .object(let object)? = value else { return false }
        return has(object, besides: members)
    }

    /// Ignores case, `-` and `_`, so `contentAvailable` and `content_available` match `content-available`.
    private static func meant(_ name: String, among keys: [String]) -> String? {
        guard name.utf8.count <= 64 else { return nil }
        let letters = PayloadMember.letters(of: name)
        return keys.first { PayloadMember.letters(of: $0) == letters } ?? Suggestion.nearest(to: name, among: keys)
    }
}
