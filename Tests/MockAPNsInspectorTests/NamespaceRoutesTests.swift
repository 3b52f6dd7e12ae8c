import MockAPNs
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

struct NamespaceRoutesTests {
    private static let path = "/api/v1/namespaces"

    private func make(_ fixture: Fixture, _ body: String) async -> APIResponse {
        await fixture.send("POST", Self.path, body)
    }

    @Test func `a namespace is created, shown, changed and removed`() async throws {
        try await withFixture { fixture in
            let made = await make(fixture, #"{"name":"t-42","listener":true,"ttl":"10m","inherit":"default"}"#)
            #expect(made.status == 201 && made[header: "Location"] == "\(Self.path)/t-42")
            try Golden.expect(made, is: "namespace", volatile: ["idleSeconds"])
            let info = await fixture.get("/api/v1/info")
            #expect(info.json["namespaces"] == ["default", "t-42"])
            try Golden.expect(await fixture.get(Self.path), is: "namespaces", volatile: ["idleSeconds"])
            let one = await fixture.get("\(Self.path)/t-42")
            #expect(one.text("apns") == made.text("apns") && one.text("ttlSeconds") == "600")
            let changed = await fixture.send("PATCH", "\(Self.path)/t-42", #"{"ttl":"90s"}"#)
            #expect(changed.status == 200 && changed.text("ttlSeconds") == "90")
            let forever = await fixture.send("PATCH", "\(Self.path)/t-42", #"{"ttl":null}"#)
            #expect(forever.json["ttlSeconds"] == .null)
            #expect(await fixture.send("DELETE", "\(Self.path)/t-42").status == 204)
            #expect(await fixture.send("DELETE", "\(Self.path)/t-42").status == 404)
            #expect(await fixture.get("\(Self.path)/t-42/seq").status == 404)
            #expect(await fixture.get("/api/v1/info").json["namespaces"] == ["default"])
        }
    }

    @Test func `a namespace can be created without a port`() async throws {
        try await withFixture { fixture in
            let made = await make(fixture, #"{"name":"a","listener":false,"ttl":null}"#)
            #expect(made.status == 201 && made.json["apns"] == .null && made.json["listeners"] == [])
            #expect(made.json["ttlSeconds"] == .null)
        }
    }

    @Test func `inherit decides what a namespace begins with`() async throws {
        try await withFixture { fixture in
            _ = await fixture.send("POST", "/api/v1/keys/generate", #"{"keyId":"OWNKEY0001"}"#)
            _ = await fixture.send("PATCH", "/api/v1/settings", #"{"auth":"any"}"#)
            for (name, inherit, hasKey) in [
                ("a", "", true), ("b", #","inherit":"default""#, true), ("c", #","inherit":"none""#, false),
                ("d", #","inherit":"c""#, false), ("e", #","inherit":null"#, true),
            ] {
                let body = #"{"name":"\#(name)","listener":false\#(inherit)}"#
                #expect(await make(fixture, body).status == 201)
                let key = await fixture.get("\(Self.path)/\(name)/keys/OWNKEY0001")
                #expect(key.status == (hasKey ? 200 : 404), "\(name)")
                let auth = await fixture.get("\(Self.path)/\(name)/settings").text("auth")
                #expect(auth == (hasKey ? "any" : "verify"), "\(name)")
            }
        }
    }

    static let refusals: [(body: String, status: Int, path: String?, suggestion: String?)] = [
        ("{}", 400, "/name", nil), (#"{"name":""}"#, 400, "/name", nil), (#"{"name":"a/b"}"#, 400, "/name", nil),
        (#"{"name":"taken"}"#, 409, nil, nil), (#"{"name":"default"}"#, 409, nil, nil),
        (#"{"name":"a","ttl":"0s"}"#, 400, "/ttl", nil), (#"{"name":"a","ttl":600}"#, 400, "/ttl", nil),
        (#"{"name":"a","inherit":"takn"}"#, 400, "/inherit", "taken"),
        (#"{"name":"a","environment":"prod"}"#, 400, "/environment", "production"),
        (#"{"name":"a","listner":true}"#, 400, "/listner", "listener"),
    ]

    @Test(arguments: refusals) func `an invalid namespace is refused with the path of the mistake`(
        body: String, status: Int, path: String?, suggestion: String?
    ) async throws {
        try await withFixture { fixture in
            #expect(await make(fixture, #"{"name":"taken","listener":false}"#).status == 201)
            let answer = await make(fixture, body)
            #expect(answer.status == status)
            #expect(answer.text("errors", "0", "path") == path)
            if path != nil { #expect(answer.text("errors", "0", "suggestion") == suggestion ?? "null") }
            #expect(fixture.server.namespaces.all.map(\.name) == ["default", "taken"])
        }
    }

    @Test func `the default namespace cannot be removed`() async throws {
        try await withFixture { fixture in
            let answer = await fixture.send("DELETE", "\(Self.path)/default")
            #expect(answer.status == 409 && answer.text("detail")?.contains("/api/v1/reset") == true)
            #expect(await fixture.send("PATCH", "\(Self.path)/default", #"{"ttl":"1m"}"#).status == 409)
            #expect(await fixture.send("PATCH", "\(Self.path)/default", #"{"ttl":null}"#).status == 200)
        }
    }

    /// What is about the whole server is not there in each of its parts.
    @Test func `every route exists for every namespace`() async throws {
        try await withFixture { fixture in
            #expect(await make(fixture, #"{"name":"a","listener":false}"#).status == 201)
            for route in DebugAPI.routes where route.path.hasPrefix("/api/v1/") {
                let rest = route.path.dropFirst("/api/v1".count)
                let isOfServer = rest.hasPrefix("/namespaces") || rest.hasPrefix("/shutdown")
                let filled = rest.replacing(/\{[A-Za-z]+\}/, with: "x")
                for name in ["a", "default"] {
                    let answer = await fixture.send("OPTIONS", "\(Self.path)/\(name)\(filled)")
                    #expect(answer.status == (isOfServer ? 404 : 405), "\(name)\(filled)")
                }
            }
            let lost = await fixture.get("\(Self.path)/a/pushs")
            #expect(lost.status == 404 && lost.text("errors", "0", "suggestion") == "/api/v1/pushes")
            try Golden.expect(await fixture.get("\(Self.path)/aa/pushes"), is: "problem-unknown-namespace")
            #expect(await fixture.get("\(Self.path)//pushes").status == 404)
            #expect(await fixture.get("\(Self.path)/%61/seq").status == 200)
        }
    }

    @Test func `a namespace does not show what happens in another`() async throws {
        try await withFixture { fixture in
            for name in ["a", "b"] { _ = await make(fixture, #"{"name":"\#(name)","listener":false}"#) }
            let a = "\(Self.path)/a"
            let device = #"{"label":"alice","registrations":[{"token":"aa","topic":"com.a"}]}"#
            let added = await fixture.send("POST", "\(a)/devices", device)
            #expect(added.status == 201)
            let location = try #require(added[header: "Location"])
            #expect(location.hasPrefix("\(a)/devices/dev_"))
            #expect(await fixture.get(location).text("label") == "alice")
            _ = await fixture.send("PUT", "\(a)/clock", #"{"mode":"frozen","now":"2030-01-01T00:00:00Z"}"#)
            _ = await fixture.send("PATCH", "\(a)/settings", #"{"auth":"any"}"#)
            _ = await fixture.send("PATCH", "\(a)/registrations/aa", #"{"state":"uninstalled"}"#)
            #expect(await fixture.send("POST", "\(a)/keys/generate", #"{"keyId":"SPACEKEY01"}"#).status == 201)
            fixture.publish(PushDraft())
            for other in ["/api/v1", "\(Self.path)/default", "\(Self.path)/b"] {
                #expect(await fixture.get("\(other)/devices/@alice").status == 404)
                #expect(await fixture.get("\(other)/clock").text("mode") == "real")
                #expect(await fixture.get("\(other)/settings").text("auth") == "verify")
                #expect(await fixture.get("\(other)/feedback").json["feedback"] == [])
                #expect(await fixture.get("\(other)/keys/SPACEKEY01").status == 404)
                let count = other.hasSuffix("/b") ? "0" : "1"
                #expect(await fixture.get("\(other)/pushes").text("matched") == count)
            }
            #expect(await fixture.get("\(a)/feedback").text("feedback", "0", "token") == "aa")
            #expect(await fixture.get("\(a)/pushes").text("matched") == "0")
            // Each has numbers of its own, also in the headers.
            let seq = await fixture.get("\(a)/seq")
            #expect(seq.text("seq") == "0" && seq[header: "X-Mock-APNs-Seq"] == "0")
            #expect(await fixture.get("/api/v1/seq").text("seq") != "0")
            #expect(await fixture.send("POST", "\(a)/reset").text("cleared", "devices") == "1")
            #expect(await fixture.get("/api/v1/pushes").text("matched") == "1")
        }
    }

    @Test func `a push says which namespace it belongs to, and why`() async throws {
        try await withFixture { fixture in
            _ = await make(fixture, #"{"name":"a","listener":false}"#)
            let space = try #require(fixture.server.namespaces["a"])
            let batch = RecordBatch()
            batch.begin(by: space.world.ruleset)
            var facts = RecordHead()
            facts.status = 400
            facts.verdict = Verdict(reason: .badPath, decidedBy: nil)
            facts.routing = .token
            RequestView.withRequest(headers: [(":method", "POST"), (":path", "/x")], body: []) {
                batch.append($0, facts)
            }
            space.world.journal.publish(batch, at: space.world.clock.read())
            let push = await fixture.get("\(Self.path)/a/pushes/seq:1")
            #expect(push.text("namespace") == "a" && push.text("routedBy") == "token")
        }
    }

    @Test func `a large body is read where the route takes one`() async throws {
        try await withFixture { fixture in
            let request = APIRequest(method: "PUT", target: "\(Self.path)/a/devices")
            #expect(fixture.api.target(of: request).largestBody == Route.largestList)
        }
    }

    /// As long as somebody listens it is not idle; when it goes, the listeners hear why.
    @Test func `a stream ends with its namespace`() async throws {
        try await withInspector { server, _, port in
            let space = try await server.namespaces.add(.init(name: "a"))
            _ = try space.world.devices.add(DeviceDraft(label: "alice", registrations: []))
            _ = try server.world.devices.add(DeviceDraft(label: "alice", registrations: []))
            let client = try await EventClient("\(Self.path)/a/devices/@alice/connect", port: port)
            let other = try await EventClient("/api/v1/devices/@alice/connect", port: port)
            for stream in [client, other] {
                guard case .event("connected", _, _)? = try await stream.next() else {
                    Issue.record("the stream does not begin")
                    return
                }
            }
            #expect(space.idleTime == .zero)
            let answer = try await HTTPClient.ask("\(Self.path)/a", port: port, method: "DELETE")
            #expect(answer.status == 204)
            let end = try await client.nextEvent()
            #expect(end == .event("closed", id: nil, data: ["reason": "namespace-deleted"]))
            #expect(try await client.next() == nil)
            #expect(try server.world.devices.device(.label("alice")).connectedClients == 1)
        }
    }

    @Test func `a stream of a removed namespace is refused at once`() async throws {
        try await withMockAPNs { server in
            let space = try await server.namespaces.add(.init(name: "a"))
            let streams = OpenStreams()
            let early = streams.begin(of: space)
            let of = streams.begin()
            #expect(await server.namespaces.remove("a"))
            #expect(early.cause == nil)
            streams.stopAll(of: space)
            #expect(early.cause == .namespaceGone && of.cause == nil)
            #expect(streams.begin(of: space).cause == .namespaceGone)
        }
    }

    @Test func `without the token, no names of namespaces are revealed`() async throws {
        try await withFixture { fixture in
            let api = DebugAPI(
                subject: fixture.api.subject, hosts: HostPolicy(boundHost: "127.0.0.1", allowed: []),
                access: Inspector.Access(token: "secret"))
            var request = APIRequest(target: "\(Self.path)/nobody/seq")
            request.set("Host", "localhost")
            #expect(await api.answer(request).status == 401)
            request.set("Authorization", "Bearer secret")
            #expect(await api.answer(request).status == 404)
            request.set("Host", "evil.example")
            #expect(await api.answer(request).status == 421)
        }
    }
}
