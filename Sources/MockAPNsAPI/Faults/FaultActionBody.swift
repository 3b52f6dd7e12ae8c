internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

extension Form where Value == [FaultAction?] {
    /// The action of a fault, in requests and responses: an object with one member, which names the action.
    ///
    /// Every member that is given is read, so that a request with two actions can be refused; `nil` for an invalid one.
    static let faultActions = {
        let form = object([], members) { actions, given, reader in
            if given.count == 1, let (name, value) = given.first, value == .null {
                reader.complain("is null; expected an action", at: name)
            }
            while actions.count < given.count { actions.append(nil) }
        }
        return form.described(as: "FaultAction") {
            form.schema($0).with("minProperties", 1).with("maxProperties", 1).described("Exactly one action.")
        }
    }()

    private static let members: [Field<Value>] = [
        action("respond", respond, "Sends another status or reason.", FaultAction.respond) {
            if case .respond(let response) = $0 { response } else { nil }
        },
        action("delay", delay, "Delays the response.", FaultAction.delay) {
            if case .delay(let delay) = $0 { delay } else { nil }
        },
        action("stream", reset, "Resets the stream.", FaultAction.resetStream) {
            if case .resetStream(let code) = $0 { code } else { nil }
        },
        action("goaway", goAway, "Sends GOAWAY after the response.", FaultAction.goAway) {
            if case .goAway(let frame) = $0 { frame } else { nil }
        },
        action("connection", .word(.connectionFault), "Breaks the connection.", FaultAction.connection) {
            if case .connection(let end) = $0 { end } else { nil }
        },
        action("settings", settings, "Sends other SETTINGS, late ones or none.", FaultAction.settings) {
            if case .settings(let frame) = $0 { frame } else { nil }
        },
        action("handshake", handshake, "Breaks the TLS handshake.", FaultAction.handshake) {
            if case .handshake(let fault) = $0 { fault } else { nil }
        },
        action("body", .word(.bodyFault), "Sends a wrong response body.", FaultAction.body) {
            if case .body(let fault) = $0 { fault } else { nil }
        },
        action("lose", onlyTrue, "Accepts the push and never delivers it.", { _ in .lose }) {
            $0 == .lose ? true : nil
        },
        action("duplicate", onlyTrue, "Delivers the notification twice.", { _ in .duplicate }) {
            $0 == .duplicate ? true : nil
        },
        action("slow", rate, "Sends the response at this rate.", FaultAction.slow) {
            if case .slow(let bytesPerSecond) = $0 { bytesPerSecond } else { nil }
        },
    ]

    /// The member for one kind of action.
    private static func action<Part>(
        _ name: String, _ form: Form<Part>, _ description: String, _ action: @escaping @Sendable (Part) -> FaultAction,
        part: @escaping @Sendable (FaultAction) -> Part?
    ) -> Field<Value> {
        .optional(name, form, description, get: { $0.first?.flatMap(part) }, set: { $0.append(action($1)) })
    }

    private static let reset = Form<HTTP2Code>.object(.noError, .required("reset", code, as: \.self))
    private static let rate = Form<Int>.object(1, .required("bytesPerSecond", .whole(1...Int(Int32.max)), as: \.self))
    private static let code = Form<HTTP2Code>.words(HTTP2Code.allCases, schema: .word(.http2Code), \.name)
    private static let onlyTrue = Form<Bool>(expected: "true", schema: .constant(true), write: \.json) {
        $0 == .bool(true) ? true : nil
    }

    private static let respond = Form<FaultAction.Response>.object(
        FaultAction.Response(status: 0, reason: nil), .optional("status", .whole(200...599), as: \.status),
        .optional("reason", .words(Reason.allCases, \.name), as: \.reason),
        .optional("headers", headers, "Header fields to add.", get: { $0.headers.isEmpty ? nil : $0.headers }) {
            $0.headers = $1
        }, .optional("body", .word(.bodyFault), as: \.body)
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
        .optional("distribution", .word(.delayDistribution), as: \.distribution))

    private static let goAway = Form<FaultAction.GoAway>.object(
        FaultAction.GoAway(), .optional("code", code, as: \.code),
        .optional("lastStream", .word(.goAwayLastStream), as: \.lastStream),
        .optional("debug", Form<String>(ofText: "text", schema: .text, text: \.self) { $0 }, as: \.debug),
        .optional("close", .word(.goAwayClose), as: \.close), .optional("then", .word(.goAwayThen), as: \.then),
        .optional("respond", respond, "The response before the frame.", as: \.respond))

    private static let settings = Form<FaultAction.SettingsFrame>.object(
        FaultAction.SettingsFrame(),
        .optional("maxConcurrentStreams", .whole(0...1_000_000), as: \.maxConcurrentStreams),
        .optional("initialWindow", .whole(0...2_147_483_647), as: \.initialWindow),
        .optional("delay", .duration, as: \.delay), .optional("replaceWithGoaway", goAway, as: \.replaceWithGoAway))

    private static let handshake = Form<FaultAction.Handshake>(
        ofText: "refuse, delay:<duration>, expired-cert, wrong-host, no-alpn, or alert:<0 to 255>",
        candidates: ["refuse", "delay:5s", "expired-cert", "wrong-host", "no-alpn", "alert:40"],
        schema: .text("^(refuse|expired-cert|wrong-host|no-alpn|delay:-?[0-9]{1,12}(ms|s|m|h|d)|alert:[0-9]{1,20})$")
            .example("expired-cert"),
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
