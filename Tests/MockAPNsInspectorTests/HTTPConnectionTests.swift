import Foundation
import MockAPNs
import MockAPNsVerifying
import TestSupport
import Testing

@testable import MockAPNsInspector

/// HTTP/1.1 on the wire.
struct HTTPConnectionTests {
    private static let routes = [
        Route("GET", "/test/{name}") { call in .text((call.pathParts["name"] ?? "") + "\n") },
        Route("POST", "/test/body") { call in .text("\(call.request.body.count) bytes\n") },
    ]

    private static func get(_ path: String, _ more: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(more)\r\n"
    }

    /// Sends bytes, and returns all that comes until the server closes the connection.
    private func exchange(_ text: String, halfClose: Bool = false) async throws -> String {
        var answer = ""
        try await withInspector(routes: Self.routes) { _, _, port in
            let connection = try await HeldConnection.open(port: port)
            try await connection.send(text)
            if halfClose { connection.depart(.halfClose) }
            answer = try await connection.readToEnd()
        }
        return answer
    }

    @Test func `pipelined requests are answered in their order`() async throws {
        let requests = ["/test/a", "/test/b", "/test/c"].map { Self.get($0) }.joined()
        let answer = try await exchange(requests + Self.get("/test/d", "Connection: close\r\n"))
        #expect(answer.components(separatedBy: "HTTP/1.1 200 OK").count == 5)
        let bodies = ["a\n", "b\n", "c\n", "d\n"].compactMap { answer.range(of: "\r\n\r\n" + $0)?.lowerBound }
        #expect(bodies.count == 4 && bodies == bodies.sorted())
    }

    @Test func `a client that has closed its side reads its answer`() async throws {
        let answer = try await exchange(Self.get("/test/a"), halfClose: true)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\na\n"))
    }

    static let malformed = [
        "NONSENSE\r\n\r\n", "GET / HTTP/1.1\r\nHo st: a\r\n\r\n",
        "POST /test/body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        "POST /test/body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /test/body HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "GET /test/a HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "x", count: 100_000) + "\r\n\r\n",
    ]

    @Test(arguments: malformed.indices) func `a malformed request is refused, after those before it`(
        index: Int
    ) async throws {
        let answer = try await exchange(Self.get("/test/a") + Self.malformed[index])
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        let refusal = answer.range(of: "\r\n\r\na\n").map { answer[$0.upperBound...] }
        #expect(refusal?.lowercased() == "http/1.1 400 bad request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
    }

    @Test func `a request that offers another protocol is the last of its connection`() async throws {
        let offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
        let answer = try await exchange(Self.get("/test/a", offer))
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\na\n"))
        #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
    }

    @Test func `an HTTP 1.0 client is not told to go on`() async throws {
        let head = "POST /test/body HTTP/1.0\r\nHost: localhost\r\nExpect: 100-continue\r\n"
        let answer = try await exchange(head + "Content-Length: 3\r\n\r\nabc")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK") && answer.hasSuffix("3 bytes\n"))
    }

    // MARK: Requests that do not end

    private static var hasty: APISettings {
        var settings = APISettings()
        settings.head = .milliseconds(20)
        settings.body = .milliseconds(20)
        return settings
    }

    private static let post = "POST /test/body HTTP/1.1\r\nHost: localhost\r\n"

    static let unfinished = [
        ("head", "G"), ("head", "GET /test/b HTTP/1.1\r\nHost: loc"),
        ("head", "GET /test/b HTTP/1.1\r\nHost: localhost\r\n"), ("body", post + "Content-Length: 3\r\n\r\nab"),
        ("body", post + "Content-Length: 3\r\n\r\n"), ("body", post + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"),
        ("body", post + "Content-Length: \(1 << 30)\r\n\r\nab"),
    ]

    @Test(arguments: unfinished) func `a request that does not end gets 408, after those before it`(
        part: String, sent: String
    ) async throws {
        try await withInspector(routes: Self.routes, settings: Self.hasty) { _, _, port in
            let connection = try await HeldConnection.open(port: port)
            try await connection.send(Self.get("/test/a"))
            #expect(try await connection.read(until: "\r\n\r\na\n").hasPrefix("HTTP/1.1 200 OK"))
            try await connection.send(sent)
            let refusal = try await connection.readToEnd()
            #expect(refusal.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
            #expect(refusal.lowercased().contains("\r\nconnection: close\r\n"))
            #expect(refusal.contains("urn:mock-apns:problem:request-timeout"))
            #expect(refusal.contains("The \(part) of the request did not arrive within 20ms; send it at once."))
        }
    }

    /// What takes long are the responses: waits, and event streams.
    @Test func `a complete request has no time limit`() async throws {
        let gate = StopSignal()
        let wait = Route("GET", "/test/wait") { _ in
            await gate.wait()
            return .text("waited\n")
        }
        try await withInspector(routes: Self.routes + [wait], settings: Self.hasty) { _, _, port in
            let waiting = try await HeldConnection.open(port: port)
            try await waiting.send(Self.get("/test/wait"))
            // The limits are long over when this one has reached its own.
            let late = try await HeldConnection.open(port: port)
            try await late.send("GET ")
            #expect(try await late.readToEnd().hasPrefix("HTTP/1.1 408"))
            gate.ask(.shutdown)
            #expect(try await waiting.read(until: "waited\n").hasPrefix("HTTP/1.1 200 OK"))
        }
    }

    @Test func `a client that never closes its side is disconnected`() async throws {
        var settings = APISettings()
        settings.linger = .milliseconds(20)
        try await withInspector(routes: Self.routes, settings: settings) { _, _, port in
            let connection = try await HeldConnection.open(port: port)
            try await connection.send(Self.get("/test/a", "Connection: close\r\n"))
            #expect(try await connection.readToEnd().hasSuffix("\r\n\r\na\n"))
            // Ends when the socket of the server is gone.
            while try await connection.send("x") {}
        }
    }

    @Test func `an HTTP 1.0 connection gets one response`() async throws {
        let answer = try await exchange("GET /test/a HTTP/1.0\r\nHost: localhost\r\n\r\n")
        #expect(answer.hasSuffix("\r\n\r\na\n"))
    }
}
