internal import MockAPNsFormats

/// A push that was imported: what another server said of it, with the numbers that it has here.
struct MergedImport {
    /// What only this server can say.
    private static let own = ["id", "seq", "epoch", "namespace", "verifiedBy"]

    let json: JSONValue

    /// - Parameters:
    ///   - document: what was exported.
    ///   - members: what this server makes of its own record, for whatever the document does not have.
    ///   - isNoted: whether the note was written here.
    init(_ document: JSONValue, over members: [String: JSONValue], isNoted: Bool) {
        guard case .object(var shown) = document else {
            json = .object(members)
            return
        }
        for (name, value) in members where shown[name] == nil || Self.own.contains(name) {
            shown[name] = value
        }
        if isNoted { shown["note"] = members["note"] }
        shown["imported"] = true
        shown["delivery"] = Self.renumbered(shown["delivery"], as: members["delivery"])
        json = .object(shown)
    }

    /// The same way, with the numbers that its steps have here.
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
}
