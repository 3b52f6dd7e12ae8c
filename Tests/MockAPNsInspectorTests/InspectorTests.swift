import Foundation
import MockAPNs
import TestSupport
import Testing

@testable import MockAPNsInspector

@Suite struct InspectorTests {
    private func expect(
        _ status: Int, of target: String, port: Int, method: String = "GET", headers: [String] = [], body: [UInt8] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await HTTPClient.ask(target, port: port, method: method, headers: headers, body: body)
        #expect(answer.status == status, "\(headers)", sourceLocation: sourceLocation)
    }

    @Test func `a push is visible once its client has the answer`() async throws {
        try await withInspector { server, inspector, port in
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let authority = folder.appending(path: "ca.pem")
            let pem = try await HTTPClient.ask("/api/v1/ca.pem", port: port)
            #expect(pem["content-type"] == "application/x-pem-file")
            try Data(pem.body.utf8).write(to: authority)
            let key = try #require(server.developmentKey)
            let token = try key.providerToken(issuedAt: Int64(Date().timeIntervalSince1970))

            // First, so that the event loop has seen its end by the time it has answered the others.
            let untrusting = try await Curl.run(["--http2", "--capath", "/nowhere", server.listeners[0].url])
            #expect(untrusting.exitCode == 60)

            for (topic, status) in [("com.example.app", "200"), ("", "400")] {
                let push = try await Curl.run([
                    "--http2", "--cacert", authority.path, "-H", "authorization: bearer \(token)", "-H",
                    topic.isEmpty ? "x: y" : "apns-topic: \(topic)", "-d", #"{"aps":{"alert":"Hi"}}"#, "-o",
                    "/dev/null", "-w", "%{http_code}", server.listeners[0].url + "/3/device/" + Fixture.token,
                ])
                #expect(push.output == status)
            }
            let page = try await HTTPClient.ask("/api/v1/pushes?order=asc", port: port)
            #expect(page.text("matched") == "2")
            #expect(page.text("pushes", "0", "verdict", "status") == "200")
            #expect(page.text("pushes", "0", "auth", "verification") == "verified")
            #expect(page.text("pushes", "0", "auth", "keyId") == key.keyID)
            #expect(page.text("pushes", "0", "connection", "tls", "alpn") == "h2")
            #expect(page.text("pushes", "0", "request", "payload", "aps", "alert") == "Hi")
            #expect(page.text("pushes", "0", "apns", "token") == Fixture.token.lowercased())
            #expect(page.text("pushes", "1", "verdict", "reason") == "MissingTopic")
            #expect(page.text("pushes", "1", "verdict", "check") == "topic-present")
            #expect(!page.body.contains(try #require(token.split(separator: ".").last)))

            let connections = try await HTTPClient.ask("/api/v1/connections?order=asc", port: port)
            #expect(connections.text("connections", "1", "tls", "sni") == "null")
            #expect(connections.text("connections", "0", "closeCode") == "tls-failure")
        }
    }

    @Test func `/readyz is answered over a socket`() async throws {
        try await withInspector { server, inspector, port in
            try await expect(503, of: "/readyz", port: port)
            inspector.readiness.markBound(server.listeners.map(\.url))
            try await expect(200, of: "/readyz", port: port)
            inspector.readiness.markStopping()
            try await expect(503, of: "/readyz", port: port)
            try await expect(200, of: "/livez", port: port, headers: ["Host: x"])
        }
    }

    @Test func `requests of a browser for another host are refused`() async throws {
        try await withInspector(allowedHosts: ["apns.test:8197"]) { _, _, port in
            for (headers, status) in [
                (["Host: 127.0.0.1"], 200), (["Host: apns.test"], 200), (["Host: evil.example:\(port)"], 421),
                (["Host: 127.0.0.1", "Host: evil.example"], 400), (["Host: evil.example", "Host: 127.0.0.1"], 400),
                (["Host: 127.0.0.1", "Origin: http://evil.example"], 403), (["Host:"], 421),
                (["Host: localhost", "Origin: http://localhost:3000"], 200),
            ] {
                let answer = try await HTTPClient.ask("/api/v1/info", port: port, headers: headers)
                #expect(answer.status == status, "\(headers)")
            }
        }
    }

    @Test func `bound to all addresses, the address that the client used is accepted`() async throws {
        try await withInspector(host: "0.0.0.0") { _, _, port in
            for (host, status) in [
                ("127.0.0.1", 200), ("0.0.0.0:\(port)", 200), ("evil.example", 421), ("10.9.8.7", 421),
            ] {
                let answer = try await HTTPClient.ask("/api/v1/seq", port: port, headers: ["Host: \(host)"])
                #expect(answer.status == status, "\(host)")
            }
        }
    }

