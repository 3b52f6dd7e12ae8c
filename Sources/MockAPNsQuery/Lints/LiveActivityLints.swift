internal import MockAPNsFormats
internal import MockAPNsRules

enum LiveActivityLints {
    private enum Form: String {
        case seconds = "a number of UNIX seconds"
        case object = "an object"
        case name = "a string"

        func fits(_ value: JSONValue) -> Bool {
            switch (self, value) {
            case (.object, .object): true
            case (.name, .string): value.isReadable
            case (.seconds, _): value.double.map { $0 >= 0 } ?? false
            default: false
            }
        }
    }

    static func shape(_ push: LintedPush, _ notes: inout LintNotes) {
        guard push.type == .liveactivity, let aps = push.aps else { return }
        let event = event(aps, &notes)
        require("timestamp", .seconds, of: aps, "", &notes)
        for name in ["stale-date", "dismissal-date"] where aps[name] != nil {
            require(name, .seconds, of: aps, "", &notes)
        }
        guard let event else { return }
        require("content-state", .object, of: aps, " of event \(event)", &notes)
        guard event == "start" else { return }
        require("attributes-type", .name, of: aps, " of event start", &notes)
        require("attributes", .object, of: aps, " of event start", &notes)
        switch aps["alert"] {
        case .string?, .object?: return
        case let other:
            notes.add(
                other == nil ? ["aps"] : ["aps", "alert"],
                "alert is \(other?.words ?? "absent"); a string or an object is expected of event start"
            )
        }
    }

    private static func event(_ aps: [String: JSONValue], _ notes: inout LintNotes) -> String? {
        let events = ["start", "update", "end"]
        let event = aps["event"]
        if case .string(let text)? = event, events.contains(text) { return text }
        notes.add(
            event == nil ? ["aps"] : ["aps", "event"],
            "event is \(event?.words ?? "absent"); start, update or end is expected",
            fix: event?.question(among: events)
        )
        return nil
    }

    private static func require(
        _ name: String,
        _ form: Form,
        of aps: [String: JSONValue],
        _ condition: String,
        _ notes: inout LintNotes
    ) {
        guard let value = aps[name] else {
            return notes.add(["aps"], "\(name) is absent; \(form.rawValue) is expected\(condition)")
        }
        guard form.fits(value) else {
            let message = "\(name) is \(value.words); \(form.rawValue) is expected\(condition)"
            return notes.add(["aps", name], message)
        }
        guard form == .seconds, let seconds = value.double, seconds >= Double(HeaderLints.firstMilliseconds)
        else { return }
        notes.add(
            ["aps", name],
            "\(name) is \(value.words), which looks like milliseconds; UNIX seconds are expected"
        )
    }
}
