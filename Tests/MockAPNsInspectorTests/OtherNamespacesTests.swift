import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector

/// A verification that fails tells of pushes that came to another namespace.
@Suite struct OtherNamespacesTests {
    private static let token = Fixture.token.lowercased()
    private static let byToken = #"{"match":{"token":"\#(token)"}}"#
    private static let byTitle = #"{"match":{"payload":{"at":"/aps/alert/title","equals":"Hi"}}}"#

    /// Verifies in a namespace, which is made here unless it is the standard one.
    private func verify(
        _ fixture: Fixture, _ body: String, in name: String = "default", accept: String? = nil
    ) async throws -> APIResponse {
        var request = APIRequest(method: "POST", target: "/api/v1/namespaces/\(name)/pushes/verify")
        request.set("Host", "127.0.0.1:8197")
        request.set("Accept", accept)
        request.body = Array(body.utf8)
        return await fixture.api.answer(request)
    }

    private func add(_ name: String, to fixture: Fixture, listener: Bool = true) async throws -> Namespace {
        var draft = Namespaces.Draft(name: name)
        draft.hasListener = listener
        return try await fixture.server.namespaces.add(draft)
    }

    private func elsewhere(_ answer: APIResponse) -> String? { answer.text("notConsidered", "otherNamespaces") }

    @Test func `a push verified in another namespace is known as verified`() async throws {
        try await withFixture { fixture in
            let space = try await add("t-42", to: fixture)
            fixture.publish([PushDraft(), PushDraft().setting("apns-topic", to: nil)], in: space)
            #expect(try await verify(fixture, #"{"match":{}}"#, in: "t-42").status == 200)
            #expect(elsewhere(try await verify(fixture, #"{"match":{"q":"is:verified"}}"#)) == #"{"t-42":1}"#)
        }
    }

    @Test func `pushes to the token on a wrong port are counted and reported`() async throws {
        try await withFixture { fixture in
            let space = try await add("t-42", to: fixture)
            let port = try #require(space.listeners.first?.address.port)
            // One that was refused went astray as well.
            fixture.publish([PushDraft(), PushDraft(), PushDraft().setting("apns-topic", to: nil)])
            fixture.publish([PushDraft().setting("apns-priority", to: "5")], in: space)
            let body = #"{"match":{"token":"\#(Self.token.uppercased())","priority":10},"count":2}"#
            let answer = try await verify(fixture, body, in: "t-42")
            #expect(answer.status == 409 && elsewhere(answer) == #"{"default":3}"#)
            #expect(
                answer.text("hints", "0") == "3 pushes to this token arrived in namespace 'default':"
                    + " was the provider pointed at port \(port)?")
            try Golden.expect(answer, is: "problem-verification-elsewhere", volatile: ["ageMs", "report"])
            try Golden.expectText(await verify(fixture, body, in: "t-42", accept: "text/plain"), is: "report-elsewhere")
        }
    }

    @Test func `nothing is reported about the namespace of the request`() async throws {
        try await withFixture { fixture in
            let space = try await add("a", to: fixture)
            let url = try #require(space.listeners.first?.url)
            let answer = try await verify(fixture, Self.byToken, in: "a")
            #expect(elsewhere(answer) == "{}")
            #expect(answer.text("hints", "0")?.contains("does the provider talk to \(url)?") == true)
        }
    }

    @Test func `each namespace has a line with a likely cause`() async throws {
        try await withFixture { fixture in
            let spaces = [
                try await add("a", to: fixture, listener: false), try await add("b", to: fixture, listener: false),
            ]
            for space in spaces { fixture.publish([PushDraft()], in: space) }
            let here = try await verify(fixture, Self.byToken)
            #expect(elsewhere(here) == #"{"a":1,"b":1}"#)
            #expect(
                here.text("hints", "0") == "1 push to this token arrived in namespace 'b': was it meant, with"
                    + " /api/v1/namespaces/b/pushes/verify?")
            fixture.publish(PushDraft())
            let there = try await verify(fixture, #"{"match":{"token":"\#(Self.token)"},"count":3}"#, in: "a")
            #expect(elsewhere(there) == #"{"b":1,"default":1}"#)
            #expect(
                there.text("hints", "0")
                    == "1 push to this token arrived in namespace 'default': is the token registered in"
                    + " namespace 'a', and in no other?")
        }
    }

    @Test func `without a token, matching pushes are counted, accepted or not`() async throws {
        try await withFixture { fixture in
            let space = try await add("a", to: fixture, listener: false)
            var other = PushDraft()
            other.body = Array(#"{"aps":{"alert":{"title":"Ho"}}}"#.utf8)
            var like = other
            like.body = Array(#"{"aps":{"alert":{"title":"Hi"}}}"#.utf8)
            fixture.publish([other, like, like.setting("apns-priority", to: "7")], in: space)
            let answer = try await verify(fixture, Self.byTitle)
            #expect(elsewhere(answer) == #"{"a":2}"#)
            #expect(answer.text("hints", "0")?.hasPrefix("2 pushes that would match arrived") == true)
            // What is asked of the verdict is asked there, too.
            let rejected = #"{"match":{"verdict":{"reason":"BadPriority"}}}"#
            #expect(elsewhere(try await verify(fixture, rejected)) == #"{"a":1}"#)
            let none = #"{"match":{"q":"reason:BadTopic"}}"#
            #expect(elsewhere(try await verify(fixture, none)) == "{}")
        }
    }

    @Test func `other namespaces are searched only when too few pushes match`() async throws {
        try await withFixture { fixture in
            let space = try await add("a", to: fixture, listener: false)
            fixture.publish([PushDraft()], in: space)
            fixture.publish(PushDraft(), PushDraft())
            let tooMany = try await verify(fixture, #"{"match":{"token":"\#(Self.token)"},"count":1}"#)
            #expect(tooMany.status == 409 && elsewhere(tooMany) == "{}")
            #expect(tooMany.text("hints") == "[]")
        }
    }
}
