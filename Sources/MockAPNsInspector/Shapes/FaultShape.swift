internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// A fault as the API shows it: described in the form in which it may be sent back, with what it has done.
struct FaultShape {
    private let fault: Fault
    private let subject: InspectedServer

    init(_ fault: Fault, in subject: InspectedServer) {
        self.fault = fault
        self.subject = subject
    }

    var json: JSONValue {
        [
            "id": .string(FaultIDText.text(fault.id)),
            "position": JSONValue(fault.position),
            "name": JSONValue(fault.draft.name),
            "preset": JSONValue(fault.draft.preset),
            "enabled": .bool(fault.draft.isEnabled),
            "match": Self.match(fault.draft),
            "when": Self.trigger(fault.draft.when),
            "do": FaultActionShape.json(fault.draft.action),
            "stats": [
                "evaluated": JSONValue(fault.evaluated),
                "fired": JSONValue(fault.fired),
                "lastFiredAt": JSONValue(fault.lastFiredAt?.rfc3339),
                "firedFor": .array(fault.firedFor.map { .string(subject.pushID($0)) }),
                "draws": .array(fault.draws.map(Self.draw)),
            ],
        ]
    }

    private static func draw(_ draw: FaultDraw) -> JSONValue {
        [
            "number": JSONValue(draw.number), "for": .string(draw.use.rawValue), "value": .number(draw.value),
            "fired": .bool(draw.fired),
        ]
    }

    /// The conditions, as they were given.
    private static func match(_ draft: FaultDraft) -> JSONValue {
        var members: [String: JSONValue] = [:]
        if let text = draft.match?.text, case .object(let given)? = JSONParser.value(of: Array(text.utf8)) {
            members = given
        }
        if !draft.connections.isEmpty { members["connection"] = connections(draft.connections) }
        return .object(members)
    }

    private static func connections(_ connections: FaultDraft.Connections) -> JSONValue {
        var members: [String: JSONValue] = [:]
        if !connections.ids.isEmpty {
            members["id"] = .array(connections.ids.map { .string(ConnectionID($0).text) })
        }
        if !connections.remotes.isEmpty {
            members["remote"] = .array(connections.remotes.map { .string($0) })
        }
        if let environment = connections.environment { members["environment"] = .string(environment.name) }
        return .object(members)
    }

    /// When it fires; what is not limited is left out.
    static func trigger(_ trigger: FaultTrigger) -> JSONValue {
        var members: [String: JSONValue] = [
            "skip": JSONValue(trigger.skip), "every": JSONValue(trigger.every),
            "probability": Int64(exactly: trigger.probability).map { .integer($0) }
                ?? .number(trigger.probability),
        ]
        if let times = trigger.times { members["times"] = JSONValue(times) }
        if let from = trigger.from { members["from"] = .string(from.rfc3339) }
        if let until = trigger.until { members["until"] = .string(until.rfc3339) }
        if let idle = trigger.afterIdle { members["afterIdle"] = .string(DurationText.text(idle)) }
        if trigger.afterRequests > 0 { members["afterRequests"] = JSONValue(trigger.afterRequests) }
        return .object(members)
    }
}
