import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsQuery
@testable import MockAPNsWorld

/// A push, and what one lint says of it.
struct LintCase: Sendable, CustomTestStringConvertible {
    let lint: Lint
    let push: PushDraft
    /// Where it finds something; empty for a push that it has nothing to say about.
    let pointers: [String]
    /// What its first finding says.
    let words: String
    let testDescription: String

    private init(_ lint: Lint, _ push: PushDraft, _ pointers: [String], _ words: String, _ name: String) {
        self.lint = lint
        self.push = push
        self.pointers = pointers
        self.words = words
        testDescription = "\(lint.id) \(pointers.isEmpty ? "misses" : "hits") \(name)"
    }

    // MARK: Headers

    /// A push with another header.
    static func hit(_ lint: Lint, _ header: String, _ value: String?, _ words: String) -> LintCase {
        let name = "\(header): \(value ?? "(absent)")"
        return LintCase(lint, PushDraft.clean.setting(header, to: value), ["headers/\(header)"], words, name)
    }

    /// A push with another header that is all right.
    static func miss(_ lint: Lint, _ header: String, _ value: String?) -> LintCase {
        LintCase(lint, PushDraft.clean.setting(header, to: value), [], "", "\(header): \(value ?? "(absent)")")
    }

    /// Any push, and what is found where.
    static func push(_ lint: Lint, _ draft: PushDraft, at pointers: [String] = [], _ words: String = "") -> LintCase {
        LintCase(lint, draft, pointers, words, String(decoding: draft.body.prefix(60), as: UTF8.self))
    }

    // MARK: Payloads

    /// A push with another payload.
    static func payload(
        _ lint: Lint, _ body: String, type: String = "alert", at pointers: [String] = [], _ words: String = ""
    ) -> LintCase {
        var draft = PushDraft.clean.of(type)
        draft.body = Array(body.utf8)
        return LintCase(lint, draft, pointers, words, "\(type) \(body.prefix(60))")
    }

    /// A push with other members of aps.
    static func aps(
        _ lint: Lint, _ members: String, type: String = "alert", at pointers: [String] = [], _ words: String = ""
    ) -> LintCase { payload(lint, "{\"aps\":{\(members)}}", type: type, at: pointers.map { "/aps\($0)" }, words) }

    /// What this lint finds in it.
    var found: [LintFinding] { push.findings.filter { $0.lint == lint } }
}

extension PushDraft {
    /// The same push of another type, with the topic and priority that it asks for.
    func of(_ type: String) -> PushDraft {
        let suffix = PushType.allCases.first { $0.name == type }?.row.topicSuffix.description ?? ""
        return setting("apns-push-type", to: type).setting("apns-topic", to: "com.example.app\(suffix)").setting(
            "apns-priority", to: "5")
    }

    /// What lints find in the push, when it comes.
    var findings: [LintFinding] { withCandidate(\.findings) }

    /// Lends the push as lints look at it, when it comes.
    func withCandidate<Result>(_ use: (Candidate) -> Result) -> Result {
        RequestView.withRequest(
            headers: [(":method", method), (":path", path)] + headers, body: body, bodyLength: bodyLength
        ) { request in
            var outline = PushOutline()
            outline.head.clockTime = PushDraft.now
            outline.head.environment = environment
            outline.certificate = certificate?.app ?? ""
            let candidate = Candidate(request, outline, in: nil, StepBudget(.max))
            candidate.givenSchemas = Self.schemas
            return use(candidate)
        }
    }

    /// Of an app that only the cases of `appSchema` push to.
    static let describedApp = "com.example.described"
    private static let schemas: AppSchemas = {
        let schema = try? JSONSchema(Array(#"{"properties":{"orderID":{"type":"string"}}}"#.utf8))
        return AppSchemas(schema.map { [AppKey(app: describedApp, key: .payload): $0] } ?? [:])
    }()
}
