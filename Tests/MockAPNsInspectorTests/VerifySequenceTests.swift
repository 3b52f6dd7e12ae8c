import MockAPNs
import MockAPNsFormats
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsQuery

@Suite struct VerifySequenceTests {
    @Test(arguments: [(#""strict":false"#, 200), (#""strict":true"#, 409)])
    func `a sequence passes or fails as expected`(strict: String, status: Int) async throws {
        try await withFixture { fixture in
            fixture.publish(
                ["a", "x", "b"].map { title in
                    var draft = PushDraft()
                    draft.body = Array(#"{"aps":{"alert":{"title":"\#(title)"}}}"#.utf8)
                    return draft
                })
            let steps = ["a", "b"].map { #"{"payload":{"at":"/aps/alert/title","equals":"\#($0)"}}"# }
            let body = #"{"steps":[\#(steps.joined(separator: ","))],\#(strict)}"#
            let answer = await fixture.send("POST", "/api/v1/pushes/verify-sequence", body)
            #expect(answer.status == status)
            if status == 200 {
                #expect(answer.text("matched") == #"["psh_0000010000000001","psh_0000010000000007"]"#)
                #expect(answer.text("verification") == "vfy_1")
            } else {
                #expect(answer.text("between") == "psh_0000010000000004")
                #expect(answer.text("failedStep") == "1")
                #expect(answer.text("report")?.contains("came between steps 0 and 1") == true)
            }
        }
    }

    @Test func `a verification can require that no push is unverified`() async throws {
        try await withFixture { fixture in
            let path = "/api/v1/pushes/verify-none-unverified"
            #expect(await fixture.send("POST", path).status == 200)
            fixture.publish(PushDraft(), PushDraft().setting("apns-priority", to: "7"))
            let answer = await fixture.send("POST", path)
            #expect(answer.status == 409)
            #expect(answer.text("unverified", "1") == "psh_0000010000000004")
            #expect(answer.text("report")?.contains("400 BadPriority") == true)
            _ = await fixture.send("POST", "/api/v1/pushes/verify", #"{"match":{}}"#)
            #expect(await fixture.send("POST", path).text("unverified") == #"["psh_0000010000000004"]"#)
            #expect(await fixture.send("POST", path, #"{"match":{"verdict":{"outcome":"accepted"}}}"#).status == 200)
            #expect(await fixture.send("POST", path, #"{"after":4}"#).status == 200)
        }
    }

    @Test(arguments: [
        "{}", #"{"steps":[]}"#, #"{"steps":{}}"#, #"{"steps":[{"tpic":"x"}]}"#, #"{"steps":[{}],"strct":true}"#,
    ]) func `an invalid sequence is refused`(body: String) async throws {
        try await withFixture { fixture in
            #expect(await fixture.send("POST", "/api/v1/pushes/verify-sequence", body).status == 400)
        }
    }
}
