internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

extension APIObject<FaultShape> {
    package init(_ fault: Fault, in subject: ShownNamespace) {
        self.init()
        set(\.do, to: Form<[FaultAction?]>.json(fault.draft.action))
        self.enabled = fault.draft.isEnabled
        self.id = FaultIDText.text(fault.id)
        self.match = Self.match(fault.draft)
        self.name = fault.draft.name
        self.position = fault.position
        self.preset = fault.draft.preset
        self.stats = APIObject<FaultShape.Stats> {
            $0.draws = fault.draws.map { draw in
                APIObject<FaultShape.Draw> {
                    $0.fired = draw.fired
                    $0.for = draw.use.rawValue
                    $0.number = draw.number
                    $0.value = draw.value
                }
            }
            $0.evaluated = UInt64(fault.evaluated)
            $0.fired = UInt64(fault.fired)
            $0.firedFor = fault.firedFor.map { subject.pushID($0) }
            $0.lastFiredAt = fault.lastFiredAt?.rfc3339
            $0.tooCostly = fault.draft.match?.tooCostly() ?? 0
        }
        set(\.when, to: Form<FaultTrigger>.faultTrigger.json(fault.draft.when))
        self.description = APIObject<FaultShape.Description>(of: self, exceeding: Self.exceededSteps(fault.draft))
    }

    /// The limit of steps that the conditions exceed on a large push; `nil` if they don't.
    private static func exceededSteps(_ draft: FaultDraft) -> Int? {
        guard let text = draft.match?.text else { return nil }
        return (try? Form<PushMatcher>.matcher.read(Array(text.utf8), use: .request))?.exceededStepsOfFault
    }

    private static func match(_ draft: FaultDraft) -> JSONValue {
        var members: [String: JSONValue] = [:]
        if let text = draft.match?.text, case .object(let given)? = JSONParser.value(of: Array(text.utf8)) {
            members = given
        }
        if !draft.connections.isEmpty {
            members["connection"] = Form<FaultDraft.Connections>.faultConnections.json(draft.connections)
        }
        return .object(members)
    }
}

extension APIObject<FaultPresetShape> {
    package init(_ preset: FaultPreset) {
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
