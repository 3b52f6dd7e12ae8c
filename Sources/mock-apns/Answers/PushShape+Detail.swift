internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery

extension APIObject<PushShape> {
    /// The verdict, then the request, then the way to the device.
    var text: String {
        var parts = [Table.sheet(facts)]
        let failed = failedChecks
        if !failed.isEmpty { parts.append((["checks that failed"] + failed).joined(separator: "\n")) }
        if !self.lints.isEmpty {
            parts.append((["lints"] + self.lints.flatMap(Self.lines)).joined(separator: "\n"))
        }
        parts.append((["headers"] + headers).joined(separator: "\n"))
        parts.append(payload)
        parts.append("timeline\n" + Self.indented(timeline))
        return parts.joined(separator: "\n\n")
    }

    private var facts: [(name: String, value: String)] {
        let passed = self.verdict.checks.count { $0.ok == true }
        let rest = self.verdict.checks.count - passed - self.verdict.checks.count { $0.ok == false }
        let unreached = rest > 0 ? ", \(rest) not reached" : ""
        var facts = [
            ("push", "\(self.id)  #\(self.seq)"),
            ("received", "\(self.receivedAt) from \(self.connection.remote ?? "?")"),
            (
                "verdict",
                "\(self.verdict.outcome), \(self.verdict.status)\(self.verdict.reason.map { " \($0)" } ?? "")"
            ),
        ]
        facts += [
            ("why", self.verdict.meaning), ("hint", self.verdict.hint), ("problem", self.verdict.problem),
        ]
        .compactMap { name, value in value.map { (name, $0) } }
        facts += [
            ("checks", "\(passed) passed\(unreached)"),
            ("apns-id", self.apns.id ?? "none"),
            ("token", self.apns.token ?? "none"),
            ("device", self.delivery.device ?? "none"),
            ("topic", self.apns.topic ?? "none"),
            ("type", self.apns.pushType),
            ("provider", provider),
            ("connection", "\(self.connection.id), stream \(self.connection.streamId), \(self.environment)"),
        ]
        if let certificate = self.connection.tls?.clientCertificate {
            facts.append(("certificate", Self.text(of: certificate)))
        }
        let states = [self.delivery.state, self.delivery.status, self.delivery.detail].compactMap { $0 }
        facts.append(("delivery", states.joined(separator: ", ")))
        if let reaction = self.delivery.reaction { facts.append(("reaction", reaction.summary)) }
        if let note = self.note { facts.append(("note", note)) }
        if !self.verifiedBy.isEmpty { facts.append(("verified", self.verifiedBy.joined(separator: " "))) }
        return facts
    }

    private var provider: String {
        guard self.auth.kind != "none" else { return "no provider token" }
        let age = self.auth.ageSeconds.map { ", \(Int64($0)) s old" } ?? ""
        return
            "key \(self.auth.keyId ?? "none"), team \(self.auth.teamId ?? "none"), \(self.auth.verification)\(age)"
    }

    private static func text(of certificate: APIObject<ClientCertificateShape>) -> String {
        let end = certificate.notAfter.map { ", valid until \($0)" } ?? ""
        let problem = certificate.problem.map { ". \($0)" } ?? ""
        return "\(certificate.subject)\(end)"
            + (certificate.authenticated ? ", authenticated" : ", not authenticated") + problem
    }

    private static func text(of value: JSONValue) -> String {
        if case .string(let text) = value { return "'\(text)'" }
        return value.plainText ?? ""
    }

    private var failedChecks: [String] {
        self.verdict.checks.filter { $0.ok == false }.map { check in
            let expected = check.expected.map { ": expected \($0)" } ?? ""
            let actual = check.actual.map { "; saw \(Self.text(of: $0))" } ?? ""
            return "  " + TerminalText.plain("✘ \(check.id)\(expected)\(actual)")
        }
    }

    private static func lines(of lint: APIObject<LintShape>) -> [String] {
        let place = lint.pointer.map { " at \($0)" } ?? ""
        let line = "  " + TerminalText.plain("\(lint.severity) \(lint.id)\(place): \(lint.message)")
        return [line] + [lint.fix].compactMap { $0 }.map { "    " + TerminalText.plain($0) }
    }

    private var headers: [String] {
        let lines =
            ["\(self.request.method) \(self.request.path)"]
            + self.request.headers.map { $0.joined(separator: ": ") }
        return lines.map { "  " + TerminalText.plain($0) }
    }

    private var payload: String {
        let title = "payload, \(self.request.bodySize) bytes"
        guard self.request.bodyKept, let body = Optional(self.request.bodyBase64.bytes) else {
            return title + ", too many to keep"
        }
        if body.isEmpty { return title }
        guard let text = String(validating: body, as: UTF8.self) else {
            let bytes = body.prefix(256).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            return title + ", not a text\n  " + bytes.joined(separator: " ") + (body.count > 256 ? " …" : "")
        }
        let isJSON = JSONParser.value(of: Array(body)) != nil
        let lines = isJSON ? JSONLayout.lines(of: text) : text.split(separator: "\n").map(String.init)
        return title + (isJSON ? "\n" : ", not JSON\n") + Self.indented(lines.map(TerminalText.plain))
    }

    private var timeline: [String] {
        let columns: [Table.Column] = ["AT", .number("SEQ"), "EVENT", "DETAIL"]
        let table = Table.text(columns, of: self.delivery.timeline) { step in
            let detail = [step.status.map(String.init), step.detail].compactMap { $0 }.joined(separator: " ")
            return [step.at, "#\(step.seq)", step.event, detail]
        }
        return table.split(separator: "\n").map(String.init)
    }

    private static func indented(_ lines: [String]) -> String {
        lines.map { "  " + $0 }.joined(separator: "\n")
    }
}
