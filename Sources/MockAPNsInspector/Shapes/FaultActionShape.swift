internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// What a fault does, as the API shows it and takes it.
enum FaultActionShape {
    static func json(_ action: FaultAction) -> JSONValue {
        let value: JSONValue =
            switch action {
            case .respond(let response): self.response(response)
            case .delay(let delay):
                [
                    "for": duration(delay.time), "jitter": duration(delay.jitter),
                    "distribution": .string(delay.distribution.rawValue),
                ]
            case .resetStream(let code): ["reset": .string(code.name)]
            case .goAway(let frame): goAway(frame)
            case .connection(let end): .string(end.rawValue)
            case .settings(let settings): self.settings(settings)
            case .handshake(let handshake): .string(text(handshake))
            case .body(let body): .string(body.rawValue)
            case .lose, .duplicate: true
            case .slow(let rate): ["bytesPerSecond": JSONValue(rate)]
            }
        return .object([action.name: value])
    }

    private static func response(_ response: FaultAction.Response) -> JSONValue {
        var members: [String: JSONValue] = ["status": JSONValue(Int(response.status))]
        if let reason = response.reason { members["reason"] = .string(reason.name) }
        if !response.headers.isEmpty {
            let fields = response.headers.map { ($0.name, JSONValue.string($0.value)) }
            members["headers"] = .object(Dictionary(fields) { first, _ in first })
        }
        if let body = response.body { members["body"] = .string(body.rawValue) }
        return .object(members)
    }

    private static func goAway(_ frame: FaultAction.GoAway) -> JSONValue {
        var members: [String: JSONValue] = [
            "code": .string(frame.code.name), "lastStream": .string(frame.lastStream.rawValue),
            "debug": .string(frame.debug), "close": .string(frame.close.rawValue),
        ]
        if let then = frame.then { members["then"] = .string(then.rawValue) }
        if let response = frame.respond { members["respond"] = self.response(response) }
        return .object(members)
    }

    private static func settings(_ settings: FaultAction.Settings) -> JSONValue {
        var members: [String: JSONValue] = [:]
        if let streams = settings.maxConcurrentStreams {
            members["maxConcurrentStreams"] = JSONValue(Int(streams))
        }
        if let window = settings.initialWindow { members["initialWindow"] = JSONValue(Int(window)) }
        if let delay = settings.delay { members["delay"] = duration(delay) }
        if let frame = settings.replaceWithGoAway { members["replaceWithGoaway"] = goAway(frame) }
        return .object(members)
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

    private static func duration(_ microseconds: Int64) -> JSONValue {
        .string(DurationText.text(microseconds))
    }
}
