internal import MockAPNsFormats
internal import MockAPNsRules

enum PayloadLints {
    /// The percentage of the limit at which a payload is near it.
    private static let nearLimit = 90

    static func nonUTF8(_ push: Candidate, _ notes: inout LintNotes) {
        // A body that parsed as JSON is valid UTF-8.
        guard push.hasBody, push.payload == nil, let offset = firstInvalidByte(push.body) else { return }
        let looks = looksLike(push.body).map { "; it looks like \($0)" } ?? ""
        notes.add([], "the body is not UTF-8 from byte \(offset) on\(looks)")
    }

    static func notJSON(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.hasBody, push.payload == nil, firstInvalidByte(push.body) == nil else { return }
        let body = push.body
        do {
            _ = try JSONParser.parse(body, repeatedNames: .lastWins)
        } catch {
            let before = body[..<error.offset]
            let line = before.count { $0 == 0x0a } + 1
            let column = error.offset - (before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0) + 1
            let mark = body.starts(with: [0xef, 0xbb, 0xbf]) ? "; it begins with a byte order mark" : ""
            notes.add(
                [],
                "the body is not JSON: expected \(error.expected) at byte \(error.offset)"
                    + " (line \(line), column \(column))\(mark)"
            )
        }
    }

    static func nearLimit(_ push: Candidate, _ notes: inout LintNotes) {
        // The alert limit is the lowest. Most payloads are far below it, so this skips computing the exact limit.
        guard push.request.bodyLength * 100 >= PushType.alert.row.payloadLimit * nearLimit else { return }
        let limit = push.request.payloadLimit
        guard push.request.bodyLength * 100 >= limit * nearLimit, push.request.bodyLength <= limit else {
            return
        }
        notes.add([], "the payload has \(push.request.bodyLength) of at most \(limit) bytes")
    }

    static func apsMissing(_ push: Candidate, _ notes: inout LintNotes) {
        guard let payload = push.payload else { return }
        guard case .object(let members) = payload else {
            return notes.add([], "the payload is \(payload.words); an object with the member aps is expected")
        }
        guard push.aps == nil, push.type.map(needsAPS) ?? true else { return }
        if let aps = members["aps"] { return notes.add(["aps"], invalid: aps, "an object is expected") }
        // An empty payload tells Wallet to update a pass.
        if members.isEmpty, push.request[.apnsTopic]?.hasPrefix("pass.") == true { return }
        let misspelt = members.keys.sorted().first { $0.lowercased() == "aps" }
        let strayed = members.keys.sorted().first { APSKeys.known.contains($0) }
        notes.add(
            [],
            "the payload has no member aps" + (strayed.map { "; \($0) is outside it" } ?? ""),
            fix: misspelt.map { "Write aps in lower case; it is '\($0)'." }
                ?? strayed.map { "Put \($0) into aps: {\"aps\":{\"\($0)\":…}}." }
        )
    }

    /// The payload of other types is up to the app.
    private static func needsAPS(_ type: PushType) -> Bool {
        switch type {
        case .alert, .background, .controls, .liveactivity, .widgets: true
        case .complication, .fileprovider, .location, .mdm, .pushtotalk, .voip: false
        }
    }

    static func badge(_ push: Candidate, _ notes: inout LintNotes) {
        guard let badge = push.aps?["badge"], !badge.isWholeNumber || (badge.double ?? 0) < 0 else { return }
        notes.add(["aps", "badge"], invalid: badge, "a whole number of at least 0 is expected")
    }

