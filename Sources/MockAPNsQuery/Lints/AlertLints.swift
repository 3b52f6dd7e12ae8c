internal import MockAPNsFormats
internal import MockAPNsRules

enum AlertLints {
    private static let visible = ["alert", "badge", "sound"]

    static func unknownKey(_ push: LintedPush, _ notes: inout LintNotes) {
        for stranger in APSKeys.strangers(in: push) {
            guard let meant = stranger.meant else { continue }
            let pointer = meant.map { "/" + $0 }.joined()
            let message = "'\(stranger.name)' is not a key of \(stranger.holder)"
            notes.add(stranger.way, message, fix: "Did you mean \(pointer)?")
        }
    }

    static func customKey(_ push: LintedPush, _ notes: inout LintNotes) {
        for stranger in APSKeys.strangers(in: push) where stranger.meant == nil {
            notes.add(stranger.way, "'\(stranger.name)' is in \(stranger.holder), where iOS ignores it")
        }
    }

    static func backgroundWithAlert(_ push: LintedPush, _ notes: inout LintNotes) {
        guard push.type == .background, let aps = push.aps else { return }
        let shown = visible.filter { aps[$0] != nil }
        guard let first = shown.first else { return }
        notes.add(
            ["aps", first],
            "a background push has \(shown.joined(separator: ", ")); content-available alone is expected"
        )
    }

    static func backgroundWithoutContentAvailable(_ push: LintedPush, _ notes: inout LintNotes) {
        guard push.type == .background, let aps = push.aps else { return }
        let value = aps["content-available"]
        guard value != 1 else { return }
        notes.add(
            value == nil ? ["aps"] : ["aps", "content-available"],
            "content-available is \(value?.words ?? "absent"); the number 1 is expected of a background push"
        )
    }

    static func withoutText(_ push: LintedPush, _ notes: inout LintNotes) {
        guard push.type == .alert, let aps = push.aps else { return }
        switch aps["alert"] {
        case nil:
            guard aps["badge"] == nil, aps["sound"] == nil else { return }
            notes.add(
                ["aps"],
                "push type alert, and aps has no alert, badge or sound: nothing is shown",
                fix: aps["content-available"] == nil
                    ? nil : "Send apns-push-type: background with apns-priority: 5, or give it an alert."
            )
        case .string(let text)?:
            guard !JSONValue.string(text).isReadable else { return }
            notes.add(["aps", "alert"], "alert is an empty string; a text is expected")
        case .object(let alert)?:
            guard !hasText(alert) else { return }
            notes.add(
                ["aps", "alert"],
                "alert has no text; a title, subtitle or body, or a loc-key for one, is expected"
            )
        case let other?:
            notes.add(["aps", "alert"], "alert is \(other.words); a string or an object is expected")
        }
    }

    static func contentAvailable(_ push: LintedPush, _ notes: inout LintNotes) {
        guard push.type == .alert, let aps = push.aps, aps["content-available"]?.isOn == true else { return }
        let shown = visible.filter { aps[$0] != nil }
        guard !shown.isEmpty else { return }
        notes.add(
            ["aps", "content-available"],
            "content-available is combined with \(shown.joined(separator: ", ")): this is an alert that may"
                + " also wake the app"
        )
    }

    static func mutableContent(_ push: LintedPush, _ notes: inout LintNotes) {
        guard push.type == .alert || push.type == .background, let aps = push.aps,
            aps["mutable-content"]?.isOn == true
        else { return }
        switch aps["alert"] {
        case .string(let text)? where JSONValue.string(text).isReadable: return
        case .object(let alert)? where hasText(alert): return
        default:
            notes.add(
                ["aps", "mutable-content"],
                "mutable-content is set without an alert text: the service extension does not run"
            )
        }
    }

    static func arguments(_ push: LintedPush, _ notes: inout LintNotes) {
        guard case .object(let alert)? = push.aps?["alert"] else { return }
        check(alert, at: ["aps", "alert"], &notes)
        guard push.type == .liveactivity else { return }
        for name in ["title", "body"] {
            guard case .object(let text)? = alert[name] else { continue }
            check(text, at: ["aps", "alert", name], &notes)
        }
    }

    private static func check(_ text: [String: JSONValue], at way: [String], _ notes: inout LintNotes) {
        for key in APSKeys.arguments {
            switch text[key] {
            case nil: continue
            // Apple's archived reference allows null here, but only for the title.
            case .null? where key == "title-loc-args": continue
            case .array(let values)?:
                for (position, value) in values.enumerated() {
                    if case .string = value { continue }
                    let message = "an argument is \(value.words); a string is expected"
                    notes.add(way + [key, "\(position)"], message)
                }
            case let other?:
                notes.add(way + [key], "\(key) is \(other.words); an array of strings is expected")
            }
        }
    }

    private static func hasText(_ alert: [String: JSONValue]) -> Bool {
        ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"]
            .contains { alert[$0]?.isReadable == true }
    }
}
