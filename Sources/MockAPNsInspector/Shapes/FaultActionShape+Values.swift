internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

extension APIObject<FaultActionShape> {
    /// What a fault does.
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
        case .settings(let first): self.settings = APIObject<FaultActionShape.Settings>(first)
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

extension APIObject<FaultActionShape.Settings> {
    fileprivate init(_ settings: FaultAction.SettingsFrame) {
        self.init()
        self.delay = settings.delay.map(DurationText.text)
        self.initialWindow = settings.initialWindow.map(Int.init)
        self.maxConcurrentStreams = settings.maxConcurrentStreams.map(Int.init)
        self.replaceWithGoaway = settings.replaceWithGoAway.map(APIObject<FaultActionShape.GoAway>.init)
    }
}
