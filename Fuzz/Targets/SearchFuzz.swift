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
        do throws(SearchText.Failure) {
            search = try SearchText(text, now: now)
        } catch {
            try check(error, in: text)
            return
        }
        _ = SearchText.asksForVerdict(text)
        _ = search.condition.mayChange
        let found = holds(search)
        // Terms are joined by "and": asked twice, or with blanks around it, a search finds the same. A combining mark
        // at its beginning would go to the blank, so such a text is left alone.
        for (other, count, what) in [
            (" \(text)\n", text.count + 2, "blanks around it"),
            ("\(text) \(text)", 2 * text.count + 1, "itself after it"),
        ] where count <= SearchText.longest && other.count == count {
            guard let again = try? SearchText(other, now: now) else {
                throw Finding(description: "with \(what), the search cannot be read: \(text)")
            }
            try require(holds(again) == found, "with \(what), the search finds something else: \(text)")
        }
        try checkNegation(of: text, found, now)
    }

    /// A term finds a push or its opposite does, never both.
    private static func checkNegation(of text: String, _ found: [Bool], _ now: Timestamp) throws {
        var scanner = SearchScanner(text)
        guard let term = try scanner.next(), try scanner.next() == nil else { return }
        let plain = String(Array(text)[term.offset..<term.offset + term.length])
        let opposite = term.isNegated ? String(plain.dropFirst()) : "!" + plain
        let count = plain.count + (term.isNegated ? -1 : 1)
        // Of several signs, the first one alone is a sign; the next belongs to the text.
        guard count <= SearchText.longest, opposite.count == count, !plain.hasPrefix("!!") else { return }
        guard let search = try? SearchText(opposite, now: now) else {
            throw Finding(description: "'\(opposite)' cannot be read, and '\(plain)' can")
        }
        try require(holds(search) == found.map { !$0 }, "'\(opposite)' is not the opposite of '\(plain)'")
    }

    private static func check(_ failure: SearchText.Failure, in text: String) throws {
        try require(
            (0...text.count).contains(failure.offset),
            "the offset \(failure.offset) of \(text.count)"
        )
        try require(
            failure.length >= 0 && failure.offset + failure.length <= max(text.count, failure.offset + 1),
            "the length \(failure.length) from \(failure.offset) of \(text.count)"
        )
        try require(!failure.problem.isEmpty, "an error that says nothing")
        let lines = failure.message(in: text).split(separator: "\n")
        try require(lines.count >= 3 && lines.last?.contains("^") == true, "no caret under the term")
        if let suggestion = failure.suggestion { try require(!suggestion.isEmpty, "an empty suggestion") }
    }

    private static func holds(_ search: SearchText) -> [Bool] {
        pushes.map { push in
            Candidate.with(push, in: FuzzServer.subject.context) { search.condition.holds(for: $0) }
        }
    }

    /// One push that was accepted, one that was refused, and one whose body is not JSON.
    private static let pushes: [PushRecord] = {
        let subject = FuzzServer.subject
        let batch = RecordBatch()
        batch.begin(by: subject.world.ruleset)
        for (body, reason) in [
            (
                #"{"aps":{"alert":{"title":"Order 17","body":"Größe"},"badge":3,"sound":"default"},"n":[1.5,true]}"#,
                nil
            ),
            (#"{"aps":{"alert":"Hello","thread-id":"t"}}"#, Reason.badTopic),
            ("{", nil),
        ] {
            RequestView.withRequest(
                headers: [
                    (":method", "POST"), (":scheme", "https"),
                    (":path", "/3/device/" + FuzzWorld.deviceToken),
                    ("apns-topic", FuzzWorld.topic), ("apns-push-type", "alert"), ("apns-priority", "10"),
                    ("apns-collapse-id", "score"),
                ],
                body: Array(body.utf8)
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
            repeating: (WorldClock.Reading(system: FuzzWorld.now, world: FuzzWorld.now), []),
            count: 3
        )
        return subject.journal.adopt(batch, answers).seqs.compactMap { subject.journal.push(seq: $0) }
    }()
}
