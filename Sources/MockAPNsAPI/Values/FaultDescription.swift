internal import MockAPNsFormats
internal import MockAPNsQuery

/// A fault in words, for people: which pushes it is for, when it fires and what it does.
extension APIObject<FaultShape.Description> {
    /// `limit` is the limit of steps that the conditions exceed on a large push, if they do.
    init(of fault: APIObject<FaultShape>, exceeding limit: Int? = nil) {
        self.init()
        self.action = fault.do.words
        let pushes = Self.words(of: fault.match) ?? (fault.do.isOnConnection ? "Every connection" : "Every push")
        let given = fault.stats.tooCostly
        let warning =
            given > 0
            ? " (too costly: \(counted(Int(given), "push", "pushes")) did not match after \(Candidate.largestOfFault) steps)"
            : limit.map { " (too costly for large pushes: they don't match after \($0) steps)" }
        self.pushes = pushes + (warning ?? "")
        self.when = fault.when.words
    }

    /// The members of a match whose names are not their words.
    private static let names = [
        "apnsId": "apns-id", "collapseId": "collapse ID", "connection": "connection", "keyId": "key ID",
        "pushType": "type", "q": "search", "teamId": "team ID",
    ]

    private static func words(of match: JSONValue) -> String? {
        guard case .object(let members) = match, !members.isEmpty else { return nil }
        return members.sortedByName.flatMap { name, value in
            // The members of these say what they are.
            guard case .object(let inner) = value, name == "headers" || name == "connection" else {
                return ["\(names[name] ?? name) \(text(of: value))"]
            }
            return inner.sortedByName.map { "\($0) \(text(of: $1))" }
        }.joined(separator: ", ")
    }

    private static func text(of value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .array(let values): values.map(text(of:)).joined(separator: " or ")
        case .object(let operation) where operation.count == 1 && operation["in"] != nil:
            text(of: operation["in"] ?? .null)
        default: String(decoding: value.text, as: UTF8.self)
        }
    }
}

extension APIObject<FaultTriggerShape> {
    fileprivate var words: String {
        let limits: [String?] = [
            self.afterIdle.map { "after \($0) without requests" },
            self.afterRequests.flatMap {
                $0 > 0 ? "after \(counted($0, "request", "requests")) on the connection" : nil
            }, self.skip.flatMap { $0 > 0 ? "skip the first \($0)" : nil },
            self.every.flatMap { $0 > 1 ? "1 of \($0)" : nil },
            self.times.map { $0 == 1 ? "once" : "at most \($0) times" },
            self.probability.flatMap { $0 < 1 ? "with probability \($0)" : nil }, self.from.map { "from \($0)" },
            self.until.map { "until \($0)" },
        ]
        let given = limits.compactMap(\.self)
        return given.isEmpty ? "every time" : given.joined(separator: ", ")
    }
}

extension APIObject<FaultActionShape> {
    fileprivate var isOnConnection: Bool { self.handshake != nil || self.settings != nil }

    fileprivate var words: String {
        if let respond = self.respond { return "respond \(respond.words)" }
        if let delay = self.delay {
            let spread = delay.jitter.flatMap { $0 == "0s" ? nil : " ± \($0)" } ?? ""
            return "delay the response by \(delay.for)\(spread)\(delay.distribution == "normal" ? " (normal)" : "")"
        }
        if let stream = self.stream { return "reset the stream with \(stream.reset)" }
        if let goaway = self.goaway {
            return (goaway.respond.map { "respond \($0.words), then " } ?? "") + goaway.words
        }
        if let connection = self.connection { return Self.breaks[connection] ?? connection }
        if let settings = self.settings { return settings.words }
        if let handshake = self.handshake { return Self.words(ofHandshake: handshake) }
        if let body = self.body { return "respond with \(Self.bodies[body] ?? body)" }
        if let slow = self.slow { return "respond at \(slow.bytesPerSecond) bytes per second" }
        return self.lose == true ? "respond 200 and lose the notification" : "deliver twice"
    }

    fileprivate static let bodies = [
        "empty": "no body", "huge": "a body of 1 MiB", "malformed": "HTML as the body", "truncated": "half of the body",
    ]

    private static let breaks = [
        "blackhole": "discard all input and send nothing", "fin": "end the connection without GOAWAY or close_notify",
        "rst": "reset the connection", "stall": "stop reading and sending",
    ]

    private static func words(ofHandshake handshake: String) -> String {
        let parts = handshake.split(separator: ":")
        let argument = parts.count > 1 ? String(parts[1]) : ""
        return switch parts.first {
        case "alert": "end the TLS handshake with alert \(argument)"
        case "delay": "delay the TLS handshake by \(argument)"
        case "expired-cert": "show an expired certificate"
        case "no-alpn": "negotiate no ALPN protocol"
        case "refuse": "refuse the connection"
        case "wrong-host": "show a certificate for another host"
        default: handshake
        }
    }
}

extension APIObject<FaultActionShape.Respond> {
    fileprivate var words: String {
        let parts: [String?] = [
            self.status.map(String.init), self.reason,
            self.headers.map { "with \($0.keys.sorted().joined(separator: ", "))" },
            self.body.map { "with \(APIObject<FaultActionShape>.bodies[$0] ?? $0)" },
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}

extension APIObject<FaultActionShape.Settings> {
    fileprivate var words: String {
        let parts: [String?] = [
            self.maxConcurrentStreams.map { "allow \(counted($0, "stream", "streams")) at a time" },
            self.initialWindow.map { "set the initial window to \($0) bytes" },
            self.delay.map { "send nothing for \($0)" },
            self.replaceWithGoaway.map { "\($0.words) instead of SETTINGS" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension APIObject<FaultActionShape.GoAway> {
    private static let closes = [
        "drain": "close when all streams have ended", "never": "keep the connection open", "now": "close immediately",
    ]
    private static let thens = [
        "blackhole": "do not respond to later requests", "refuse": "refuse later requests",
        "stall": "do not read later requests",
    ]

    fileprivate var words: String {
        let stream = self.lastStream.flatMap { $0 == "answered" ? nil : " (last stream: \($0))" } ?? ""
        let debug = self.debug.flatMap { $0.isEmpty ? nil : " \($0)" } ?? ""
        let parts: [String?] = [
            "send GOAWAY \(self.code ?? "NO_ERROR")\(debug)\(stream)", self.close.flatMap { Self.closes[$0] },
            self.then.flatMap { Self.thens[$0] },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
