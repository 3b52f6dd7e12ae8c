import Foundation
import MockAPNsRules
import MockAPNsWorld

/// A push to be recorded, with the verdict that the rules really give it.
public struct PushDraft: Sendable {
    /// When it comes.
    public static let now = Timestamp(microseconds: 1_767_607_872_345_678)
    /// The device token that it is for.
    public static let token = "3F2A000000000000000000000000000000000000000000000000000000009C01"

    /// A push that no lint has anything to say about.
    public static let clean: PushDraft = {
        var draft = PushDraft()
        draft.path = "/3/device/" + token.lowercased()
        draft.body = Array(#"{"aps":{"alert":{"title":"Hi"},"badge":3},"order":7}"#.utf8)
        return draft
    }()

    /// The method of the request.
    public var method = "POST"
    /// The path of the request.
    public var path = "/3/device/" + token
    /// The header fields in their order.
    public var headers: [(name: String, value: String)] = [
        ("authorization", "bearer " + providerToken(issuedAt: "1767607860")), ("apns-topic", "com.example.app"),
        ("apns-push-type", "alert"), ("apns-priority", "10"),
    ]
    /// The payload.
    public var body = Array(#"{"aps":{"alert":{"title":"Hi"},"badge":"3"}}"#.utf8)
    /// The length that arrived, when not all of the body was kept.
    public var bodyLength: Int?
    /// What came of looking at the provider token.
    public var verification = TokenVerification.verified
    /// The client's certificate, which replaces the provider token.
    public var certificate: ClientCertificate?
    /// The number of the connection.
    public var connection: UInt64 = 7
    /// Which request of its connection it is.
    public var requestOnConnection: UInt32 = 8
    /// The environment of the listener.
    public var environment = Environment.sandbox
    /// What the transport had against the request, with the status it answered.
    public var problem: (text: String, status: UInt16)?
    /// The fault that decided, with the reason that it gave.
    public var fault: (mark: FaultMark, reason: Reason)?

    /// A push with one mistake that lints find: its badge is a text.
    public init() {}

    /// The first header of a name gets another value, or goes.
    public func setting(_ name: String, to value: String?) -> PushDraft {
        var draft = self
        draft.headers.removeAll { $0.name == name }
        if let value { draft.headers.append((name, value)) }
        return draft
    }

    /// A token of the right form; its signature is nobody's.
    public static func providerToken(
        issuedAt: String, keyID: String = "ABC123DEFG", signature: String = "c2lnbmF0dXJl"
    ) -> String {
        func encode(_ json: String) -> String {
            Data(json.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
        }
        return encode(#"{"alg":"ES256","kid":"\#(keyID)"}"#) + "."
            + encode(#"{"iss":"DEF123GHIJ","iat":"# + issuedAt + "}") + "." + signature
    }

    /// Adds the push to a batch, with the verdict that a ruleset gives it.
    public func append(to batch: RecordBatch, ruleset: Ruleset) {
        var all = [(":method", method), (":scheme", "https"), (":path", path)] + headers
        var impliesTopic = false
        if let topic = certificate?.onlyTopic, !headers.contains(where: { $0.name == "apns-topic" }) {
            all.append(("apns-topic", topic))
            impliesTopic = true
        }
        RequestView.withRequest(headers: all, body: body, bodyLength: bodyLength) { request in
            var verdict = Verdict.accepted
            let stub = Stub(verification: verification, ruleset: ruleset)
            var situation = Situation(
                environment: environment, certificate: certificate, authority: stub, devices: stub)
            if problem == nil {
                situation.begin(at: Self.now, options: RuleOptions())
                verdict = ruleset.pipeline.verdict(on: request, in: &situation)
                if let fault { verdict = Verdict(reason: fault.reason, decidedBy: verdict.decidedBy) }
            }
            let hasAnswer = problem == nil
            var facts = RecordHead()
            facts.receivedAt = Self.now
            facts.clockTime = Self.now
            facts.connectionID = connection
            facts.streamID = 15
            facts.requestOnConnection = requestOnConnection
            facts.environment = environment
            facts.status = problem?.status ?? verdict.status
            facts.verdict = verdict
            facts.verification = situation.verification
            facts.deadSince = situation.deadSince
            facts.id = hasAnswer && request[.apnsID] == nil ? UniqueID(high: 0xabc, low: 0xdef) : nil
            facts.impliesTopic = impliesTopic
            facts.uniqueID = verdict.reason == nil && hasAnswer ? UniqueID(high: 1, low: 2) : nil
            batch.append(
                request, facts, credential: situation.credential, certificate: certificate?.app ?? "",
                registered: situation.registered, problem: problem?.text ?? "", fault: fault?.mark)
        }
    }

    /// Takes provider tokens apart, and says of them what it was told to; device tokens are the world's.
    private final class Stub: ProviderTokenAuthority, DeviceDirectory {
        let verification: TokenVerification

        private let ruleset: Ruleset

        init(verification: TokenVerification, ruleset: Ruleset) {
            self.verification = verification
            self.ruleset = ruleset
        }

        func credential(for token: ByteSpan) -> ProviderCredential {
            switch ProviderToken.parse(token) {
            case .success(let parsed): ProviderCredential(token: parsed, verification: verification)
            case .failure(let refusal): ProviderCredential(refusal: refusal)
            }
        }

        func admits(_ token: DeviceToken, rate: RuleOptions.Rate, at now: Timestamp) -> Bool { true }
        func admit(_ use: TokenUse, at now: Timestamp, interval: Int64) -> TokenUpdateWindows.Standing { .known }
        func find(_ token: DeviceToken) -> RegisteredToken? { ruleset.find(token) }
        func topicNumber(_ topic: ByteSpan) -> UInt32 { ruleset.topicNumber(topic.text) }
    }
}

extension World {
    /// Records pushes as one batch, answered a little later.
    public func publish(_ drafts: [PushDraft]) {
        let batch = RecordBatch()
        batch.begin(by: ruleset)
        for draft in drafts { draft.append(to: batch, ruleset: ruleset) }
        let answered = Timestamp(microseconds: PushDraft.now.microseconds + 800)
        journal.publish(batch, at: WorldClock.Reading(system: answered, world: answered))
    }
}
