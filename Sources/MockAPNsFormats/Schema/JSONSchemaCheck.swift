/// One check of a value.
struct JSONSchemaCheck {
    let budget: StepBudget
    private(set) var mismatches: [JSONSchemaMismatch] = []

    private let parts: [JSONSchemaPart]
    private let most: Int
    /// The names and positions that lead to the current value.
    private var way: [String] = []
    private var depth = 0

    init(_ parts: [JSONSchemaPart], atMost most: Int, _ budget: StepBudget) {
        (self.parts, self.most, self.budget) = (parts, most, budget)
    }

    mutating func run(_ value: JSONValue) { check(value, 0) }

    private var isDone: Bool { mismatches.count >= most || budget.isSpent }

    private mutating func check(_ value: JSONValue, _ position: Int) {
        guard !isDone, budget.take(parts[position].weight) else { return }
        depth += 1
        defer { depth -= 1 }
        // As if it were too many steps: a deeper check could exhaust the stack.
        if depth > JSONSchema.deepestCheck { budget.renew(-1) }
        if parts[position].isNever { return note(nil, value.words, "nothing: the schema allows no value here") }
        let before = mismatches.count
        checkKind(value, parts[position])
        // What follows from a wrong type needs no mismatch of its own.
        guard mismatches.count == before else { return }
        switch value {
        case .object(let members): check(members, parts[position])
        case .array(let values): check(values, parts[position])
        case .string(let text): check(text, parts[position])
        case .integer, .unsigned, .number, .literal: checkNumber(value, parts[position])
        case .null, .bool, .written: break
        }
        if let reference = parts[position].reference { check(value, reference) }
        if !parts[position].alternatives.isEmpty { checkAlternatives(value, parts[position]) }
    }

    private mutating func checkKind(_ value: JSONValue, _ part: JSONSchemaPart) {
        if let kinds = part.kinds, !JSONKind(of: value).isAmong(kinds) {
            note(.type, value.words, JSONSchemaPart.choice(kinds))
        } else if let constant = part.constant, !value.isEqual(to: constant) {
            note(.const, value.words, JSONSchemaPart.choice([constant]))
        } else if let allowed = part.allowed, !allowed.contains(where: { value.isEqual(to: $0) }) {
            note(.enum, value.words, JSONSchemaPart.choice(allowed))
        }
    }

    private mutating func check(_ members: [String: JSONValue], _ part: JSONSchemaPart) {
        for name in part.required where members[name] == nil {
            let near = Suggestion.nearest(to: name, among: members.keys.filter { part.properties[$0] == nil }.sorted())
            let meant = near.map { "; it has '\(JSONValue.shortened($0))'" } ?? ""
            note(.required, "an object without '\(JSONValue.shortened(name))'", "this member\(meant)")
        }
        guard !part.properties.isEmpty || part.others != nil else { return }
        for (name, member) in members.sortedByName {
            guard let position = part.properties[name] ?? part.others, budget.take(1) else { continue }
            way.append(name)
            if part.properties[name] == nil, parts[position].isNever {
                let known = part.properties.keys.sorted()
                let question = Suggestion.question(for: name, among: known)
                let list = known.isEmpty ? "no members" : "only \(known.prefix(10).joined(separator: ", "))"
                note(.additionalProperties, "a member that the schema does not have", list + question)
            } else {
                check(member, position)
            }
            way.removeLast()
        }
    }

    private mutating func check(_ values: [JSONValue], _ part: JSONSchemaPart) {
        let seen = "an array of \(counted(values.count, "item", "items"))"
        if let least = part.itemCount.least, values.count < least { note(.minItems, seen, "at least \(least)") }
        if let most = part.itemCount.most, values.count > most { note(.maxItems, seen, "at most \(most)") }
        guard let items = part.items else { return }
        for (position, value) in values.enumerated() where !isDone {
            way.append(String(position))
            check(value, items)
            way.removeLast()
        }
    }

    private mutating func check(_ text: String, _ part: JSONSchemaPart) {
        guard budget.take(text.utf8.count / 16) else { return }
        let seen = JSONValue.string(text).words
        if part.length.least != nil || part.length.most != nil {
            let count = text.unicodeScalars.count
            let seen = "\(seen) of \(counted(count, "character", "characters"))"
            if let least = part.length.least, count < least { note(.minLength, seen, "at least \(least)") }
            if let most = part.length.most, count > most { note(.maxLength, seen, "at most \(most)") }
        }
        if let pattern = part.pattern, !pattern.matches(text, budget), !budget.isSpent {
            note(.pattern, seen, "a text that matches \(JSONValue.shortened(pattern.text))")
        }
        if let format = part.format, !format.fits(text) { note(.format, seen, format.expected) }
    }

    private mutating func checkNumber(_ value: JSONValue, _ part: JSONSchemaPart) {
        guard !part.written.isEmpty, let number = DecimalNumber(value) else { return }
        func bound(_ keyword: JSONSchemaKeyword) -> String { part.written[keyword] ?? "" }
        if let minimum = part.minimum, number < minimum { note(.minimum, value.words, "at least \(bound(.minimum))") }
        if let maximum = part.maximum, number > maximum { note(.maximum, value.words, "at most \(bound(.maximum))") }
        if let above = part.above, number <= above {
            note(.exclusiveMinimum, value.words, "more than \(bound(.exclusiveMinimum))")
        }
        if let below = part.below, number >= below {
            note(.exclusiveMaximum, value.words, "less than \(bound(.exclusiveMaximum))")
        }
        if let divisor = part.divisor, !number.isMultiple(of: divisor) {
            note(.multipleOf, value.words, "a multiple of \(bound(.multipleOf))")
        }
    }

    /// Checks that a value fits one of the alternatives.
    ///
    /// If only one has the right type, its own mismatches say more than that no alternative fits.
    private mutating func checkAlternatives(_ value: JSONValue, _ part: JSONSchemaPart) {
        var near: [[JSONSchemaMismatch]] = []
        for alternative in part.alternatives {
            var trial = self
            trial.mismatches = []
            trial.check(value, alternative)
            if trial.mismatches.isEmpty { return }
            if !trial.mismatches.contains(where: { $0.way.count == way.count && $0.isOfKind }) {
                near.append(trial.mismatches)
            }
        }
        if near.count == 1 {
            for mismatch in near[0] where !isDone { mismatches.append(mismatch) }
            return
        }
        let summaries = part.alternatives.map { summary($0) ?? "another schema" }.reduce(into: [String]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        note(
            .anyOf, value.words,
            "one of \(counted(part.alternatives.count, "schema", "schemas")) to fit: "
                + summaries.prefix(6).joined(separator: "; "))
    }

    private func summary(_ position: Int) -> String? {
        parts[position].summary ?? parts[position].reference.flatMap { parts[$0].summary }
    }

    private mutating func note(_ keyword: JSONSchemaKeyword?, _ seen: String, _ expected: String) {
        guard !isDone else { return }
        mismatches.append(JSONSchemaMismatch(way: way, keyword: keyword, seen: seen, expected: expected))
    }
}

extension JSONSchemaMismatch {
    /// Whether the value is of another kind than the schema describes.
    fileprivate var isOfKind: Bool { keyword == .type || keyword == .const || keyword == .enum || keyword == nil }
}
