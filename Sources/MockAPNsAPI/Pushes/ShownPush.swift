package import MockAPNsFormats
package import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

/// A push as the API shows it: an imported push keeps what the exporting server recorded.
package struct ShownPush: Sendable {
    /// The members that always are this server's own.
    private static let own = ["id", "seq", "epoch", "namespace", "pinned", "verifiedBy", "forward"]

    package let facts: PushFacts
    let subject: ShownNamespace

    package init(_ record: PushRecord, in subject: ShownNamespace) {
        self.subject = subject
        facts = PushFacts(record)
    }

    var record: PushRecord { facts.record }

    fileprivate var imported: JSONValue? {
        subject.imports.document(of: record.seq, epoch: record.epoch).flatMap { JSONParser.value(of: $0) }
    }

    package var json: JSONValue {
        let own = APIObject<PushShape>(self).json
        guard case .object(var shown)? = imported, case .object(let members) = own.read else { return own }
        for (name, value) in members where shown[name] == nil || Self.own.contains(name) { shown[name] = value }
        let isNoted = subject.journal.note(on: record.seq, epoch: record.epoch) != nil
        if isNoted { shown["note"] = members["note"] }
        shown["imported"] = true
        shown["delivery"] = Self.renumbered(shown["delivery"], as: members["delivery"])
        return .object(shown)
    }

    /// The imported delivery, its steps with the numbers that they have here.
    private static func renumbered(_ delivery: JSONValue?, as own: JSONValue?) -> JSONValue {
        guard case .object(var shown)? = delivery else { return own ?? .null }
        let numbers = (own?["timeline"]).entries.map { $0["seq"] }
        let steps = shown["timeline"].entries.enumerated().map { position, step -> JSONValue in
            guard case .object(var step) = step, position < numbers.count else { return step }
            step["seq"] = numbers[position]
            return .object(step)
        }
        shown["timeline"] = .array(steps)
        return .object(shown)
    }

    package var summary: JSONValue { APIObject<PushSummaryShape>(PushLine(self)).json }
}

/// A push in a list.
package struct PushLine {
    let push: ShownPush
    let imported: JSONValue?
    /// The lint of each finding; `nil` for one that only the server knows where the push was recorded.
    let lints: [Lint?]

    init(_ push: ShownPush) {
        self.push = push
        imported = push.imported
        if case .array(let lints)? = imported?["lints"] {
            self.lints = lints.map { $0["id"]?.string.flatMap(Lint.init) }
        } else {
            lints = push.subject.context.lints(of: push.facts).map(\.lint)
        }
    }

    var record: PushRecord { push.record }
}
