internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// Reads what a fault does: the member `do`, which has exactly one action.
enum FaultActionBody {
    private static let responseMembers = ["status", "reason", "headers", "body"]
    private static let goAwayMembers = ["code", "lastStream", "debug", "close", "then", "respond"]
    private static let settingsMembers = [
        "maxConcurrentStreams", "initialWindow", "delay", "replaceWithGoaway",
    ]

    private static let code = Form.words(HTTP2Code.allCases, \.name)
    private static let reason = Form.words(Reason.allCases, \.name)
    private static let anyText = Form<String>(expected: "text") { value in
        guard case .string(let text) = value else { return nil }
        return text
    }
    private static let yes = Form<Bool>(expected: "true") { $0 == .bool(true) ? true : nil }

    /// The action, and how many there are; `nil` when there is no `do`.
    static func action(_ body: inout BodyReader) -> (FaultAction?, count: Int?) {
        var count: Int?
        let action = body.object("do", known: FaultAction.names) { body -> FaultAction? in
            let named = FaultAction.names.filter { body.member($0) != nil }
            count = named.count
            if named.count == 1, body.member(named[0]) == .null {
                body.complain("is null; expected what is to happen", at: named[0])
                return nil
            }
            // More than one, or none, is for whoever asked to complain of.
            return named.count == 1 ? read(named[0], &body) : nil
        }
        return (action, count)
    }

    private static func read(_ name: String, _ body: inout BodyReader) -> FaultAction? {
        switch name {
        case "respond": response(name, &body).map { .respond($0) }
        case "delay": delay(&body).map { .delay($0) }
        case "stream":
            body.object(name, known: ["reset"]) { $0.required("reset", code) }.map { .resetStream($0) }
        case "goaway": goAway(name, &body).map { .goAway($0) }
        case "connection":
            body.required(name, Form<FaultAction.Break>.word).map { .connection($0) }
        case "settings": settings(&body).map { .settings($0) }
        case "handshake": body.required(name, handshake).map { .handshake($0) }
        case "body": body.required(name, Form<FaultAction.Body>.word).map { .body($0) }
        case "lose": body.required(name, yes).map { _ in .lose }
        case "duplicate": body.required(name, yes).map { _ in .duplicate }
        case "slow":
            body.object(name, known: ["bytesPerSecond"]) {
                $0.required("bytesPerSecond", .whole(1...Int(Int32.max)))
            }.map { .slow($0) }
        default: nil
        }
    }

    private static func response(_ name: String, _ body: inout BodyReader) -> FaultAction.Response? {
        body.object(name, known: responseMembers) { body in
            let status = body.optional("status", .whole(200...599))
            let reason = body.optional("reason", reason)
            let headers = body.optional("headers", headers) ?? []
            let form = body.optional("body", Form<FaultAction.Body>.word)
            if !body.has("status"), !body.has("reason") {
                body.complain("is missing; expected a status, or a reason", at: "status")
            }
            guard let status = status.map({ UInt16($0) }) ?? reason?.status else { return nil }
            return FaultAction.Response(
                status: status,
                reason: reason ?? usualReason(of: status),
                headers: headers,
                body: form
            )
        }
    }

    /// The reason that a status has by itself.
    private static func usualReason(of status: UInt16) -> Reason? {
        Reason.allCases.first { $0.status == status && $0.row.variant == 0 }
    }

    private static let headers = Form<[FaultAction.Header]>(
        expected: "an object of header names and their values, as text"
    ) { value in
        guard case .object(let members) = value else { return nil }
        var headers: [FaultAction.Header] = []
        for (name, value) in members.sortedByName {
            guard case .string(let text) = value else { return nil }
            headers.append(FaultAction.Header(name.lowercased(), text))
        }
        return headers
    }

    private static func delay(_ body: inout BodyReader) -> FaultAction.Delay? {
        body.object("delay", known: ["for", "jitter", "distribution"]) { body in
            let time = body.required("for", .duration)
            let jitter = body.optional("jitter", .duration)
            let distribution = body.optional(
                "distribution",
                Form<FaultAction.Delay.Distribution>.word
            )
            return time.map {
                FaultAction.Delay($0, jitter: jitter ?? 0, distribution: distribution ?? .uniform)
            }
        }
    }

    private static func goAway(_ name: String, _ body: inout BodyReader) -> FaultAction.GoAway? {
        body.object(name, known: goAwayMembers) { body in
            var frame = FaultAction.GoAway()
            frame.code = body.optional("code", code) ?? frame.code
            frame.lastStream =
                body.optional("lastStream", Form<FaultAction.GoAway.LastStream>.word)
                ?? frame.lastStream
            frame.debug = body.optional("debug", anyText) ?? frame.debug
            frame.close =
                body.optional("close", Form<FaultAction.GoAway.Close>.word) ?? frame.close
            frame.then = body.optional("then", Form<FaultAction.GoAway.Aftermath>.word)
            frame.respond = response("respond", &body)
            return frame
        }
    }

    private static func settings(_ body: inout BodyReader) -> FaultAction.SettingsFrame? {
        body.object("settings", known: settingsMembers) { body in
            var settings = FaultAction.SettingsFrame()
            settings.maxConcurrentStreams = body.optional("maxConcurrentStreams", .whole(0...1_000_000))
                .map { UInt32($0) }
            settings.initialWindow = body.optional("initialWindow", .whole(0...2_147_483_647))
                .map { UInt32($0) }
            settings.delay = body.optional("delay", .duration)
            settings.replaceWithGoAway = goAway("replaceWithGoaway", &body)
            return settings
        }
    }

    private static let handshake = Form<FaultAction.Handshake>(
        expected: "refuse, delay:<duration>, expired-cert, wrong-host, no-alpn, or alert:<0 to 255>",
        candidates: ["refuse", "delay:5s", "expired-cert", "wrong-host", "no-alpn", "alert:40"]
    ) { value in
        guard case .string(let text) = value else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        switch (parts[0], parts.count > 1 ? String(parts[1]) : nil) {
        case ("refuse", nil): return .refuse
        case ("expired-cert", nil): return .expiredCertificate
        case ("wrong-host", nil): return .wrongHost
        case ("no-alpn", nil): return .noApplicationProtocol
        case ("delay", let time?): return DurationText.microseconds(time).map { .delay($0) }
        case ("alert", let number?):
            return UInt64(digits: number).flatMap { UInt8(exactly: $0) }.map { .alert($0) }
        default: return nil
        }
    }
}
