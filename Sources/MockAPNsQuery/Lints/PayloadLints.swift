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
        guard push.aps == nil, needsAPS(push), ForeignShape(payload) == nil else { return }
        if let aps = members["aps"] { return notes.add(["aps"], invalid: aps, "an object is expected") }
        let misspelt = members.keys.sorted().first { $0.lowercased() == "aps" }
        let strayed = members.keys.sorted().first { APSKeys.known.contains($0) }
        notes.add(
            [],
            "the payload has no member aps" + (strayed.map { "; \($0) is outside it" } ?? ""),
            fix: misspelt.map { "Write aps in lower case; it is '\($0)'." }
                ?? strayed.map { "Put \($0) into aps: {\"aps\":{\"\($0)\":…}}." }
        )
    }

    /// The payload of other types is up to the app, and Wallet gets an empty one.
    private static func needsAPS(_ push: Candidate) -> Bool {
        guard push.reading.special != .wallet else { return false }
        guard let type = push.type else { return true }
        return switch type {
        case .accessory, .alert, .background, .controls, .liveactivity, .widgets: true
        case .complication, .fileprovider, .location, .mdm, .pushtotalk, .voip: false
        }
    }

    static func badge(_ push: Candidate, _ notes: inout LintNotes) { notes.add(push.reading.badgeProblems) }
    static func sound(_ push: Candidate, _ notes: inout LintNotes) { notes.add(push.reading.soundProblems) }
    static func soundFile(_ push: Candidate, _ notes: inout LintNotes) {
        notes.add(push.reading.soundFileProblems)
    }
    static func interruptionLevel(_ push: Candidate, _ notes: inout LintNotes) {
        notes.add(push.reading.levelProblems)
    }
    static func relevanceScore(_ push: Candidate, _ notes: inout LintNotes) {
        notes.add(push.reading.relevanceProblems)
    }
    static func memberType(_ push: Candidate, _ notes: inout LintNotes) {
        notes.add(push.reading.memberProblems)
    }

    // MARK: The body as a whole

    static func foreignShape(_ push: Candidate, _ notes: inout LintNotes) {
        guard needsAPS(push), let shape = push.payload.flatMap({ ForeignShape($0) }) else { return }
        notes.add(shape.way, "the payload is \(shape.name), which a device cannot read", fix: shape.fix)
    }

    static func nullMember(_ push: Candidate, _ notes: inout LintNotes) {
        guard let payload = push.payload else { return }
        for way in PayloadProblem.nulls(in: payload) { notes.add(way, "\(way.last ?? "") is null") }
    }

    static func duplicateKey(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.hasBody, push.payload != nil else { return }
        for way in PayloadText.repeatedNames(in: push.request.body) {
            let holder = way.count > 1 ? way.dropLast().joined(separator: ".") : "the payload"
            notes.add(way, "'\(JSONValue.shortened(way.last ?? ""))' is in \(holder) more than once")
        }
    }

    static func loneSurrogate(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.hasBody, let payload = push.payload,
            PayloadText.hasLoneSurrogate(in: push.request.body)
        else { return }
        // The parser has put U+FFFD in its place; in a name, the text is nowhere.
        let ways = PayloadProblem.ways(in: payload) { $0.string?.contains("\u{fffd}") == true }
        for way in ways.isEmpty ? [[]] : ways {
            notes.add(way, "\(way.last ?? "the payload") has half of a surrogate pair as a \\u escape")
        }
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
