internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules

extension AlertText { var line: String? { [title, subtitle, body].given(joinedBy: ": ") } }

extension APIObject<PushShape.APNs> {
    /// The topic, or the app of a request without one.
    var app: String? { self.topic ?? self.bundleId }
}

extension APIObject<PushShape> {
    var words: String? {
        let type = PushType.allCases.first { $0.name == self.apns.pushType.lowercased() } ?? .alert
        return AlertText(self.request.payload["aps"]?["alert"], of: type).line
    }

    /// When it reached the device, or else when it arrived.
    var time: String { self.delivery.timeline.last { $0.event == "delivered" }?.at ?? self.receivedAt }

    /// One line about the push; begins with its device where a stream has several.
    func line(of device: String?) -> String {
        let parts: [any CellText] = [TerminalText.time(time).styled(.secondary), device ?? ""]
        return Terminal.output.line(parts + subject + [reaction])
    }

    /// The app and the text.
    var subject: [any CellText] { [self.apns.app ?? "no topic", words ?? "no text (\(self.apns.pushType))"] }

    /// What the device did; empty if it did nothing yet.
    var reaction: StyledText { (self.delivery.reaction.map { "[\($0.summary)]" } ?? "").styled(.secondary) }

    static func table(_ pushes: [APIObject<PushShape>]) -> String {
        let columns: [Table.Column] = [
            .fixed("PUSH"), .time("RECEIVED"), .name("TOPIC").optional(2), .text("TYPE").optional(1), "TEXT",
        ]
        return Table.text(columns, of: pushes) { push in
            let time = TerminalText.time(push.receivedAt)
            return [push.id, time, push.apns.app ?? "-", push.apns.pushType, push.words ?? "-"]
        }
    }

    var text: String {
        let terminal = Terminal.output
        let warnings = self.lints.flatMap(Self.lines)
        let sections: [String?] = [
            Table.sheet(facts), terminal.section("checks that failed", failedChecks),
            warnings.isEmpty ? nil : terminal.section("warnings", of: warnings), terminal.section("headers", headers),
            payload, timeline.isEmpty ? nil : terminal.section("timeline", of: timeline),
        ]
        return sections.compactMap(\.self).joined(separator: "\n\n")
    }

    private var facts: [(name: String, value: (any CellText)?)] {
        let passed = self.verdict.checks.count { $0.ok == true }
        let rest = self.verdict.checks.count - passed - self.verdict.checks.count { $0.ok == false }
        let unreached = rest > 0 ? ", \(rest) not reached" : ""
        return [
            ("push", "\(self.id)  #\(self.seq)"),
            ("received", "\(self.receivedAt) from \(self.connection.remote ?? "?")"),
            ("verdict", "\(self.verdict.outcome), \(self.verdict.answer)".styled(.of(status: self.verdict.status))),
            ("why", self.verdict.hint ?? self.verdict.meaning), ("problem", self.verdict.problem),
            ("checks", "\(passed) passed\(unreached)"), ("apns-id", self.apns.id ?? "none"),
            ("token", self.apns.token ?? "none"), ("device", self.delivery.device ?? "none"),
            ("topic", self.apns.bundleId == nil ? self.apns.topic ?? "none" : nil), ("app", self.apns.bundleId),
            ("channel", self.apns.channel), ("type", self.apns.pushType), ("provider", provider),
            ("connection", "\(self.connection.id), stream \(self.connection.streamId), \(self.environment)"),
            ("certificate", self.connection.tls?.clientCertificate.map(Self.text(of:))),
            ("delivery", self.delivery.words), ("activity", self.delivery.activity),
            ("ignored", self.delivery.ignored.map { "\($0.code): \($0.text)".styled(.caution) }),
            ("reaction", self.delivery.reaction?.summary), ("forwarded", self.forward?.words), ("note", self.note),
            ("verified", self.verifiedBy.isEmpty ? nil : self.verifiedBy.joined(separator: " ")),
        ]
    }

    private var provider: String {
        if let app = self.auth.certificate { return "certificate for \(app)" }
        guard self.auth.kind != "none" else { return "no provider token" }
        let age = self.auth.ageSeconds.map { ", \(TerminalText.seconds($0)) old" } ?? ""
        return "key \(self.auth.keyId ?? "none"), team \(self.auth.teamId ?? "none"), \(self.auth.verification)\(age)"
    }

    private static func text(of certificate: APIObject<ClientCertificateShape>) -> String {
        let end = certificate.notAfter.map { ", valid until \($0)" } ?? ""
        let problem = certificate.problem.map { ". \($0)" } ?? ""
        return "\(certificate.subject)\(end)" + (certificate.authenticated ? ", authenticated" : ", not authenticated")
            + problem
    }

    private static func text(of value: JSONValue) -> String {
        if case .string(let text) = value { return "'\(text)'" }
        return value.plainText ?? ""
    }

    private var failedChecks: [any CellText] {
        self.verdict.checks.filter { $0.ok == false }.map { check in
            let expected = check.expected.map { ": expected \($0)" } ?? ""
            let actual = check.actual.map { "; saw \(Self.text(of: $0))" } ?? ""
            return "✘ \(check.id)\(expected)\(actual)".styled(.bad)
        }
    }

