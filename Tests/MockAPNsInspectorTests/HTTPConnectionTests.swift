import Foundation
import MockAPNs
import TestSupport
import Testing

@testable import MockAPNsInspector

/// HTTP/1.1 on the wire.
@Suite(.timeLimit(.minutes(5))) struct HTTPConnectionTests {
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
        "GET /test/a HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "x", count: 100_000)
            + "\r\n\r\n",
    ]

    @Test(arguments: malformed.indices) func `a malformed request is refused, after those before it`(
        index: Int
    ) async throws {
        let answer = try await exchange(Self.get("/test/a") + Self.malformed[index])
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        let refusal = answer.range(of: "\r\n\r\na\n").map { answer[$0.upperBound...] }
        #expect(
            refusal?.lowercased()
                == "http/1.1 400 bad request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
        )
    }

    @Test func `a request that offers another protocol is the last of its connection`() async throws {
        let offer =
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
        let answer = try await exchange(Self.get("/test/a", offer))
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\na\n"))
        #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
    }

    @Test func `HTTP 1.0 gets one answer`() async throws {
        let answer = try await exchange("GET /test/a HTTP/1.0\r\nHost: localhost\r\n\r\n")
        #expect(answer.hasSuffix("\r\n\r\na\n"))
    }
}
