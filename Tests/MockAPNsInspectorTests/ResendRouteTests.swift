import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector

/// Pushes that are sent again.
struct ResendRouteTests {
    private static let id = "5101b8c4-e5bc-c90b-67f2-2f711992aae1"

    private func send(_ body: String, to fixture: Fixture) async throws -> (push: String, answer: APIResponse) {
        let sent = await fixture.send("POST", "/api/v1/pushes/send", body)
        #expect(sent.status == 201, "\(sent.json)")
        return (try #require(sent.text("push", "id")), sent)
    }

    private func resend(_ push: String, on fixture: Fixture) async -> APIResponse {
        await fixture.send("POST", "/api/v1/pushes/\(push)/resend")
    }

    private func headers(_ answer: APIResponse) -> [String] {
        guard case .array(let pairs)? = answer.json["push"]?["request"]?["headers"] else { return [] }
        return pairs.map { "\($0.text(["0"]) ?? ""): \($0.text(["1"]) ?? "")" }
    }

    @Test func `a push is sent again with its headers and its bytes`() async throws {
        try await withFixture { fixture in
            let body = #"""
                {"topic":"com.a","priority":"5","headers":{"x-b":"2","x-a":"1"},"text":"{ \"aps\" :{}, \"n\":1.0}"}
                """#
            let (push, sent) = try await send(body, to: fixture)
            let again = await resend(push, on: fixture)
            #expect(again.status == 201, "\(again.json)")
            let id = try #require(again.text("push", "id"))
            #expect(id != push && again[header: "Location"] == "/api/v1/pushes/\(id)")
            #expect(again.text("page") == "http://127.0.0.1:8197/p/\(id)")
            #expect(again.text("response", "status") == "200")
            #expect(headers(again) == headers(sent))
            for path in [["request", "bodyBase64"], ["request", "path"], ["environment"], ["apns", "topic"]] {
                #expect(again.json["push"]?.text(path) == sent.json["push"]?.text(path), "\(path)")
            }
            #expect(again.text("push", "delivery", "device") == "test-phone")
            #expect(again.text("push", "routedBy") == "api")
            #expect(await fixture.get("/api/v1/pushes/count").text("count") == "2")
        }
    }

    @Test func `only a push that was not accepted keeps its apns-id`() async throws {
        try await withFixture { fixture in
            let good = #"{"headers":{"apns-id":"\#(Self.id)"}}"#
            let accepted = try await send(good, to: fixture).push
            #expect(await resend(accepted, on: fixture).text("push", "apns", "id")?.lowercased() != Self.id)
            let bad = #"{"priority":"x","headers":{"apns-id":"\#(Self.id)"}}"#
            let rejected = try await send(bad, to: fixture).push
            let again = await resend(rejected, on: fixture)
            #expect(again.text("push", "apns", "id") == Self.id)
            #expect(again.text("response", "status") == "400")
        }
    }

    @Test func `the provider token is new, whatever the old one was`() async throws {
        try await withFixture { fixture in
            let forged = try await send(#"{"headers":{"authorization":"bearer a.b.c"}}"#, to: fixture)
            #expect(forged.answer.text("response", "status") == "403")
            let again = await resend(forged.push, on: fixture)
            #expect(again.text("response", "status") == "200")
            #expect(again.text("push", "auth", "keyId") == "INSPECTOR1")
        }
    }

    @Test func `a topic implied by a certificate is sent as a header`() async throws {
        try await withFixture { fixture in
            var certificate = ClientCertificate(subject: "UID=com.example.app", issuer: "CN=authority")
            certificate.standing = .verified
            certificate.environments = [.sandbox]
            certificate.topics = ["com.example.app"]
            certificate.onlyTopic = "com.example.app"
            var draft = PushDraft().setting("authorization", to: nil).setting("apns-topic", to: nil)
            draft.certificate = certificate
            fixture.publish([draft])
            let again = await resend("seq:1", on: fixture)
            #expect(again.text("response", "status") == "200", "\(again.json)")
            #expect(headers(again).filter { $0.hasPrefix("apns-topic:") }.count == 1)
        }
    }

    @Test func `a push that cannot be sent again says why`() async throws {
        try await withFixture { fixture in
            let size = String(repeating: "a", count: 16_000)
            let large = try await send(#"{"text":"\#(size)"}"#, to: fixture).push
            var refused = PushDraft()
            refused.problem = ("the header list is over 8000 bytes", 431)
            fixture.publish([refused])
            let count = await fixture.get("/api/v1/pushes/count").text("count")
            let unknown = await resend("seq:99999", on: fixture)
            #expect(unknown.status == 404 && unknown.text("type")?.hasSuffix("unknown-push") == true)
            for push in [large, try #require(await fixture.get("/api/v1/pushes/latest").text("id"))] {
                let answer = await resend(push, on: fixture)
                #expect(answer.status == 422, "\(answer.json)")
                #expect(answer.text("type")?.hasSuffix("not-convertible") == true)
            }
            #expect(await fixture.get("/api/v1/pushes/count").text("count") == count)
        }
    }
}
