internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

extension APIObject<FaultShape> {
    /// A fault, described as it may be sent back, with what it has done.
    init(_ fault: Fault, in subject: InspectedServer) {
        self.init()
        self.`do` = APIObject<FaultActionShape>(fault.draft.action)
        self.enabled = fault.draft.isEnabled
        self.id = FaultIDText.text(fault.id)
        self.match = Self.match(fault.draft)
        self.name = fault.draft.name
        self.position = fault.position
        self.preset = fault.draft.preset
        self.stats = APIObject<FaultShape.Stats> {
            $0.draws = fault.draws.map(APIObject<FaultShape.Draw>.init)
            $0.evaluated = UInt64(fault.evaluated)
            $0.fired = UInt64(fault.fired)
            $0.firedFor = fault.firedFor.map { subject.pushID($0) }
            $0.lastFiredAt = fault.lastFiredAt?.rfc3339
        }
        self.when = APIObject<FaultTriggerShape>(fault.draft.when)
    }

    /// The conditions as they were given.
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
        if !connections.ids.isEmpty { members["id"] = connections.ids.map { ConnectionID($0).text }.json }
        if !connections.remotes.isEmpty { members["remote"] = Array(connections.remotes).json }
        if let environment = connections.environment { members["environment"] = .string(environment.name) }
        return .object(members)
    }
}

extension APIObject<FaultShape.Draw> {
    /// A random number and its use.
    fileprivate init(_ draw: FaultDraw) {
        self.init()
        self.fired = draw.fired
        self.for = draw.use.rawValue
        self.number = draw.number
        self.value = draw.value
    }
}

extension APIObject<FaultTriggerShape> {
    /// When a fault fires; limits that are not set are left out.
    init(_ trigger: FaultTrigger) {
        self.init()
        self.afterIdle = trigger.afterIdle.map(DurationText.text)
        self.afterRequests = trigger.afterRequests > 0 ? trigger.afterRequests : nil
        self.every = trigger.every
        self.from = trigger.from?.rfc3339
        self.probability = trigger.probability
        self.skip = trigger.skip
        self.times = trigger.times
        self.until = trigger.until?.rfc3339
    }
}

extension APIObject<FaultPresetShape> {
    /// A preset.
    init(_ preset: FaultPreset) {
        self.init()
        self.meaning = preset.meaning
        self.name = preset.name
        self.parameters = preset.parameters.map { parameter in
            APIObject<FaultPresetShape.Parameter> {
                $0.default =
                    switch parameter.standard {
                    case .count(let count): count.json
                    case .duration(let time): .string(DurationText.text(time))
                    case .fraction(let fraction): fraction.json
                    }
                $0.meaning = parameter.meaning
                $0.name = parameter.name
            }
        }
        self.source = preset.source
    }
}