    private static func lines(of lint: APIObject<LintShape>) -> [String] {
        let place = lint.pointer.map { " at \(TerminalText.place($0))" } ?? ""
        let line = "\(lint.severity) \(lint.id)\(place): \(lint.message)"
        let style = Lint.Severity(rawValue: lint.severity)?.style
        return [
            Terminal.output.paragraph(line.styled(style), indent: 2, hanging: 2),
            Terminal.output.paragraph("hint: \(lint.hint)", indent: 4, hanging: 2),
        ]
    }

    private var headers: [String] {
        let first = "\(self.request.method) \(self.request.path)"
        return [first] + self.request.headers.map { $0.joined(separator: ": ") }
    }

    private var payload: String {
        let terminal = Terminal.output
        let title = "payload, \(self.request.bodySize) bytes"
        guard self.request.bodyKept else { return terminal.styled(title + ", too many to keep", .heading) }
        let body = self.request.bodyBase64.bytes
        if body.isEmpty { return terminal.styled(title, .heading) }
        guard let text = String(validating: body, as: UTF8.self) else {
            let bytes = body.prefix(256).map { HexDigit.text(of: [$0]) }
            let text = bytes.joined(separator: " ") + (body.count > 256 ? " …" : "")
            return terminal.section(title + ", not a text", of: [terminal.paragraph(text, indent: 2)])
        }
        let isJSON = JSONParser.value(of: Array(body)) != nil
        let lines = isJSON ? JSONLayout.lines(of: text) : text.split(separator: "\n").map(String.init)
        let heading = isJSON ? title : title + ", not JSON"
        // Not wrapped, so that it can be copied.
        return terminal.section(heading, of: lines.map { "  " + TerminalText.plain($0) })
    }

    private var timeline: [String] {
        let columns: [Table.Column] = [.fixed("AT"), .number("SEQ"), .fixed("EVENT"), "DETAIL"]
        let table = Terminal.$output.withValue(Terminal.output.narrower(by: 2)) {
            Table.text(columns, of: self.delivery.timeline) { step in
                let detail = [step.status.map(String.init), step.detail].given(joinedBy: " ")
                return [step.at, "#\(step.seq)", step.event, detail ?? ""]
            }
        }
        return table.split(separator: "\n").map { "  " + $0 }
    }
}

extension APIObject<VerdictShape> { var answer: String { "\(self.status)\(self.reason.map { " \($0)" } ?? "")" } }

extension APIObject<ForwardShape> {
    /// The answer of the other service, marked if it is not the mock's.
    var words: StyledText {
        let answer = self.status.map { "\($0)\(self.reason.map { " \($0)" } ?? "")" } ?? self.error ?? self.outcome
        return self.differs ? "\(answer), which differs".styled(.caution) : answer.styled(nil)
    }
}

extension APIObject<DeliveryShape> {
    var words: String { [self.state, self.status, self.detail].compactMap(\.self).joined(separator: ", ") }
}

extension APIObject<PushSummaryShape> {
    var answer: String { "\(self.status)\(self.reason.map { " \($0)" } ?? "")" }

    static func table(_ pushes: [APIObject<PushSummaryShape>], full: Bool) -> String {
        let columns: [Table.Column] = [
            .fixed("PUSH").optional(4), .number("SEQ"), .time("RECEIVED"), .fixed("RESPONSE"),
            .fixed("DELIVERY").optional(2), .fixed("TYPE").optional(3), .name("TOPIC"), .text("DEVICE").optional(1),
            "TEXT",
        ]
        return Table.text(columns, of: pushes) { push in
            let token = push.token.map { TerminalText.token($0, full: full) }
            let device = full ? [push.device, token].compactMap { $0 }.joined(separator: " ") : nil
            return [
                push.id, "\(push.seq)", TerminalText.time(push.receivedAt),
                push.answer.styled(.of(status: push.status)), push.delivery, push.pushType,
                push.topic ?? push.bundleId ?? "-", device ?? push.device ?? token ?? "-",
                [push.title, push.body].given(joinedBy: ": ") ?? "-",
            ]
        }
    }
}

extension Lint.Severity {
    var style: Style? {
        switch self {
        case .error: .bad
        case .warning: .caution
        case .info: nil
        }
    }
}

extension APIObject<PushComparisonShape> {
    /// A row for each difference.
    var text: String {
        let columns: [Table.Column] = [
            .fixed("KIND"), .wrapped("NAME"), .wrapped(self.left.id), .wrapped(self.right.id),
        ]
        let table = Table.text(columns, of: self.differences) { difference in
            let name = difference.name.isEmpty ? "-" : TerminalText.place(difference.name)
            return [difference.kind, name, difference.left ?? "-", difference.right ?? "-"]
        }
        let more = self.moreDifferences
        let rest = more > 0 ? "\nand \(counted(more, "difference", "differences")) more" : ""
        return self.differences.isEmpty ? "no differences" : table + rest
    }
}

extension APIObject<PushPageShape> {
    var summaries: [APIObject<PushSummaryShape>] { read(\.pushes, as: [APIObject<PushSummaryShape>].self) }

    func omission(isFiltered: Bool) -> String? {
        let similar = self.suggestions.map { "\n  -q \(CurlCommand.quoted($0.q))  (\($0.count))" }.joined()
        let suggestion = similar.isEmpty ? "" : " Similar searches that match:\(similar)"
        let none = isFiltered ? "No matching pushes.\(suggestion)" : "No pushes. mock-apns pushes --help says more."
        return Table.note(self.pushes.count, of: self.matched, "pushes", ifNone: none, self.note)
    }
}