    @Test func `HEAD is GET without its body`() async throws {
        try await withInspector { _, _, port in
            let get = try await HTTPClient.ask("/api/v1/ca.pem", port: port)
            let head = try await HTTPClient.ask("/api/v1/ca.pem", port: port, method: "HEAD")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head["content-length"] == get["content-length"])
            #expect(get["content-length"] == "\(get.body.utf8.count)")
            #expect(head["x-mock-apns-seq"] == "0")
            #expect(head["server"] == "mock-apns/1.2.3")
            let lost = try await HTTPClient.ask("/nowhere", port: port, method: "HEAD")
            #expect(lost.status == 404)
            #expect(lost.body.isEmpty)
        }
    }

    @Test func `refuses a body of more than 1 MiB`() async throws {
        try await withInspector { _, _, port in
            let fits = [UInt8](repeating: 0x20, count: Route.largestBody)
            #expect(try await HTTPClient.ask("/api/v1/seq", port: port, method: "POST", body: fits).status == 405)
            let over = try await HTTPClient.ask("/api/v1/seq", port: port, method: "POST", body: fits + [0x20])
            #expect(over.status == 413)
            #expect(over["content-type"] == "application/problem+json")
            #expect(over["cache-control"] == "no-store")
        }
    }

    @Test func `an address in use is reported`() async throws {
        try await withInspector { server, inspector, port in
            let second = try Inspector(server: server, host: "127.0.0.1", port: port, facts: .init(version: "1"))
            let error = await #expect(throws: InspectorError.self) { try await second.start() }
            #expect(error?.code == .addressInUse)
            #expect(error?.port == port)
            #expect(error?.description.contains("port \(port) of 127.0.0.1") == true)
            try await second.stop()

            let again = await #expect(throws: InspectorError.self) { try await inspector.start() }
            #expect(again?.code == .alreadyStarted)
        }
    }

    @Test func `an address of another machine is reported`() async throws {
        try await withMockAPNs { server in
            let inspector = try Inspector(server: server, host: "192.0.2.1", port: 0, facts: .init(version: "1"))
            let error = await #expect(throws: InspectorError.self) { try await inspector.start() }
            #expect(error?.code == .cannotListen)
            #expect(error?.description.contains("192.0.2.1") == true)
            try await inspector.stop()
        }
    }

    @Test(arguments: ["*.example.com", "", "a b", "http://x"]) func `an invalid allowed host is refused`(
        host: String
    ) async throws {
        try await withMockAPNs { server in
            let error = #expect(throws: InspectorError.self) {
                try Inspector(server: server, host: "::1", port: 0, allowedHosts: [host], facts: .init(version: "1"))
            }
            #expect(error?.code == .badAllowedHost)
        }
    }

    @Test func `stopping ends connections that wait for another request`() async throws {
        // A path of its own: the port may be another test's as soon as the server has stopped.
        let here = Route("GET", "/test/here") { _ in .json(["here": true]) }
        try await withInspector(routes: [here]) { _, inspector, port in
            let connection = try await HeldConnection.open(port: port)
            try await connection.send("GET /test/here HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try await connection.read(until: "{\"here\":true}\n")
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            // Longer than the test may last: nothing is being answered, so there is nothing to wait for.
            try await inspector.stop(grace: .seconds(3_600))
            #expect(try await connection.readToEnd() == "")
            let later = try? await HTTPClient.ask("/test/here", port: port)
            #expect(later?.status != 200)
        }
    }

    /// Lends a connection that has read the beginning of an answer that no socket can hold.
    private func withLargeAnswer(_ use: (Inspector, HeldConnection) async throws -> Void) async throws {
        let large = Route("GET", "/test/large") { _ in
            APIResponse(body: .bytes(Array(repeating: UInt8(ascii: "x"), count: Self.large) + Array("}\n".utf8)))
        }
        try await withInspector(routes: [large]) { _, inspector, port in
            let connection = try await HeldConnection.open(port: port)
            try await connection.send("GET /test/large HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try await connection.read(until: "\r\n\r\n")
            try await use(inspector, connection)
        }
    }
    private static let large = 20_000_000

    @Test func `stopping lets a client finish reading its answer`() async throws {
        try await withLargeAnswer { inspector, connection in
            async let stopped: Void = inspector.stop(grace: .seconds(3_600))
            let rest = try await connection.readToEnd()
            try await stopped
            #expect(rest.hasSuffix("}\n"))
            #expect(rest.utf8.count > Self.large - 1_000_000)
        }
    }

    @Test func `stopping does not wait forever for a client that does not read`() async throws {
        try await withLargeAnswer { inspector, connection in
            try await inspector.stop(grace: .milliseconds(50))
            #expect(!(try await connection.readToEnd()).hasSuffix("}\n"))
        }
    }

    @Test func `an inspector that was never started can be stopped`() async throws {
        try await withMockAPNs { server in
            let inspector = try Inspector(server: server, host: "127.0.0.1", port: 0, facts: .init(version: "1"))
            try await inspector.stop()
        }
    }
}
