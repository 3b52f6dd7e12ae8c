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
        do { _ = try JSONParser.parse(body, repeatedNames: .lastWins) } catch  where isDeepJSON(body) {
            notes.add(
                [], "the body has more nesting than this server reads: \(JSONParser.maximumDepth) levels",
                fix: "Nest it less. It is JSON, but whether a device reads it is unknown.")
        } catch {
            let before = body[..<error.offset]
            let line = before.count { $0 == 0x0a } + 1
            let column = error.offset - (before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0) + 1
            let mark = looksLikeText(body).map { "; \($0)" } ?? ""
            notes.add(
                [],
                "the body is not JSON: expected \(error.expected) at byte \(error.offset)"
                    + " (line \(line), column \(column))\(mark)")
        }
    }

    /// Whether the body is JSON but for its depth.
    private static func isDeepJSON(_ body: [UInt8]) -> Bool {
        body.withUnsafeBufferPointer { JSONParser.isValid($0, maximumDepth: 512) }
    }

    static func nearLimit(_ push: Candidate, _ notes: inout LintNotes) {
        // The alert limit is the lowest. Most payloads are far below it, so this skips computing the exact limit.
        guard push.request.bodyLength * 100 >= PushType.alert.row.payloadLimit * nearLimit else { return }
        let limit = push.request.payloadLimit
        guard push.request.bodyLength * 100 >= limit * nearLimit, push.request.bodyLength <= limit else { return }
        notes.add([], "the payload has \(push.request.bodyLength) of at most \(limit) bytes")
    }

    static func apsMissing(_ push: Candidate, _ notes: inout LintNotes) {
        guard let payload = push.payload else { return }
        guard case .object(let members) = payload else {
            guard !needsAPS(push) || ForeignShape(payload) == nil else { return }
            let content = needsAPS(push) ? " with the member aps" : ""
            return notes.add(
                [], "the payload is \(payload.words); an object\(content) is expected",
                fix: needsAPS(push) ? nil : "Send a JSON object.")
        }
        guard push.aps == nil, needsAPS(push), ForeignShape(payload) == nil else { return }
        if let aps = members["aps"] { return notes.add(["aps"], invalid: aps, "an object is expected") }
        let names = members.keys.sorted()
        let inCapitals = names.first { $0.lowercased() == "aps" }
        let misspelt = names.first { isMisspeltAPS($0, members[$0]) }
        let strayed = names.first { APSKeys.known.contains($0) }
        notes.add(
            [], "the payload has no member aps" + (strayed.map { "; \($0) is outside it" } ?? ""),
            fix: inCapitals.map { "Write aps in lower case; it is '\($0)'." } ?? misspelt.map {
                "Write aps; it is '\(JSONValue.shortened($0))'."
            } ?? strayed.map { "Put \($0) into aps: {\"aps\":{\"\($0)\":…}}." })
    }

    /// Whether a name is close to `aps`, and its object has a key of it, because apps have short names, too.
    private static func isMisspeltAPS(_ name: String, _ value: JSONValue?) -> Bool {
        let letters = name.lowercased().filter { !$0.isWhitespace }
        return letters.utf8.count < 8 && Suggestion.distance(letters, "aps") <= 1
            && value.sortedMembers.contains { APSKeys.known.contains($0.key) }
    }

    /// The payload of other types is up to the app, and Wallet gets an empty one.
    private static func needsAPS(_ push: Candidate) -> Bool {
        // An unknown push type is delivered as another, but is not known to be one without aps.
        push.reading.kind.row.needsAPS || push.type == nil && push.reading.kind != .wallet
    }

    static func badge(_ push: Candidate, _ notes: inout LintNotes) { notes.add(push.reading.badgeProblems) }
    static func sound(_ push: Candidate, _ notes: inout LintNotes) { notes.add(push.reading.soundProblems) }
    static func soundFile(_ push: Candidate, _ notes: inout LintNotes) { notes.add(push.reading.soundFileProblems) }
    static func interruptionLevel(_ push: Candidate, _ notes: inout LintNotes) { notes.add(push.reading.levelProblems) }
    static func relevanceScore(_ push: Candidate, _ notes: inout LintNotes) {
        notes.add(push.reading.relevanceProblems)
    }

    /// Documented: Apple, "Using push notifications to signal changes".
    private static let workingSet = "NSFileProviderWorkingSetContainerItemIdentifier"

    /// What a push of a type of its own needs; without `aps` there is an error that says it.
    static func shape(_ push: Candidate, _ notes: inout LintNotes) {
        switch push.type {
        case .controls?, .widgets?: if push.aps != nil { notes.add(push.reading.unmetNeeds) }
        case .fileprovider?:
            notes.add(push.reading.unmetNeeds)
            let way = ["container-identifier"]
            if let container = push.payload?[way[0]], container.isReadable, container.string != workingSet {
                notes.add(way, invalid: container, "a replicated extension is only told of \(workingSet)")
            }
        default: break
        }
    }

    static func accessory(_ push: Candidate, _ notes: inout LintNotes) {
        if push.type == .accessory, push.aps != nil { notes.add(push.reading.unmetNeeds) }
    }

    static func memberType(_ push: Candidate, _ notes: inout LintNotes) { notes.add(push.reading.memberProblems) }

    // MARK: The body as a whole

    static func foreignShape(_ push: Candidate, _ notes: inout LintNotes) {
        guard needsAPS(push), let shape = push.payload.flatMap({ ForeignShape($0) }) else { return }
        notes.add(shape.way, "the payload is \(shape.name), which a device cannot read", fix: shape.fix)
    }

    static func nullMember(_ push: Candidate, _ notes: inout LintNotes) {
        guard let payload = push.payload else { return }
        for way in PayloadProblem.nulls(in: payload) {
            // A payload that is null has an error of its own.
            guard let name = way.last else { return }
            let holder = way.dropLast().reduce(payload) { holder, name in
                holder[name] ?? Int(name).map { holder.entries[$0] } ?? .null
            }
            let isEntry = !holder.isObject
            let place = way.dropLast().last ?? "the payload"
            notes.add(way, isEntry ? "entry \(name) of \(place) is null" : "\(name) is null")
        }
    }

    static func duplicateKey(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.hasBody, push.payload != nil else { return }
        for way in PayloadText.repeatedNames(in: push.request.body) {
            let holder = way.count > 1 ? way.dropLast().joined(separator: ".") : "the payload"
            notes.add(way, "'\(JSONValue.shortened(way.last ?? ""))' is in \(holder) more than once")
        }
    }

    static func loneSurrogate(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.hasBody, push.payload != nil else { return }
        for way in PayloadText.loneSurrogates(in: push.request.body) {
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

    /// What text that is no JSON is instead.
    private static func looksLikeText(_ body: [UInt8]) -> String? {
        if body.starts(with: [0xef, 0xbb, 0xbf]) { return "it begins with a byte order mark" }
        let text = String(decoding: body, as: UTF8.self)
        var dense = text.filter { !$0.isWhitespace }
        if let bytes = dense.withUTF8({ Base64.decode($0) }), JSONParser.value(of: bytes)?.isObject == true {
            return "it is JSON in Base64"
        }
        let name = text.prefix { $0 != "=" }
        let isForm =
            !name.isEmpty && name.utf8.count < body.count && name.utf8.count <= 64
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.%[]".contains($0)) }
        return isForm ? "it looks like a form (application/x-www-form-urlencoded)" : nil
    }

    private static func looksLike(_ body: [UInt8]) -> String? {
        if body.starts(with: [0x1f, 0x8b]) { return "gzip, and APNs does not accept compressed bodies" }
        if body.starts(with: [0xff, 0xfe]) || body.starts(with: [0xfe, 0xff]) { return "UTF-16" }
        return nil
    }
}
