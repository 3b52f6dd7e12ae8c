internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// A fault in words, for people: which pushes it is for, when it fires and what it does.
package struct FaultWords {
    let pushes: String
    let when: String
    let action: String

    init(_ fault: Fault) {
        let draft = fault.draft
        let everything = draft.action.row.stage == .connection ? "Every connection" : "Every push"
        pushes = (Self.words(of: draft.matchJSON) ?? everything) + (Self.warning(draft) ?? "")
        when = draft.when.words
        action = draft.action.words
    }

    private static func warning(_ draft: FaultDraft) -> String? {
        let given = draft.match?.tooCostly() ?? 0
        guard given == 0 else {
            let pushes = counted(Int(given), "push", "pushes")
            return " (too costly: \(pushes) did not match after \(Candidate.largestOfFault) steps)"
        }
        return draft.exceededSteps.map { " (too costly for large pushes: they don't match after \($0) steps)" }
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

extension FaultDraft {
    /// The conditions on pushes and connections, as they are written.
    var matchJSON: JSONValue {
        var members: [String: JSONValue] = [:]
        if let text = match?.text, case .object(let given)? = JSONParser.value(of: Array(text.utf8)) { members = given }
        if !connections.isEmpty {
            members["connection"] = Form<FaultDraft.Connections>.faultConnections.json(connections)
        }
        return .object(members)
    }

    /// The limit of steps that the conditions exceed on a large push; `nil` if they don't.
    fileprivate var exceededSteps: Int? {
        guard let text = match?.text else { return nil }
        return (try? Form<PushMatcher>.matcher.read(Array(text.utf8), use: .request))?.exceededStepsOfFault
    }
}

extension [String?] { fileprivate var phrase: String { compactMap(\.self).joined(separator: ", ") } }

extension FaultTrigger {
    fileprivate var words: String {
        let limits: [String?] = [
            afterIdle.map { "after \(DurationText.text($0)) without requests" },
            afterRequests > 0 ? "after \(counted(afterRequests, "request", "requests")) on the connection" : nil,
            skip > 0 ? "skip the first \(skip)" : nil, every > 1 ? "1 of \(every)" : nil,
            times.map { $0 == 1 ? "once" : "at most \($0) times" },
            probability < 1 ? "with probability \(probability)" : nil, from.map { "from \($0.rfc3339)" },
            until.map { "until \($0.rfc3339)" },
        ]
        let words = limits.phrase
        return words.isEmpty ? "every time" : words
    }
}

extension FaultAction {
    fileprivate var words: String {
        switch self {
        case .respond(let response): "respond \(response.words)"
        case .delay(let delay):
            "delay the response by \(DurationText.text(delay.time))"
                + (delay.jitter == 0 ? "" : " ± \(DurationText.text(delay.jitter))")
                + (delay.distribution == .normal ? " (normal)" : "")
        case .resetStream(let code): "reset the stream with \(code.name)"
        case .goAway(let frame): (frame.respond.map { "respond \($0.words), then " } ?? "") + frame.words
        case .connection(.blackhole): "discard all input and send nothing"
        case .connection(.fin): "end the connection without GOAWAY or close_notify"
        case .connection(.rst): "reset the connection"
        case .connection(.stall): "stop reading and sending"
        case .settings(let frame): frame.words
        case .handshake(.alert(let number)): "end the TLS handshake with alert \(number)"
        case .handshake(.delay(let time)): "delay the TLS handshake by \(DurationText.text(time))"
        case .handshake(.expiredCertificate): "show an expired certificate"
        case .handshake(.noApplicationProtocol): "negotiate no ALPN protocol"
        case .handshake(.refuse): "refuse the connection"
        case .handshake(.wrongHost): "show a certificate for another host"
        case .body(let body): "respond with \(body.words)"
        case .slow(let bytesPerSecond): "respond at \(bytesPerSecond) bytes per second"
        case .lose: "respond 200 and lose the notification"
        case .duplicate: "deliver twice"
        }
    }
}

extension FaultAction.Body {
    fileprivate var words: String {
        switch self {
        case .empty: "no body"
        case .huge: "a body of 1 MiB"
        case .malformed: "HTML as the body"
        case .truncated: "half of the body"
        }
    }
}

extension FaultAction.Response {
    fileprivate var words: String {
        let names = headers.map(\.name).sorted().joined(separator: ", ")
        let parts: [String?] = [
            "\(status)", reason?.name, names.isEmpty ? nil : "with \(names)", body.map { "with \($0.words)" },
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}

extension FaultAction.SettingsFrame {
    fileprivate var words: String {
        let parts: [String?] = [
            maxConcurrentStreams.map { "allow \(counted(Int($0), "stream", "streams")) at a time" },
            initialWindow.map { "set the initial window to \($0) bytes" },
            delay.map { "send nothing for \(DurationText.text($0))" },
            replaceWithGoAway.map { "\($0.words) instead of SETTINGS" },
        ]
        return parts.phrase
    }
}

extension FaultAction.GoAway {
    fileprivate var words: String {
        let stream = lastStream == .answered ? "" : " (last stream: \(lastStream.rawValue))"
        let close =
            switch close {
            case .drain: "close when all streams have ended"
            case .never: "keep the connection open"
            case .now: "close immediately"
            }
        let then = then.map { then in
            switch then {
            case .blackhole: "do not respond to later requests"
            case .refuse: "refuse later requests"
            case .stall: "do not read later requests"
            }
        }
        return ["send GOAWAY \(code.name)\(debug.isEmpty ? "" : " \(debug)")\(stream)", close, then].phrase
    }
}
