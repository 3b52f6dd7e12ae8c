internal import MockAPNsFormats
internal import MockAPNsRules

enum PayloadLints {
    /// The percentage of the limit at which a payload is near it.
    private static let nearLimit = 90

    static func nonUTF8(_ push: LintedPush, _ notes: inout LintNotes) {
        // A body that parsed as JSON is valid UTF-8.
        guard push.hasBody, push.payload == nil, let offset = firstInvalidByte(push.body) else { return }
        let looks = looksLike(push.body).map { "; it looks like \($0)" } ?? ""
        notes.add([], "the body is not UTF-8 from byte \(offset) on\(looks)")
    }

    static func notJSON(_ push: LintedPush, _ notes: inout LintNotes) {
        guard push.hasBody, push.payload == nil, String(validating: push.body, as: UTF8.self) != nil else {
            return
        }
        do {
            _ = try JSONParser.parse(push.body, repeatedNames: .lastWins)
        } catch {
            let before = push.body[..<error.offset]
            let line = before.count { $0 == 0x0a } + 1
            let column = error.offset - (before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0) + 1
            let mark = push.body.starts(with: [0xef, 0xbb, 0xbf]) ? "; it begins with a byte order mark" : ""
            notes.add(
                [],
                "the body is not JSON: expected \(error.expected) at byte \(error.offset)"
                    + " (line \(line), column \(column))\(mark)"
            )
        }
    }

    static func nearLimit(_ push: LintedPush, _ notes: inout LintNotes) {
        // The alert limit is the lowest. Most payloads are far below it, so this skips computing the exact limit.
        guard push.bodyLength * 100 >= PushType.alert.row.payloadLimit * nearLimit else { return }
        let limit = push.payloadLimit
        guard push.bodyLength * 100 >= limit * nearLimit, push.bodyLength <= limit else { return }
        notes.add([], "the payload has \(push.bodyLength) of at most \(limit) bytes")
    }

    static func apsMissing(_ push: LintedPush, _ notes: inout LintNotes) {
        guard let payload = push.payload else { return }
        guard case .object(let members) = payload else {
            return notes.add([], "the payload is \(payload.words); an object with the member aps is expected")
        }
        guard push.aps == nil, push.type.map(needsAPS) ?? true else { return }
        if let aps = members["aps"] {
            return notes.add(["aps"], "aps is \(aps.words); an object is expected")
        }
        // An empty payload tells Wallet to update a pass.
        if members.isEmpty, push.topic?.hasPrefix("pass.") == true { return }
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

    static func badge(_ push: LintedPush, _ notes: inout LintNotes) {
        guard let badge = push.aps?["badge"] else { return }
        guard !badge.isWholeNumber || (badge.double ?? 0) < 0 else { return }
        notes.add(["aps", "badge"], "badge is \(badge.words); a whole number of at least 0 is expected")
    }

    static func sound(_ push: LintedPush, _ notes: inout LintNotes) {
        guard let sound = push.aps?["sound"] else { return }
        switch sound {
        case .string: return
        case .object(let members):
            if let critical = members["critical"], critical != 0, critical != 1 {
                notes.add(["aps", "sound", "critical"], "critical is \(critical.words); 0 or 1 is expected")
            }
            if let name = members["name"], !name.isReadable {
                notes.add(["aps", "sound", "name"], "name is \(name.words); the name of a sound is expected")
            }
            if let volume = members["volume"], !(0...1).contains(volume.double ?? -1) {
                let message = "volume is \(volume.words); a number from 0 to 1 is expected"
                notes.add(["aps", "sound", "volume"], message)
            }
            for name in members.keys.sorted() where !["critical", "name", "volume"].contains(name) {
                let message =
                    "'\(JSONValue.shortened(name))' is not a key of sound; critical, name and volume are"
                notes.add(["aps", "sound", name], message)
            }
        default:
            notes.add(["aps", "sound"], "sound is \(sound.words); a string or an object is expected")
        }
    }

    static func interruptionLevel(_ push: LintedPush, _ notes: inout LintNotes) {
        let levels = ["passive", "active", "time-sensitive", "critical"]
        guard let level = push.aps?["interruption-level"], !level.isOne(of: levels) else { return }
        notes.add(
            ["aps", "interruption-level"],
            "interruption-level is \(level.words); \(levels.joined(separator: ", ")) are the levels",
            fix: level.question(among: levels)
        )
    }

    static func relevanceScore(_ push: LintedPush, _ notes: inout LintNotes) {
        guard let score = push.aps?["relevance-score"] else { return }
        let isOfActivity = push.type == .liveactivity
        if let number = score.double, isOfActivity || (0...1).contains(number) { return }
        notes.add(
            ["aps", "relevance-score"],
            "relevance-score is \(score.words); a number\(isOfActivity ? "" : " from 0 to 1") is expected"
        )
    }

    private static func firstInvalidByte(_ body: [UInt8]) -> Int? {
        guard String(validating: body, as: UTF8.self) == nil else { return nil }
        // Binary search for the longest valid prefix. The middle may be inside a character: try up to three more bytes.
        var (valid, end) = (0, body.count)
        while end - valid > 1 {
            let middle = (valid + end) / 2
            let isValid = (0...min(3, body.count - middle)).contains { more in
                String(validating: body[..<(middle + more)], as: UTF8.self) != nil
            }
            if isValid { valid = middle } else { end = middle }
        }
        return valid
    }

    private static func looksLike(_ body: [UInt8]) -> String? {
        if body.starts(with: [0x1f, 0x8b]) { return "gzip, and APNs does not accept compressed bodies" }
        if body.starts(with: [0xff, 0xfe]) || body.starts(with: [0xfe, 0xff]) { return "UTF-16" }
        return nil
    }
}
