import Testing

@testable import MockAPNsFormats
@testable import MockAPNsRules

/// Every reason and every cause has a hint of its own, which begins with what was seen and expected.
@Suite struct HintTests {
    /// Reasons that no check gives: only an answer token or a fault does.
    private static let onlyOnDemand: Set<Reason> = [.idleTimeout]

    private static let onDemand: [HintCase] = Reason.allCases.map { reason in
        HintCase("\(reason.name) on demand", reason, "asks for \(reason.name): it begins with the answer token") {
            $0.request.setToken(AnswerToken.prefix(of: reason))
        }
    }

    private static let all = HintCase.tokens + HintCase.requests + HintCase.deviceTokens + HintCase.channels + onDemand

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
            if let check = found.check, let reason = found.reason { seen.insert("\(check.id) \(reason.name)") }
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

    @Test func `lengths of time are written in readable units`() {
        let rows: [(Double, String)] = [
            (0.4, "less than a second"), (59.9, "59 s"), (61, "1 min 1 s"), (3_600, "1 h"), (3_601, "1 h 1 s"),
            (90_061, "1 day 1 h 1 min"), (200_000, "2 days 7 h 33 min"), (-120, "2 min"), (1e300, "a very long time"),
            (.nan, "a very long time"),
        ]
        for (seconds, words) in rows { #expect(Words.duration(seconds) == words) }
        #expect(Words.moment(1e300) == "1e+300" && Words.moment(-5) == "-5")
    }

    /// Values in other forms than they are sent in; the right one is found in all of them.
    @Test func `a value is found inside quotes, brackets and encodings`() {
        let token = PushRequest.goodToken
        let bytes = DeviceToken(hex: token)?.bytes ?? []
        let colons = bytes.map { HexDigit.text(of: [$0]) }.joined(separator: ":")
        let long = String(repeating: "ab", count: 100)
        let decorated = [
            "Optional(\"\(token)\")", "%22\(token)%22", "[\"\(token)\"]", "b'\(token)'", "\(token)%0A", colons,
            "0x\(token)", token.uppercased() + ",",
        ]
        for text in decorated { #expect(DeviceTokenFlaw(text) == .decorated(hex: token), "\(text)") }
        #expect(DeviceTokenFlaw("<\(long)>") == .decorated(hex: long))
        #expect(Cause.device(.token(DeviceTokenFlaw("<\(long)>"))).hint.contains("'\(long)'"))
        for text in [ProviderTokenCase.encode(bytes), ProviderTokenCase.encode(Array(token.utf8))] {
            #expect(DeviceTokenFlaw(text) == .base64(hex: token), "\(text)")
        }
        #expect(DeviceTokenFlaw(String(ChannelScenario.channel.text.dropLast(2))) == .channelID)
        for text in ["b'a.b.c'", "\u{2039}a.b.c>", "'a.b.c'", "[a.b.c]", "{\"token\":\"a.b.c\"}"] {
            #expect(TokenFlaw(text) == .quoted, "\(text)")
        }
        // What records keep of a signature shows that there were more parts, or padding.
        #expect(TokenFlaw("e30.e30..") == .parts(4))
        #expect(TokenFlaw("e30.e30.==") == .padded(.signature))
        // Where standard Base64 is accepted, its letters are not the cause.
        #expect(TokenFlaw("e30.e30./") == .character(.signature, "/"))
        #expect(TokenFlaw("e30.e30./", requiresURL: false) == .cut(.signature))
    }

    @Test func `placeholders are told apart from real values`() {
        let some = [
            "undefined", "(null)", "[object Object]", "Optional(nil)", "${BUNDLE_ID}", "$(TOKEN)", "{{token}}", "%s",
            ":token", "<device token>", "YOUR_BUNDLE_ID", "your.bundle.id", "com.yourcompany.yourapp", "xxx", "0",
            "process.env.TOPIC", "BUNDLE_ID",
        ]
        for text in some { #expect(Placeholder.isOne(text), "\(text)") }
        let none = [
            "", "com.example.app", "com.yours.app", "com.yourgolf.app", "x", "<com.example.app>", "a:b", ":", "%",
            "com.example.token", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", PushRequest.goodToken, "dead040012==",
        ]
        for text in none { #expect(!Placeholder.isOne(text), "\(text)") }
    }

    private func saving(_ ways: [PayloadSaving.Way], _ size: Int) -> PayloadSaving { PayloadSaving(ways, size: size) }

    /// Saved bytes are counted exactly, also for what is cut off or malformed.
    @Test func `the bytes that another spelling of a payload saves are counted exactly`() {
        let rows: [(String, PayloadSaving?)] = [
            (#"{"a":"b c"}"#, nil), (#"{"a":"\n\"\\"}"#, nil), (#"{ "a" : 1 }"#, saving([.compact], 7)),
            (#"["é"]"#, nil), (#"["\u00e9"]"#, saving([.utf8], 6)), (#"["\u0041"]"#, saving([.utf8], 5)),
            (#"["\u0022\u001f"]"#, nil), (#"["\u20ac"]"#, saving([.utf8], 7)),
            (#"["\ud83d\ude00"]"#, saving([.utf8], 8)), (#"["\ud83d"]"#, nil), (#"["\u00"#, nil), (#"["\u"#, nil),
            (#"["\"#, nil), (#"[ "\u00e9"]"#, saving([.utf8, .compact], 6)),
            (#"["a\/b","/","\\/"]"#, saving([.slashes], 17)),
            (#"[ "\/\u00e9"]"#, saving([.utf8, .slashes, .compact], 7)),
        ]
        for (text, saving) in rows {
            #expect(Array(text.utf8).withUnsafeBufferPointer { PayloadSaving($0, of: $0.count) } == saving, "\(text)")
        }
    }
}
