internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsVerifying

extension BodyReader {
    /// The matcher that may stand in a member; `nil` when there is none, or a complaint.
    mutating func matcher(_ name: String, now: Timestamp) -> PushMatcher? {
        guard let value = optional(name, Form<JSONValue>.object) else { return nil }
        var complaints: [Complaint] = []
        let matcher = PushMatcher.read(value, at: pointer(to: name), now: now, complaints: &complaints)
        for complaint in complaints { adopt(complaint) }
        return matcher
    }

    /// The matchers of a list that has to be there, with one at least.
    mutating func matchers(_ name: String, now: Timestamp) -> [PushMatcher] {
        guard let values = required(name, Form<[JSONValue]>.values) else { return [] }
        if values.isEmpty { complain("is empty; expected a matcher in each entry", at: name) }
        return values.enumerated().compactMap { position, value in
            var complaints: [Complaint] = []
            let place = pointer(to: name) + "/\(position)"
            let matcher = PushMatcher.read(value, at: place, now: now, complaints: &complaints)
            for complaint in complaints { adopt(complaint) }
            return matcher
        }
    }

    /// How many pushes are expected: `count`, one at least where it is left out.
    mutating func expectation() -> Verification.Expectation? {
        let known = ["exactly", "atLeast", "atMost", "never"]
        let expected =
            #"{"exactly":1}, {"atLeast":1}, {"atMost":1}, {"never":true}, or a number for exactly so many"#
        guard let value = optional("count", Form<JSONValue>(expected: expected) { $0 }) else {
            return has("count") ? nil : Verification.Expectation(least: 1, most: nil)
        }
        if let exactly = Self.count(value) { return Verification.Expectation(least: exactly, most: exactly) }
        guard case .object(let members) = value else {
            complain("is \(value.summary); expected \(expected)", at: "count")
            return nil
        }
        for name in members.keys.sorted() where !known.contains(name) {
            adopt(
                Complaint(
                    path: "/count/" + JSONPointer.escaped(name),
                    message: "is no way to count; there are: \(known.joined(separator: ", "))",
                    suggestion: Suggestion.nearest(to: name, among: known)
                )
            )
        }
        if members["never"] == true, members.count == 1 { return Verification.Expectation(least: 0, most: 0) }
        let exactly = members["exactly"].map(Self.count)
        let least = members["atLeast"].map(Self.count)
        let most = members["atMost"].map(Self.count)
        switch (exactly, least, most, members["never"]) {
        case (.some(.some(let number)), nil, nil, nil):
            return Verification.Expectation(least: number, most: number)
        case (nil, .some(.some(let least)), nil, nil):
            return Verification.Expectation(least: least, most: nil)
        case (nil, nil, .some(.some(let most)), nil): return Verification.Expectation(least: 0, most: most)
        case (nil, .some(.some(let least)), .some(.some(let most)), nil) where least <= most:
            return Verification.Expectation(least: least, most: most)
        default:
            complain("cannot be counted by; expected \(expected)", at: "count")
            return nil
        }
    }

    private static func count(_ value: JSONValue) -> Int? {
        guard case .integer(let number) = value, (0...1_000_000_000).contains(number) else { return nil }
        return Int(number)
    }
}

extension Form where Value == [JSONValue] {
    /// A list, whatever it has.
    static let values = Self(expected: "a list") { value in
        if case .array(let values) = value { values } else { nil }
    }
}

extension Form where Value == JSONValue {
    /// An object, whatever it has.
    static let object = Self(expected: "an object") { value in
        if case .object = value { value } else { nil }
    }
}
