import Foundation
import MockAPNsRules

@testable import MockAPNsWorld

/// A push to be recorded, with the verdict that the rules really give it.
struct PushDraft: Sendable {
    var method = "POST"
    var path = "/3/device/" + Fixture.token
    var headers: [(name: String, value: String)] = [
        ("authorization", "bearer " + providerToken(issuedAt: "1767607860")),
        ("apns-topic", "com.example.app"),
        ("apns-push-type", "alert"), ("apns-priority", "10"),
    ]
    var body = Array(#"{"aps":{"alert":{"title":"Hi"},"badge":"3"}}"#.utf8)
    /// The length that arrived, when not all of the body was kept.
    var bodyLength: Int?
    var verification = TokenVerification.verified
    var connection: UInt64 = 7
    var environment = Environment.sandbox
    /// What the transport had against the request, with the status it answered.
    var problem: (text: String, status: UInt16)?
    /// The fault that decided, with the reason that it gave.
    var fault: (mark: FaultMark, reason: Reason)?

    /// The first header of a name gets another value, or goes.
    func setting(_ name: String, to value: String?) -> PushDraft {
        var draft = self
        draft.headers.removeAll { $0.name == name }
        if let value { draft.headers.append((name, value)) }
        return draft
    }

    /// A token of the right form; its signature is nobody's.
    static func providerToken(
        issuedAt: String,
        keyID: String = "ABC123DEFG",
        signature: String = "c2lnbmF0dXJl"
    ) -> String {
        func encode(_ json: String) -> String {
            Data(json.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
        }
        return encode(#"{"alg":"ES256","kid":"\#(keyID)"}"#) + "."
            + encode(#"{"iss":"DEF123GHIJ","iat":"# + issuedAt + "}") + "." + signature
    }

    func append(to batch: RecordBatch, ruleset: Ruleset) {
        let all = [(":method", method), (":scheme", "https"), (":path", path)] + headers
        RequestView.withRequest(headers: all, body: body, bodyLength: bodyLength) { request in
            let time = WorldClock.Reading(system: Fixture.now, world: Fixture.now)
            var verdict = Verdict.accepted
            let stub = Stub(verification: verification, ruleset: ruleset)
            var situation = Situation(environment: environment, authority: stub, devices: stub)
            if problem == nil {
                situation.begin(at: Fixture.now, options: RuleOptions(), isStopping: false)
                verdict = ruleset.pipeline.verdict(on: request, in: &situation)
                if let fault { verdict = Verdict(reason: fault.reason, decidedBy: verdict.decidedBy) }
            }
            let hasAnswer = problem == nil
            batch.append(
                request,
                RecordBatch.Facts(
                    time: time,
                    connection: connection,
                    streamID: 15,
                    requestOnConnection: 8,
                    environment: environment,
                    status: problem?.status ?? verdict.status,
                    verdict: verdict,
                    verification: situation.verification,
                    credential: situation.credential,
                    deadSince: situation.deadSince,
                    registered: situation.registered,
                    id: hasAnswer && request[.apnsID] == nil ? UniqueID(high: 0xabc, low: 0xdef) : nil,
                    uniqueID: verdict.reason == nil && hasAnswer ? UniqueID(high: 1, low: 2) : nil,
                    problem: problem?.text ?? "",
                    fault: fault?.mark
                )
            )
        }
    }

    /// Takes provider tokens apart, and says of them what it was told to; device tokens are the world's.
    private final class Stub: ProviderTokenAuthority, DeviceDirectory {
        let verification: TokenVerification
        var updateWindowsByKey = TokenUpdateWindows()

        private let ruleset: Ruleset

        init(verification: TokenVerification, ruleset: Ruleset) {
            self.verification = verification
            self.ruleset = ruleset
        }

        func credential(for token: ByteSpan) -> ProviderCredential {
            switch ProviderToken.parse(token) {
            case .success(let parsed):
                ProviderCredential(
                    token: parsed,
                    key: ProviderKey(keyID: parsed.keyID, teamID: parsed.teamID),
                    verification: verification
                )
            case .failure(let refusal): ProviderCredential(refusal: refusal)
            }
        }

        func admits(_ token: DeviceToken, rate: RuleOptions.DeviceRate, at now: Timestamp) -> Bool { true }
        func find(_ token: DeviceToken) -> RegisteredToken? { ruleset.find(token) }
        func topicNumber(_ topic: ByteSpan) -> UInt32 { ruleset.topicNumber(topic.text) }
    }
}
