internal import FoundationEssentials
internal import MockAPNsFormats
internal import MockAPNsQuery

/// Everything about a push, as the API shows it.
struct PushDetailAnswer: Decodable {
    /// The request as it came.
    struct Request: Decodable {
        let method: String
        let path: String
        let headers: [[String]]
        let bodySize: Int
        let bodyKept: Bool
        let bodyBase64: String
    }

    /// What APNs' headers say.
    struct Header: Decodable {
        let id: String?
        let topic: String?
        let pushType: String
        let token: String?
    }

    /// Who sent it.
    struct Authentication: Decodable {
        let kind: String
        let keyId: String?
        let teamId: String?
        let ageSeconds: Double?
        let verification: String
    }

    /// The connection over which it came.
    struct Connection: Decodable {
        let id: String
        let streamId: Int
        let remote: String?
        let tls: TLS?
    }

    /// What was agreed on in the TLS handshake.
    struct TLS: Decodable {
        let clientCertificate: ClientCertificate?
    }

    /// The certificate that the client showed.
    struct ClientCertificate: Decodable {
        let subject: String
        let notAfter: String?
        let authenticated: Bool
        let problem: String?
    }

    /// What it was answered, and why.
    struct Verdict: Decodable {
        let outcome: String
        let status: Int
        let reason: String?
        let meaning: String?
        let hint: String?
        let checks: [Check]
        let problem: String?
    }

    /// One thing that was looked at.
    struct Check: Decodable {
        let id: String
        let ok: Bool?
        let expected: String?
        let actual: Value?
    }

    /// What a check saw: a text or a number.
    enum Value: Decodable {
        case text(String)
        case number(Double)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .number(try container.decode(Double.self))
            }
        }

        var text: String {
            switch self {
            case .text(let text): "'\(text)'"
            case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
            }
        }
    }

    /// What became of it.
    struct Delivery: Decodable {
        let state: String
        let status: String?
        let detail: String?
        let device: String?
        let timeline: [Step]
        let reaction: ReactionAnswer?
    }

    /// Something odd about it.
    struct Lint: Decodable {
        let id: String
        let severity: String
        let pointer: String?
        let message: String
        let fix: String?
    }

    /// A step on its way.
    struct Step: Decodable {
        let seq: UInt64
        let at: String
        let event: String
        let status: Int?
        let detail: String?
    }

    let id: String
    let seq: UInt64
    let receivedAt: String
    let environment: String
    let request: Request
    let apns: Header
    let auth: Authentication
    let connection: Connection
    let verdict: Verdict
    let delivery: Delivery
    let verifiedBy: [String]
    let lints: [Lint]?
    let note: String?

    /// The verdict, then the request, then the way to the device.
    var text: String {
        var parts = [Table.sheet(facts)]
        let failed = failedChecks
        if !failed.isEmpty { parts.append((["checks that failed"] + failed).joined(separator: "\n")) }
        if let lints, !lints.isEmpty {
            parts.append((["lints"] + lints.flatMap(Self.lines(of:))).joined(separator: "\n"))
        }
        parts.append((["headers"] + headers).joined(separator: "\n"))
        parts.append(payload)
        parts.append("timeline\n" + Self.indented(timeline))
        return parts.joined(separator: "\n\n")
    }

    private var facts: [(name: String, value: String)] {
        let passed = verdict.checks.count { $0.ok == true }
        let rest = verdict.checks.count - passed - verdict.checks.count { $0.ok == false }
        let unreached = rest > 0 ? ", \(rest) not reached" : ""
        var facts = [
            ("push", "\(id)  #\(seq)"),
            ("received", "\(receivedAt) from \(connection.remote ?? "?")"),
            (
                "verdict",
                "\(verdict.outcome), \(verdict.status)\(verdict.reason.map { " \($0)" } ?? "")"
            ),
        ]
        facts += [("why", verdict.meaning), ("hint", verdict.hint), ("problem", verdict.problem)]
            .compactMap { name, value in value.map { (name, $0) } }
        facts += [
            ("checks", "\(passed) passed\(unreached)"),
            ("apns-id", apns.id ?? "none"),
            ("token", apns.token ?? "none"),
            ("device", delivery.device ?? "none"),
            ("topic", apns.topic ?? "none"),
            ("type", apns.pushType),
            ("provider", provider),
            ("connection", "\(connection.id), stream \(connection.streamId), \(environment)"),
        ]
        if let certificate = connection.tls?.clientCertificate {
            facts.append(("certificate", Self.text(of: certificate)))
        }
        let states = [delivery.state, delivery.status, delivery.detail].compactMap { $0 }
        facts.append(("delivery", states.joined(separator: ", ")))
        if let reaction = delivery.reaction { facts.append(("reaction", reaction.summary)) }
        if let note { facts.append(("note", note)) }
        if !verifiedBy.isEmpty { facts.append(("verified", verifiedBy.joined(separator: " "))) }
        return facts
    }

    private var provider: String {
        guard auth.kind != "none" else { return "no provider token" }
        let age = auth.ageSeconds.map { ", \(Int64($0)) s old" } ?? ""
        return "key \(auth.keyId ?? "none"), team \(auth.teamId ?? "none"), \(auth.verification)\(age)"
    }

    private static func text(of certificate: ClientCertificate) -> String {
        let end = certificate.notAfter.map { ", valid until \($0)" } ?? ""
        let problem = certificate.problem.map { ". \($0)" } ?? ""
        return "\(certificate.subject)\(end)"
            + (certificate.authenticated ? ", authenticated" : ", not authenticated") + problem
    }

    private var failedChecks: [String] {
        verdict.checks.filter { $0.ok == false }.map { check in
            let expected = check.expected.map { ": expected \($0)" } ?? ""
            let actual = check.actual.map { "; saw \($0.text)" } ?? ""
            return "  " + TerminalText.plain("✘ \(check.id)\(expected)\(actual)")
        }
    }

    private static func lines(of lint: Lint) -> [String] {
        let place = lint.pointer.map { " at \($0)" } ?? ""
        let line = "  " + TerminalText.plain("\(lint.severity) \(lint.id)\(place): \(lint.message)")
        return [line] + [lint.fix].compactMap { $0 }.map { "    " + TerminalText.plain($0) }
    }

    private var headers: [String] {
        let lines = ["\(request.method) \(request.path)"] + request.headers.map { $0.joined(separator: ": ") }
        return lines.map { "  " + TerminalText.plain($0) }
    }

    private var payload: String {
        let title = "payload, \(request.bodySize) bytes"
        guard request.bodyKept, let body = Data(base64Encoded: request.bodyBase64) else {
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
        var table = Table([.text("AT"), .number("SEQ"), .text("EVENT"), .text("DETAIL")])
        table.rows = delivery.timeline.map { step in
            let detail = [step.status.map(String.init), step.detail].compactMap { $0 }.joined(separator: " ")
            return [step.at, "#\(step.seq)", step.event, detail]
        }
        return table.text.split(separator: "\n").map(String.init)
    }

    private static func indented(_ lines: [String]) -> String {
        lines.map { "  " + $0 }.joined(separator: "\n")
    }
}
