internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

extension Form where Value == [FaultAction?] {
    /// The actions, of which there has to be one; `nil` for one that has a mistake.
    ///
    /// The shape describes its members, because responses have them too.
    static let faultActions = object(
        [], .optional("respond", respond) { $0.append(.respond($1)) },
        .optional("delay", delay) { $0.append(.delay($1)) }, .optional("stream", reset) { $0.append(.resetStream($1)) },
        .optional("goaway", goAway) { $0.append(.goAway($1)) },
        .optional("connection", .word) { $0.append(.connection($1)) },
        .optional("settings", settings) { $0.append(.settings($1)) },
        .optional("handshake", handshake) { $0.append(.handshake($1)) },
        .optional("body", .word) { $0.append(.body($1)) },
        .optional("lose", onlyTrue) { actions, _ in actions.append(.lose) },
        .optional("duplicate", onlyTrue) { actions, _ in actions.append(.duplicate) },
        .optional("slow", rate) { $0.append(.slow($1)) }
    ) { actions, given, reader in
        if given.count == 1, let (name, value) = given.first, value == .null {
            reader.complain("is null; expected an action", at: name)
        }
        while actions.count < given.count { actions.append(nil) }
    }.described(as: "FaultAction") {
        FaultActionShape.definition.schema($0).with("minProperties", 1).with("maxProperties", 1).described(
            "Exactly one action.")
    }

    /// An action as the member that is read into it.
    static func json(_ action: FaultAction) -> JSONValue {
        let value: JSONValue =
            switch action {
            case .respond(let response): respond.json(response)
            case .delay(let wait): delay.json(wait)
            case .resetStream(let code): reset.json(code)
            case .goAway(let frame): goAway.json(frame)
            case .connection(let end): .string(end.rawValue)
            case .settings(let first): settings.json(first)
            case .handshake(let fault): handshake.json(fault)
            case .body(let fault): .string(fault.rawValue)
            case .lose, .duplicate: true
            case .slow(let bytesPerSecond): rate.json(bytesPerSecond)
            }
        return .object([action.name: value])
    }

    private static let reset = Form<HTTP2Code>.object(.noError, .required("reset", code, as: \.self))
    private static let rate = Form<Int>.object(1, .required("bytesPerSecond", .whole(1...Int(Int32.max)), as: \.self))
    private static let code = Form<HTTP2Code>.words(HTTP2Code.allCases, \.name)
    private static let onlyTrue = Form<Bool>(expected: "true", schema: .constant(true)) {
        $0 == .bool(true) ? true : nil
    }

    private static let respond = Form<FaultAction.Response>.object(
        FaultAction.Response(status: 0, reason: nil), .optional("status", .whole(200...599), as: \.status),
        .optional("reason", .words(Reason.allCases, \.name), as: \.reason),
        .optional("headers", headers, get: { $0.headers.isEmpty ? nil : $0.headers }) { $0.headers = $1 },
        .optional("body", .word, as: \.body)
    ) { response, given, reader in
        if (given["status"] ?? .null) == .null, (given["reason"] ?? .null) == .null {
            reader.complain("is missing; expected a status, or a reason", at: "status")
        }
        if response.status == 0 { response.status = response.reason?.status ?? 0 }
        let status = response.status
        response.reason = response.reason ?? Reason.allCases.first { $0.status == status && $0.variant == 0 }
    }

    private static let headers = Form<[FaultAction.Header]>(
        expected: "an object of header names and their values, as text", schema: .dictionary(of: .text),
        write: { headers in Dictionary(headers.map { ($0.name, $0.value) }) { first, _ in first }.json }
    ) { value in
        guard let headers = try? [String: String](json: value) else { return nil }
        return headers.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
            FaultAction.Header($0.lowercased(), $1)
        }
    }

    private static let delay = Form<FaultAction.Delay>.object(
        FaultAction.Delay(0), .required("for", .duration, as: \.time), .optional("jitter", .duration, as: \.jitter),
        .optional("distribution", .word, as: \.distribution))

    private static let goAway = Form<FaultAction.GoAway>.object(
        FaultAction.GoAway(), .optional("code", code, as: \.code), .optional("lastStream", .word, as: \.lastStream),
        .optional("debug", Form<String>(ofText: "text", text: \.self) { $0 }, as: \.debug),
        .optional("close", .word, as: \.close), .optional("then", .word, as: \.then),
        .optional("respond", respond, as: \.respond))

    private static let settings = Form<FaultAction.SettingsFrame>.object(
        FaultAction.SettingsFrame(),
        .optional("maxConcurrentStreams", .whole(0...1_000_000), as: \.maxConcurrentStreams),
        .optional("initialWindow", .whole(0...2_147_483_647), as: \.initialWindow),
        .optional("delay", .duration, as: \.delay), .optional("replaceWithGoaway", goAway, as: \.replaceWithGoAway))

    private static let handshake = Form<FaultAction.Handshake>(
        ofText: "refuse, delay:<duration>, expired-cert, wrong-host, no-alpn, or alert:<0 to 255>",
        candidates: ["refuse", "delay:5s", "expired-cert", "wrong-host", "no-alpn", "alert:40"],
        text: { handshake in
            switch handshake {
            case .refuse: "refuse"
            case .delay(let time): "delay:\(DurationText.text(time))"
            case .expiredCertificate: "expired-cert"
            case .wrongHost: "wrong-host"
            case .noApplicationProtocol: "no-alpn"
            case .alert(let number): "alert:\(number)"
            }
        }
    ) { text in
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        switch (parts[0], parts.count > 1 ? String(parts[1]) : nil) {
        case ("refuse", nil): return .refuse
        case ("expired-cert", nil): return .expiredCertificate
        case ("wrong-host", nil): return .wrongHost
        case ("no-alpn", nil): return .noApplicationProtocol
        case ("delay", let time?): return DurationText.microseconds(time).map { .delay($0) }
        case ("alert", let number?): return UInt64(digits: number).flatMap { UInt8(exactly: $0) }.map { .alert($0) }
        default: return nil
        }
    }
}
