internal import MockAPNsAPI

extension APIObject<FaultShape> {
    var sentence: String {
        TerminalText.plain(
            "\(self.id) is \(self.enabled ? "on" : "off") at position \(self.position): \(self.`do`.text), \(self.when.text)"
        )
    }

    var row: [String] {
        [
            "\(self.position)", self.id, self.enabled ? "on" : "off", self.`do`.text, self.when.text,
            "\(self.stats.evaluated)", "\(self.stats.fired)",
            self.stats.lastFiredAt.map(TerminalText.time) ?? "-", self.name ?? self.preset ?? "-",
        ]
    }
}

extension APIObject<FaultTriggerShape> {
    var text: String {
        let limits: [String?] = [
            self.skip.flatMap { $0 > 0 ? "after \($0)" : nil },
            self.every.flatMap { $0 > 1 ? "1 of \($0)" : nil },
            self.times.map { $0 == 1 ? "once" : "\($0) times" },
            self.probability.flatMap { $0 < 1 ? "p=\($0)" : nil },
            self.afterIdle.map { "idle \($0)" },
            self.afterRequests.map { "\($0) requests before" },
            self.from.map { "from \(TerminalText.time($0))" },
            self.until.map { "until \(TerminalText.time($0))" },
        ]
        return limits.given(joinedBy: ", ") ?? "always"
    }
}

extension APIObject<FaultActionShape> {
    var text: String {
        if let respond = self.respond { return "respond \(respond.text)" }
        if let delay = self.delay {
            return "delay \(delay.for)" + (delay.jitter.map { $0 == "0s" ? "" : " ± \($0)" } ?? "")
        }
        if let stream = self.stream { return "reset \(stream.reset)" }
        if let goaway = self.goaway {
            let answer = goaway.respond.map { "\($0.text), then " } ?? ""
            return "\(answer)GOAWAY \(goaway.code ?? "?"), close \(goaway.close ?? "?")"
                + (goaway.then.map { ", then \($0)" } ?? "")
        }
        if let connection = self.connection { return "connection \(connection)" }
        if let settings = self.settings { return "settings\(Self.text(settings))" }
        if let handshake = self.handshake { return "handshake \(handshake)" }
        if let body = self.body { return "body \(body)" }
        if self.lose == true { return "lose" }
        if self.duplicate == true { return "duplicate" }
        return self.slow.map { "slow \($0.bytesPerSecond) bytes/s" } ?? "?"
    }

    private static func text(_ settings: APIObject<FaultActionShape.Settings>) -> String {
        let parts: [String?] = [
            settings.maxConcurrentStreams.map { " streams=\($0)" },
            settings.initialWindow.map { " window=\($0)" },
            settings.delay.map { " delay=\($0)" },
            settings.replaceWithGoaway.map { " GOAWAY \($0.code ?? "?")" },
        ]
        return parts.compactMap(\.self).joined()
    }
}

extension APIObject<FaultActionShape.Respond> {
    var text: String { (self.status.map(String.init) ?? "") + (self.reason.map { " \($0)" } ?? "") }
}
