internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

extension APIObject<FaultShape> {
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
        }
        let trigger = fault.draft.when
        self.when = APIObject<FaultTriggerShape> {
            $0.afterIdle = trigger.afterIdle.map(DurationText.text)
            $0.afterRequests = trigger.afterRequests > 0 ? trigger.afterRequests : nil
            $0.every = trigger.every
            $0.from = trigger.from?.rfc3339
            $0.probability = trigger.probability
            $0.skip = trigger.skip
            $0.times = trigger.times
            $0.until = trigger.until?.rfc3339
        }
    }

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
        if let environment = connections.environment {
            members["environment"] = .string(environment.rawValue)
        }
        return .object(members)
    }
}

extension APIObject<FaultPresetShape> {
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

extension APIObject<FaultActionShape> {
    init(_ action: FaultAction) {
        self.init()
        switch action {
        case .respond(let response): self.respond = APIObject<FaultActionShape.Respond>(response)
        case .delay(let wait):
            self.delay = APIObject<FaultActionShape.Delay> {
                $0.distribution = wait.distribution.rawValue
                $0.for = DurationText.text(wait.time)
                $0.jitter = DurationText.text(wait.jitter)
            }
        case .resetStream(let code): self.stream = APIObject<FaultActionShape.Stream> { $0.reset = code.name }
        case .goAway(let frame): self.goaway = APIObject<FaultActionShape.GoAway>(frame)
        case .connection(let end): self.connection = end.rawValue
        case .settings(let first):
            self.settings = APIObject<FaultActionShape.Settings> {
                $0.delay = first.delay.map(DurationText.text)
                $0.initialWindow = first.initialWindow.map(Int.init)
                $0.maxConcurrentStreams = first.maxConcurrentStreams.map(Int.init)
                $0.replaceWithGoaway = first.replaceWithGoAway.map(APIObject<FaultActionShape.GoAway>.init)
            }
        case .handshake(let fault): self.handshake = Self.text(fault)
        case .body(let fault): self.body = fault.rawValue
        case .lose: self.lose = true
        case .duplicate: self.duplicate = true
        case .slow(let rate): self.slow = APIObject<FaultActionShape.Slow> { $0.bytesPerSecond = rate }
        }
    }

    private static func text(_ handshake: FaultAction.Handshake) -> String {
        switch handshake {
        case .refuse: "refuse"
        case .delay(let time): "delay:\(DurationText.text(time))"
        case .expiredCertificate: "expired-cert"
        case .wrongHost: "wrong-host"
        case .noApplicationProtocol: "no-alpn"
        case .alert(let number): "alert:\(number)"
        }
    }
}

extension APIObject<FaultActionShape.Respond> {
    fileprivate init(_ response: FaultAction.Response) {
        self.init()
        self.body = response.body?.rawValue
        if !response.headers.isEmpty {
            self.headers = Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first }
        }
        self.reason = response.reason?.name
        self.status = Int(response.status)
    }
}

extension APIObject<FaultActionShape.GoAway> {
    fileprivate init(_ frame: FaultAction.GoAway) {
        self.init()
        self.close = frame.close.rawValue
        self.code = frame.code.name
        self.debug = frame.debug
        self.lastStream = frame.lastStream.rawValue
        self.respond = frame.respond.map(APIObject<FaultActionShape.Respond>.init)
        self.then = frame.then?.rawValue
    }
}
