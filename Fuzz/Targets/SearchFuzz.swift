import MockAPNsRules

@testable import MockAPNsInspector
@testable import MockAPNsQuery
@testable import MockAPNsWorld

/// The search language, asked of a few pushes.
enum SearchFuzz {
    static func run(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let now = FuzzWorld.now
        let search: SearchText
        do throws(SearchText.Failure) { search = try SearchText(text, now: now) } catch {
            try check(error, in: text)
            return
        }
        _ = SearchText.asksForVerdict(text)
        let found = holds(search)
        // Characters that combine with a blank or a quote beside them would make another text.
        guard text.allSatisfy({ "a\($0)a".count == 3 }) else { return }
        try check(" \(text)\n", now, finds: found, "with blanks around it")
        try check("\(text) \(text)", now, finds: found, "with itself after it")
        let written = search.expression.text
        try check(written, now, finds: found, "as it is written")
        if let again = try? SearchText(written, now: now) {
            try require(again.condition == search.condition, "'\(written)' is not the same as '\(text)'")
            try require(again.expression.text == written, "'\(written)' is written in another way")
        }
        guard !search.expression.terms.isEmpty else { return }
        let others = holds(other)
        try check("NOT (\(written))", now, finds: found.map(!), "negated")
        let either = zip(found, others).map { $0 || $1 }
        try check("\(written) OR \(other.text)", now, finds: either, "or another")
        try check("NOT (\(written) OR \(other.text))", now, finds: either.map(!), "neither")
        try check("NOT (\(written)) NOT (\(other.text))", now, finds: either.map(!), "not and not")
        let both = zip(found, others).map { $0 && $1 }
        try check("(\(written)) AND \(other.text)", now, finds: both, "and another")
        try check("NOT (NOT (\(written)) OR NOT \(other.text))", now, finds: both, "not either not")
    }

    /// A search that finds one of the pushes.
    private static let other = orDie { try SearchText("has:badge", now: FuzzWorld.now) }

    /// Another search finds the same pushes, unless it is too long.
    private static func check(_ text: String, _ now: Timestamp, finds wanted: [Bool], _ what: String) throws {
        guard text.count <= SearchText.longest else { return }
        do throws(SearchText.Failure) {
            let found = holds(try SearchText(text, now: now))
            guard found != wanted else { return }
        } catch {
            // Parentheses around the deepest search are one too many.
            if error.problem.contains("nested") { return }
            throw Finding(description: "\(what), the search cannot be read: \(text): \(error.problem)")
        }
        throw Finding(description: "\(what), the search finds something else: \(text)")
    }

    private static func check(_ failure: SearchText.Failure, in text: String) throws {
        try require((0...text.count).contains(failure.offset), "the offset \(failure.offset) of \(text.count)")
        try require(
            failure.length >= 0 && failure.offset + failure.length <= max(text.count, failure.offset + 1),
            "the length \(failure.length) from \(failure.offset) of \(text.count)")
        try require(!failure.problem.isEmpty, "an error that says nothing")
        let lines = failure.message(in: text).split(separator: "\n")
        try require(lines.count >= 3 && lines.last?.contains("^") == true, "no caret under the term")
        if let suggestion = failure.suggestion(in: text) { try require(!suggestion.isEmpty, "an empty suggestion") }
    }

    private static func holds(_ search: SearchText) -> [Bool] {
        pushes.map { push in Candidate.with(push, in: FuzzServer.subject.context) { search.condition.holds(for: $0) } }
    }

    /// One push that was accepted, one that was refused, and one whose body is not JSON.
    private static let pushes: [PushRecord] = {
        let subject = FuzzServer.subject
        let batch = RecordBatch()
        batch.begin(by: subject.world.ruleset)
        for (body, reason) in [
            (#"{"aps":{"alert":{"title":"Order 17","body":"Größe"},"badge":3,"sound":"default"},"n":[1.5,true]}"#, nil),
            (#"{"aps":{"alert":"Hello","thread-id":"t"}}"#, Reason.badTopic), ("{", nil),
        ] {
            RequestView.withRequest(
                headers: [
                    (":method", "POST"), (":scheme", "https"), (":path", "/3/device/" + FuzzWorld.deviceToken),
                    ("apns-topic", FuzzWorld.topic), ("apns-push-type", "alert"), ("apns-priority", "10"),
                    ("apns-collapse-id", "score"),
                ], body: Array(body.utf8)
            ) { request in
                var facts = RecordHead()
                facts.receivedAt = FuzzWorld.now
                facts.clockTime = FuzzWorld.now
                facts.connectionID = 1
                facts.streamID = 1
                facts.requestOnConnection = 1
                facts.verdict = Verdict(reason: reason, decidedBy: reason.map { _ in 17 })
                facts.status = facts.verdict.status
                batch.append(request, facts)
            }
        }
        let answers = [Journal.AdoptedAnswer](
            repeating: (WorldClock.Reading(system: FuzzWorld.now, world: FuzzWorld.now), [], nil), count: 3)
        return subject.journal.adopt(batch, answers).seqs.compactMap { subject.journal.push(seq: $0) }
    }()
}
