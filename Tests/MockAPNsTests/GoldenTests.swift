import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

/// The answers that people have seen from the real service, byte for byte but for the random ids.
struct GoldenTests {
    /// One exchange.
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let push: @Sendable () throws -> Push
        let status: Int
        let names: [String]
        let body: String
    }

    static let vectors = [
        Vector(
            testDescription: "no provider token", push: { Push(nil, token: "aaaa", body: "{}") }, status: 403,
            names: ["apns-id"], body: #"{"reason":"MissingProviderToken"}"#),
        Vector(
            testDescription: "GET",
            push: {
                Push(nil, body: "").with { push in
                    push.method = "GET"
                    push.path = "/3/device/"
                    push.topic = nil
                }
            }, status: 405, names: ["apns-id"], body: #"{"reason":"MethodNotAllowed"}"#),
        Vector(
            testDescription: "missing topic", push: { Push(try TestKey.team.token()).with { $0.topic = nil } },
            status: 400, names: ["apns-id"], body: #"{"reason":"MissingTopic"}"#),
        Vector(
            testDescription: "success in the sandbox", push: { Push(try TestKey.team.token()) }, status: 200,
            names: ["apns-id", "apns-unique-id"], body: ""),
        Vector(
            testDescription: "expired provider token", push: { Push(try TestKey.team.token(at: Live.now - 3_601)) },
            status: 403, names: ["apns-id"], body: #"{"reason":"ExpiredProviderToken"}"#),
    ]

    @Test(arguments: vectors) func `an answer is as it was seen`(_ vector: Vector) async throws {
        try await withLive { live in
            let reply = try await live.connect().send(vector.push())
            #expect(reply.status == vector.status)
            #expect(reply.names == vector.names)
            #expect(reply.body == vector.body)
            let id = try #require(reply.id)
            #expect(id.wholeMatch(of: Self.upperCaseID) != nil)
            if let uniqueID = reply["apns-unique-id"] { #expect(uniqueID.wholeMatch(of: Self.lowerCaseID) != nil) }
        }
    }

    /// The same over TLS, to a client that nobody here wrote.
    @Test(arguments: vectors) func `curl sees the same`(_ vector: Vector) async throws {
        try await withLive({ $0.listeners = [ListenAddress(host: "127.0.0.1", port: 0)] }) { live in
            let run = try await Curl.post(
                vector.push(), to: live.server.listeners[0].url, trusting: live.server.certificateAuthorityPEM)
            #expect(run.exitCode == 0)
            #expect(run.head.first == "HTTP/2 \(vector.status) ")
            #expect(run.head.dropFirst().map { String($0.prefix { $0 != ":" }) } == vector.names)
            #expect(run.body == vector.body)
        }
    }

    @Test func `production sends no apns-unique-id`() async throws {
        try await withLive({ $0.listeners = [.clearText(.production)] }) { live in
            let client = try await live.connect()
            let accepted = try await client.send(Push(TestKey.team.token()))
            #expect(accepted.status == 200)
            #expect(accepted.names == ["apns-id"])
            let rejected = try await client.send(Push(TestKey.team.token()).with { $0.topic = nil })
            #expect(rejected.names == ["apns-id"])
            let record = try #require(live.record(of: accepted))
            #expect(record.environment == .production)
            #expect(record.answer.uniqueID == nil)
        }
    }

    @Test(arguments: [
        "9d3220fe-444b-633e-d1f1-5d0dcb4f537a", "9D3220FE-444B-633E-D1F1-5D0DCB4F537A",
        "9d3220FE-444B-633e-D1F1-5d0dcb4f537A",
    ]) func `a client's ID comes back verbatim`(id: String) async throws {
        try await withLive { live in
            let client = try await live.connect()
            let accepted = try await client.send(Push(TestKey.team.token(), ("apns-id", id)))
            #expect(accepted.status == 200)
            #expect(accepted.id == id)
            #expect(accepted.names == ["apns-id", "apns-unique-id"])
            let rejected = try await client.send(Push(nil, ("apns-id", id)))
            #expect(rejected.status == 403)
            #expect(rejected.headers.map(\.value) == [id])
        }
    }

    @Test func `an invalid ID is replaced`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let pushes = [Push(try TestKey.team.token(), ("apns-id", "no-id")), Push(nil, ("apns-id", "no-id"))]
            for push in pushes {
                let reply = try await client.send(push)
                #expect(try #require(reply.id).wholeMatch(of: Self.upperCaseID) != nil)
            }
        }
    }

    @Test func `an error can have a content type`() async throws {
        let chosen = try Configuration.choosing("error-content-type=present")
        try await withLive({ $0.rules = chosen.rules }) { live in
            let client = try await live.connect()
            let rejected = try await client.send(Push(nil))
            #expect(rejected.names == ["apns-id", "content-type"])
            #expect(rejected["content-type"] == "application/json")
            #expect(live.record(of: rejected)?.answer.headers.map(\.name) == ["apns-id", "content-type"])
            let accepted = try await client.send(Push(TestKey.team.token()))
            #expect(accepted.names == ["apns-id", "apns-unique-id"])
        }
    }

    @Test func `generated IDs differ`() async throws {
        try await withLive { live in
            let client = try await live.connectAuthenticated()
            let token = try TestKey.team.token()
            let replies = try await client.send((0..<100).map { _ in Push(token) })
            let ids = replies.flatMap { $0.headers.map { $0.value.lowercased() } }
            #expect(Set(ids).count == 200)
        }
    }

    private static var upperCaseID: Regex<Substring> { /[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}/ }
    private static var lowerCaseID: Regex<Substring> { /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/ }
}