    static func sound(_ push: Candidate, _ notes: inout LintNotes) {
        let way = ["aps", "sound"]
        switch push.aps?["sound"] {
        case nil, .string?: return
        case .object(let members)?:
            let keys: [(name: String, expected: String, isValid: (JSONValue) -> Bool)] = [
                ("critical", "0 or 1", { $0 == 0 || $0 == 1 }), ("name", "the name of a sound", \.isReadable),
                ("volume", "a number from 0 to 1", { (0...1).contains($0.double ?? -1) }),
            ]
            for (name, expected, isValid) in keys {
                guard let value = members[name], !isValid(value) else { continue }
                notes.add(way + [name], invalid: value, "\(expected) is expected")
            }
            for name in members.keys.sorted() where !keys.contains(where: { $0.name == name }) {
                let shown = JSONValue.shortened(name)
                notes.add(way + [name], "'\(shown)' is not a key of sound; critical, name and volume are")
            }
        case let other?: notes.add(way, invalid: other, "a string or an object is expected")
        }
    }

    static func interruptionLevel(_ push: Candidate, _ notes: inout LintNotes) {
        let levels = ["passive", "active", "time-sensitive", "critical"]
        guard let level = push.aps?["interruption-level"], level.string.map(levels.contains) != true
        else { return }
        let expected = levels.joined(separator: ", ") + " are the levels"
        let fix = level.question(among: levels)
        notes.add(["aps", "interruption-level"], invalid: level, expected, fix: fix)
    }

    static func relevanceScore(_ push: Candidate, _ notes: inout LintNotes) {
        guard let score = push.aps?["relevance-score"] else { return }
        let isOfActivity = push.type == .liveactivity
        if let number = score.double, isOfActivity || (0...1).contains(number) { return }
        let expected = "a number \(isOfActivity ? "" : "from 0 to 1 ")is expected"
        notes.add(["aps", "relevance-score"], invalid: score, expected)
    }

    private static func firstInvalidByte(_ body: [UInt8]) -> Int? {
        var parser = Unicode.UTF8.ForwardParser()
        var bytes = body.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .valid(let scalar): offset += scalar.count
            case .error: return offset
            case .emptyInput: return nil
            }
        }
    }

    private static func looksLike(_ body: [UInt8]) -> String? {
        if body.starts(with: [0x1f, 0x8b]) { return "gzip, and APNs does not accept compressed bodies" }
        if body.starts(with: [0xff, 0xfe]) || body.starts(with: [0xfe, 0xff]) { return "UTF-16" }
        return nil
    }
}

enum LiveActivityLints {
    static func shape(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.type == .liveactivity, let aps = push.aps else { return }
        let event = event(aps, &notes)
        for name in ["timestamp", "stale-date", "dismissal-date"]
        where aps[name] != nil || name == "timestamp" {
            guard let seconds = aps[name]?.double, seconds >= 0 else {
                notes.add(["aps", name], invalid: aps[name], "a number of UNIX seconds is expected")
                continue
            }
            guard let value = aps[name], seconds >= Double(HeaderLints.firstMilliseconds) else { continue }
            let message =
                "\(name) is \(value.words), which looks like milliseconds; UNIX seconds are expected"
            notes.add(["aps", name], message)
        }
        guard let event else { return }
        var wanted: [(name: String, expected: String, isValid: (JSONValue) -> Bool)] = [
            ("content-state", "an object", isObject)
        ]
        if event == "start" {
            wanted += [
                ("attributes-type", "a string", \.isReadable), ("attributes", "an object", isObject),
                ("alert", "a string or an object", { $0.string != nil || isObject($0) }),
            ]
        }
        for (name, expected, isValid) in wanted where aps[name].map(isValid) != true {
            notes.add(["aps", name], invalid: aps[name], "\(expected) is expected of event \(event)")
        }
    }

    private static func isObject(_ value: JSONValue) -> Bool {
        if case .object = value { true } else { false }
    }

    private static func event(_ aps: [String: JSONValue], _ notes: inout LintNotes) -> String? {
        let events = ["start", "update", "end"]
        let event = aps["event"]
        if let text = event?.string, events.contains(text) { return text }
        let fix = event?.question(among: events)
        notes.add(["aps", "event"], invalid: event, "start, update or end is expected", fix: fix)
        return nil
    }
}
