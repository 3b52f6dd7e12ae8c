internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// Reads how a fault is described: which pushes it is for, when it fires, and what it does.
enum FaultBody {
    static let members = ["name", "enabled", "match", "when", "do"]
    static let triggerMembers = [
        "skip", "times", "every", "probability", "from", "until", "afterIdle", "afterRequests",
    ]
    static let connectionMembers = ["id", "remote", "environment"]

    /// What is read of a description; a part that is not there, or has a mistake, is `nil`.
    struct Parts {
        var name: String?
        var isEnabled: Bool?
        var match: Match?
        var when: FaultTrigger?
        var action: FaultAction?
        /// How many actions are described; there has to be one.
        var actionCount: Int?
    }

    /// Which pushes and connections a fault is for.
    struct Match {
        var pushes: FaultDraft.Match?
        var connections = FaultDraft.Connections()
    }

    /// The description where the reader stands.
    static func parts(_ body: inout BodyReader, in subject: InspectedServer) -> Parts {
        var parts = Parts()
        parts.name = body.optional("name", .text("a name: text of 1 to 100 bytes"))
        parts.isEnabled = body.optional("enabled", .boolean)
        parts.match = match(&body, in: subject)
        parts.when = trigger(&body)
        (parts.action, parts.actionCount) = FaultActionBody.action(&body)
        return parts
    }

    /// A whole description.
    ///
    /// - Throws: `Problem` for a body that is not JSON, has a mistake, or describes what cannot be.
    static func draft(_ bytes: [UInt8], in subject: InspectedServer) throws(Problem) -> FaultDraft {
        var body = try BodyReader(bytes, known: members, null: .absent)
        let parts = parts(&body, in: subject)
        if !body.has("do") { body.complain("is missing; expected an object with one action", at: "do") }
        try body.finish()
        guard let action = try action(of: parts) else { preconditionFailure("no complaint, but no action") }
        do {
            return try FaultDraft(
                name: parts.name,
                isEnabled: parts.isEnabled ?? true,
                match: parts.match?.pushes,
                connections: parts.match?.connections ?? FaultDraft.Connections(),
                when: parts.when ?? FaultTrigger(),
                action: action
            )
        } catch {
            throw Problem(error)
        }
    }

    /// What is to change of a fault.
    ///
    /// - Throws: `Problem` for a body that is not JSON or has a mistake.
    static func change(_ bytes: [UInt8], in subject: InspectedServer) throws(Problem) -> Faults.Change {
        var body = try BodyReader(bytes, known: members)
        let parts = parts(&body, in: subject)
        try body.finish()
        var change = Faults.Change()
        change.name = parts.name
        change.isEnabled = parts.isEnabled
        change.match = parts.match.map { ($0.pushes, $0.connections) }
        change.when = parts.when
        change.action = try action(of: parts)
        return change
    }

    /// The one action of a description; `nil` when it has no `do`.
    private static func action(of parts: Parts) throws(Problem) -> FaultAction? {
        guard let count = parts.actionCount, count != 1 else { return parts.action }
        let message =
            "has \(count) actions; expected exactly one of \(FaultAction.names.joined(separator: ", "))"
        throw Problem(
            kind: .unusableValue,
            detail: "'/do' \(message).",
            complaints: [Complaint(path: "/do", message: message)]
        )
    }

    // MARK: Parts

    /// The member `match`: what a verification takes, and what connections have to be like.
    ///
    /// `connection` alone is taken for an object of conditions of its own when it has one of them as a member.
    static func match(_ body: inout BodyReader, in subject: InspectedServer) -> Match? {
        guard case .object(var members)? = body.optional("match", Form<JSONValue>.object) else {
            return nil
        }
        var match = Match()
        if case .object(let connection)? = members["connection"],
            connection.isEmpty || connectionMembers.contains(where: { connection[$0] != nil })
        {
            let given = Array(members.keys)
            match.connections =
                body.object("match", known: given) { connections(&$0) } ?? match.connections
            members["connection"] = nil
        }
        var complaints: [Complaint] = []
        let matcher = PushMatcher.read(
            .object(members),
            at: body.pointer(to: "match"),
            now: subject.world.clock.read().system,
            complaints: &complaints
        )
        for complaint in complaints { body.adopt(complaint) }
        for (member, part) in matcher?.partsKnownLater ?? [] {
            let path = body.pointer(to: "match") + "/" + member
            body.adopt(
                Complaint(path: path, message: "asks for \(part), which is not known yet when a push arrives")
            )
        }
        match.pushes = matcher?.faultCondition().map { condition in
            let text = String(decoding: JSONValue.object(members).text, as: UTF8.self)
            return FaultDraft.Match(text: text, condition: condition)
        }
        return match
    }

    private static func connections(_ body: inout BodyReader) -> FaultDraft.Connections? {
        body.object("connection", known: connectionMembers) { body in
            var connections = FaultDraft.Connections()
            connections.ids = body.oneOrMore("id", connectionID)
            connections.remotes = body.oneOrMore("remote", .text("an address, with or without a port"))
            connections.environment = body.optional(
                "environment",
                Form.words(Environment.allCases, \.name)
            )
            return connections
        }
    }

    /// The member `when`.
    static func trigger(_ body: inout BodyReader) -> FaultTrigger? {
        body.object("when", known: triggerMembers) { body in
            var trigger = FaultTrigger()
            trigger.skip = body.optional("skip", .whole(0...Int(Int32.max))) ?? trigger.skip
            trigger.times = body.optional("times", .whole(1...Int(Int32.max)))
            trigger.every = body.optional("every", .whole(1...Int(Int32.max))) ?? trigger.every
            trigger.probability = body.optional("probability", .fraction) ?? trigger.probability
            trigger.from = body.optional("from", .time)
            trigger.until = body.optional("until", .time)
            trigger.afterIdle = body.optional("afterIdle", .duration)
            trigger.afterRequests =
                body.optional("afterRequests", .whole(0...Int(Int32.max))) ?? trigger.afterRequests
            return trigger
        }
    }

    private static let connectionID = Form<UInt64>(expected: "the id of a connection, such as c7") {
        if case .string(let text) = $0 { ConnectionID(text)?.number } else { nil }
    }
}

extension BodyReader {
    /// The values of a member that is one of them or a list of them, and may be left out.
    fileprivate mutating func oneOrMore<Value>(_ name: String, _ form: Form<Value>) -> [Value] {
        if case .array? = member(name) { return list(name, form) ?? [] }
        return optional(name, form).map { [$0] } ?? []
    }
}

extension Form where Value == Int {
    /// A whole number of a range.
    static func whole(_ range: ClosedRange<Int>) -> Self {
        let upper = range.upperBound >= Int(Int32.max) ? "on" : "to \(range.upperBound)"
        return Self(expected: "a whole number from \(range.lowerBound) \(upper)") { value in
            guard case .integer(let number) = value, let number = Int(exactly: number), range.contains(number)
            else { return nil }
            return number
        }
    }
}

extension Form where Value == Double {
    /// A number from 0 to 1.
    static let fraction = Self(expected: "a number from 0 to 1") { value in
        let number: Double? =
            switch value {
            case .integer(let number): Double(number)
            case .literal(let digits): Double(digits)
            case .number(let number): number
            default: nil
            }
        return number.flatMap { (0...1).contains($0) ? $0 : nil }
    }
}
