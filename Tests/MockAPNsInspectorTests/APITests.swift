import Foundation
import MockAPNsAPI
import TestSupport
import Testing

@testable import MockAPNsInspector

@Suite struct APITests {
    @Test(arguments: ["/livez", "/readyz", "/api/v1/info", "/api/v1/seq", "/nowhere", "/api/v1/pushes?x=1"])
    func `every response has the common headers`(target: String) async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft(), PushDraft())
            let seq = fixture.journal.extent.lastSeq
            #expect(seq > 1)
            let answer = await fixture.get(target)
            #expect(answer[header: "Cache-Control"] == "no-store")
            #expect(answer[header: "Server"] == "mock-apns/1.2.3")
            // The number is read under the world's lock, for which a probe must not wait.
            let isProbe = target.hasSuffix("z")
            #expect(answer[header: "X-Mock-APNs-Seq"] == (isProbe ? nil : "\(seq)"))
        }
    }

    static let lost: [(String, String?)] = [
        ("/api/v1/push", "/api/v1/pushes"), ("/api/v1/pushes/", "/api/v1/pushes"), ("/info", "/api/v1/info"),
        ("/api/v1/INFO", "/api/v1/info"), ("/ready", "/readyz"), ("/api/v1/conections", "/api/v1/connections"),
        ("/zzzz/zzzz", nil), ("", nil), ("/3/device/00", nil),
    ]

    @Test(arguments: lost) func `an unknown path gets the nearest path as a suggestion`(
        path: String, suggestion: String?
    ) async throws {
        try await withFixture { fixture in
            let answer = await fixture.get(path)
            #expect(answer.status == 404)
            #expect(answer.contentType == "application/problem+json")
            #expect(answer.text("errors", "0", "suggestion") == suggestion ?? "null")
        }
    }

    @Test(arguments: ["POST", "DELETE", "OPTIONS", "get"]) func `a wrong method gets the allowed ones`(
        method: String
    ) async throws {
        try await withFixture { fixture in
            var request = APIRequest(method: method, target: "/api/v1/seq")
            request.set("Host", "localhost")
            let answer = await fixture.api.answer(request)
            #expect(answer.status == 405)
            #expect(answer[header: "Allow"] == "GET, HEAD")
        }
    }

    @Test(arguments: [
        ("DELETE", "/api/v1/pushes/latest", "GET, HEAD"), ("GET", "/api/v1/pushes/verify", "POST"),
        ("PUT", "/api/v1/pushes/seq:1", "GET, HEAD, PATCH, DELETE"),
    ]) func `a fixed path takes precedence over one with a parameter`(
        method: String, target: String, allowed: String
    ) async throws {
        try await withFixture { fixture in
            let answer = await fixture.send(method, target)
            #expect(answer.status == 405)
            #expect(answer[header: "Allow"] == allowed)
        }
    }

    @Test func `only probes are answered for any host`() async throws {
        try await withFixture { fixture in
            for (path, status) in [
                ("/livez", 200), ("/readyz", 503), ("/api/v1/info", 421), ("/nowhere", 421),
                ("/api/v1/pushes?bad", 421), ("/api/v1/ca.pem", 421),
            ] {
                var request = APIRequest(target: path)
                request.set("Host", "evil.example")
                request.set("Origin", "http://evil.example")
                #expect(await fixture.api.answer(request).status == status, "\(path)")
            }
        }
    }

    @Test func `problems have the shape of RFC 9457`() async throws {
        try await withFixture { fixture in
            try Golden.expect(await fixture.get("/api/v1/pushs"), is: "problem-unknown-path")
            try Golden.expect(
                await fixture.get("/api/v1/pushes?limt=5&outcome=acepted&limit=0"), is: "problem-bad-parameter")
            try Golden.expect(await fixture.get("/api/v1/pushes/seq:9"), is: "problem-unknown-push")
            var request = APIRequest(target: "/api/v1/info")
            request.set("Host", "evil.example:8197")
            try Golden.expect(await fixture.api.answer(request), is: "problem-host-not-allowed")
        }
    }

    @Test func `kinds of problems have names and errors of their own`() {
        #expect(Problem.Kind.allCases.allSatisfy { (400..<600).contains($0.row.status) })
        #expect(Set(Problem.Kind.allCases.map(\.row.title)).count == Problem.Kind.allCases.count)
    }

    @Test func `a route without parameters refuses any`() async throws {
        try await withFixture { fixture in
            for route in DebugAPI.routes where route.parameters.isEmpty {
                var request = APIRequest(method: route.method, target: route.path + "?limit=1")
                request.set("Host", "localhost")
                let answer = await fixture.api.answer(request)
                #expect(answer.status == 400, "\(route.method) \(route.path)")
                #expect(answer.text("errors", "0", "path") == "limit")
            }
        }
    }

    static let accepts: [(String?, Bool)] = [
        (nil, false), ("", false), ("*/*", false), ("application/json", false), ("application/x-ndjson", true),
        ("Application/X-NDJSON; q=0.9", true), ("text/html, application/x-ndjson", true),
        ("application/json, application/x-ndjson", false), ("application/x-ndjson, application/json", true),
    ]

    @Test(arguments: accepts) func `a list is sent as lines if the request accepts them`(accept: String?, isLines: Bool)
    {
        var request = APIRequest(target: "/")
        request.set("Accept", accept)
        #expect(request.wantsLines == isLines)
    }
}
