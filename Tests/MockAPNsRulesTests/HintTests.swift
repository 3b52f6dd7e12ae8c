import Testing

@testable import MockAPNsRules

/// Every reason and every cause has a hint of its own, which begins with what was seen and expected.
@Suite struct HintTests {
    /// Reasons that no check gives: only an answer token or a fault does.
    private static let onlyOnDemand: Set<Reason> = [.idleTimeout]

    private static let onDemand: [HintCase] = Reason.allCases.map { reason in
        HintCase(
            "\(reason.name) on demand",
            reason,
            "asks for \(reason.name): it begins with the answer token"
        ) {
            $0.request.setToken(AnswerToken.prefix(of: reason))
        }
    }

    private static let all =
        HintCase.tokens + HintCase.requests + HintCase.deviceTokens + HintCase.channels + onDemand

    @Test(arguments: all) func `the hint names the cause`(_ row: HintCase) throws {
        let found = row.scenario.run()
        #expect(found.reason == row.reason)
        let cause = try #require(found.cause)
        let hint = cause.hint
        #expect(cause.texts.what.contains(row.says), "\(hint)")
        #expect(cause.texts.what.hasSuffix(".") && !cause.texts.fix.isEmpty && hint.hasSuffix("."), "\(hint)")
        #expect(!hint.contains("  ") && !hint.contains("\n"), "\(hint)")
        if case .unknown = cause { Issue.record("no cause: \(hint)") }
    }

    @Test func `no two causes have the same hint`() {
        let rows = Self.all.compactMap { row in row.scenario.run().cause.map { (row.name, $0.hint) } }
        let others = Reason.allCases.flatMap { reason in
            [
                ("fault \(reason.name)", Cause.fault(reason).hint),
                ("unknown \(reason.name)", Cause.unknown(reason).hint),
            ]
        }
        let hints = Dictionary(grouping: rows + others) { $0.1 }
        for (hint, names) in hints where names.count > 1 && !Self.isShared(names.map(\.0)) {
            Issue.record("\(names.map(\.0)): \(hint)")
        }
    }

    /// Whether the rows have the same cause: a push and a broadcast can have it.
    private static func isShared(_ names: [String]) -> Bool {
        names.count == 2 && names.contains { $0.hasPrefix("channels: ") }
            && names.contains { !$0.hasPrefix("channels: ") }
    }

    /// For each check and each reason that it gives, there is a row.
    @Test func `every check has its rows`() {
        var seen: Set<String> = []
        for row in Self.all {
            let found = row.scenario.run()
            if let check = found.check, let reason = found.reason {
                seen.insert("\(check.id) \(reason.name)")
            }
        }
        for check in Pipeline.standard.allChecks where check.decider != .answerToken {
            for reason in check.reasons { #expect(seen.contains("\(check.id) \(reason.name)")) }
        }
        let reasons = Set(Self.all.filter { !$0.name.hasSuffix("on demand") }.map(\.reason))
        #expect(Set(Reason.allCases).subtracting(reasons) == Self.onlyOnDemand)
    }

    /// For each cause, there is a request that has it.
    @Test func `every cause has its rows`() {
        let seen = Set(Self.all.compactMap { $0.scenario.run().cause.map(CauseNames.name(of:)) })
        let outside: Set = ["fault", "unknown"]
        let missing = Set(CauseNames.all).subtracting(outside).filter { name in
            !seen.contains { $0 == name || $0.hasPrefix(name + ".") }
        }
        #expect(missing.sorted() == [])
        #expect(seen.subtracting(CauseNames.all).sorted() == [])
    }

    @Test func `lengths of time`() {
        let rows: [(Double, String)] = [
            (0.4, "less than a second"), (59.9, "59 s"), (61, "1 min 1 s"), (3_600, "1 h"),
            (3_601, "1 h 1 s"),
            (90_061, "1 day 1 h 1 min"), (200_000, "2 days 7 h 33 min"), (-120, "2 min"),
            (1e300, "a very long time"), (.nan, "a very long time"),
        ]
        for (seconds, words) in rows { #expect(Words.duration(seconds) == words) }
        #expect(Words.moment(1e300) == "1e+300" && Words.moment(-5) == "-5")
    }

    /// Saved bytes are counted exactly, also for what is cut off or malformed.
    @Test func `savings of a payload`() {
        let rows: [(String, PayloadSaving?)] = [
            (#"{"a":"b c"}"#, nil), (#"{"a":"\n\"\\"}"#, nil), (#"{ "a" : 1 }"#, .compact(7)),
            (#"["é"]"#, nil), (#"["\u00e9"]"#, .utf8(6)), (#"["\u0041"]"#, .utf8(5)),
            (#"["\u0022\u001f"]"#, nil),
            (#"["\u20ac"]"#, .utf8(7)), (#"["\ud83d\ude00"]"#, .utf8(8)), (#"["\ud83d"]"#, nil),
            (#"["\u00"#, nil), (#"["\u"#, nil), (#"["\"#, nil), (#"[ "\u00e9"]"#, .both(6)),
        ]
        for (text, saving) in rows {
            #expect(Array(text.utf8).withUnsafeBufferPointer { PayloadSaving($0) } == saving, "\(text)")
        }
    }
}
