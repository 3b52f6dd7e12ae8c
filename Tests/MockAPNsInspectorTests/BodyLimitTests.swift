import MockAPNsAPI
import MockAPNsFormats
import Synchronization
import Testing

@testable import MockAPNsInspector

/// Bodies of requests over a real connection: what arrives, and what a body may cost.
struct BodyLimitTests {
    private static let large = 3 << 19

    /// Routes that say what body they were given.
    private static let routes = [
        Route("GET", "/test/small", answer: echo), Route("POST", "/test/small", answer: echo),
        Route("PUT", "/test/large", answer: echo).largestBody(large),
    ]

    private static func echo(_ call: Route.Call) throws(Problem) -> APIResponse {
        let body = call.request.body
        let sum = body.reduce(into: UInt64(0)) { $0 = $0 &* 31 &+ UInt64($1) }
        return .json(["length": JSONValue(body.count), "sum": JSONValue(sum)])
    }

    private func body(_ length: Int) -> [UInt8] { (0..<length).map { UInt8(truncatingIfNeeded: $0 / 3) } }

    private func expected(_ body: [UInt8]) -> String {
        let sum = body.reduce(into: UInt64(0)) { $0 = $0 &* 31 &+ UInt64($1) }
        return "{\"length\":\(body.count),\"sum\":\(sum)}\n"
    }

    @Test func `a route gets the body, byte for byte`() async throws {
        try await withInspector(routes: Self.routes) { _, _, port in
            for length in [0, 1, 70_000, Route.largestBody] {
                let body = body(length)
                let answer = try await HTTPClient.ask("/test/small", port: port, method: "POST", body: body)
                #expect(answer.body == expected(body))
            }
            let large = body(Self.large)
            let answer = try await HTTPClient.ask("/test/large", port: port, method: "PUT", body: large)
            #expect(answer.body == expected(large))
        }
    }

    @Test func `the body of a GET is ignored`() async throws {
        try await withInspector(routes: Self.routes) { _, _, port in
            let answer = try await HTTPClient.ask("/test/small", port: port, body: body(1_000))
            #expect(answer.body == expected([]))
            let over = try await HTTPClient.ask("/test/small", port: port, body: body(Route.largestBody + 1))
            #expect(over.status == 413)
        }
    }

    static let limits: [(method: String, path: String, limit: Int)] = [
        ("POST", "/test/small", Route.largestBody), ("PUT", "/test/large", large),
        ("POST", "/test/large", Route.largestBody), ("PUT", "/nowhere", Route.largestBody),
    ]

    @Test(arguments: limits) func `each route has its own limit`(method: String, path: String, limit: Int) async throws
    {
        try await withInspector(routes: Self.routes) { _, _, port in
            let fits = try await HTTPClient.ask(path, port: port, method: method, body: body(limit))
            #expect(fits.status != 413)
            let over = try await HTTPClient.ask(path, port: port, method: method, body: body(limit + 1))
            #expect(over.status == 413)
            #expect(over["content-type"] == "application/problem+json")
            #expect(over["x-mock-apns-seq"] == "0")
            #expect(over.text("detail")?.contains("\(limit) bytes") == true)
            #expect(over.text("detail")?.contains("\(method) '\(path)'") == true)
        }
    }

    /// The largest bodies of the routes that take more than 1 MiB.
    private static let larger = [
        "PUT /api/v1/devices": 64 << 20, "POST /api/v1/pushes/import": 64 << 20, "PUT /api/v1/saved-pushes": 8 << 20,
        "PUT /api/v1/strings/{topic}": 16 << 20,
    ]

    @Test func `only lists and string catalogs may have more than 1 MiB`() async throws {
        try await withFixture { fixture in
            for route in DebugAPI.routes {
                let request = APIRequest(method: route.method, target: route.path)
                let limit = Self.larger["\(route.method) \(route.path)"] ?? 1 << 20
                #expect(fixture.api.target(of: request).largestBody == limit, "\(route.path)")
            }
        }
    }

    @Test(arguments: [false, true]) func `a connection can be used after a body that was too large`(
        isChunked: Bool
    ) async throws {
        try await withInspector(routes: Self.routes) { _, _, port in
            let connection = try await HeldConnection.open(port: port)
            let text = String(repeating: "x", count: Route.largestBody + 100_000)
            let head = "POST /test/small HTTP/1.1\r\nHost: localhost\r\n"
            if isChunked {
                let size = String(text.utf8.count, radix: 16)
                try await connection.send("\(head)Transfer-Encoding: chunked\r\n\r\n\(size)\r\n\(text)\r\n0\r\n\r\n")
            } else {
                try await connection.send("\(head)Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
            }
            let refusal = try await connection.read(until: "}\n")
            #expect(refusal.hasPrefix("HTTP/1.1 413"))
            try await connection.send("\(head)Content-Length: 3\r\n\r\nabc")
            let answer = try await connection.read(until: "}\n")
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            #expect(answer.hasSuffix(expected(Array("abc".utf8))))
        }
    }

    @Test func `a body larger than every buffer gets 413`() async throws {
        try await withInspector(routes: Self.routes) { _, _, port in
            let body = [UInt8](repeating: 0x20, count: 40 << 20)
            let answer = try await HTTPClient.ask("/test/small", port: port, method: "POST", body: body)
            #expect(answer.status == 413)
        }
    }

    @Test func `Expect: 100-continue gets 100, or 413 for a body that is too large`() async throws {
        try await withInspector(routes: Self.routes) { _, _, port in
            let head = "PUT /test/large HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
            let connection = try await HeldConnection.open(port: port)
            try await connection.send(head + "3\r\n\r\n")
            #expect(try await connection.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await connection.send("abc")
            #expect(try await connection.read(until: "}\n").hasPrefix("HTTP/1.1 200"))

            let refused = try await HeldConnection.open(port: port)
            try await refused.send(head + "\(Self.large + 1)\r\n\r\n")
            #expect(try await refused.read(until: "}\n").hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test(arguments: [
        ("PUT /test/nothing", "", "404"), ("POST /test/large", "", "405"), ("PUT /ns/none/test/large", "", "404"),
        ("PUT /test/large", "Content-Encoding: gzip\r\n", "400"),
        ("PUT /test/large", "Origin: http://example.org\r\n", "403"),
    ]) func `Expect: 100-continue gets the refusal of a body that is not read`(
        line: String, header: String, status: String
    ) async throws {
        try await withInspector(routes: Self.routes) { _, _, port in
            let connection = try await HeldConnection.open(port: port)
            let more = "Host: localhost\r\n\(header)Expect: 100-continue\r\nContent-Length: 3\r\n\r\n"
            try await connection.send("\(line) HTTP/1.1\r\n\(more)")
            #expect(try await connection.read(until: "}\n").hasPrefix("HTTP/1.1 \(status)"))
        }
    }

    @Test(arguments: ["Content-Length: 3000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nbb8\r\n"])
    func `a body that breaks off is not processed`(framing: String) async throws {
        let asked = Mutex(0)
        let route = Route("POST", "/test/count") { _ in
            asked.withLock { $0 += 1 }
            return .done
        }
        try await withInspector(routes: [route]) { _, inspector, port in
            for way in HeldConnection.Departure.allCases {
                for part in ["", "{", "{}"] {
                    let connection = try await HeldConnection.open(port: port)
                    let head = "POST /test/count HTTP/1.1\r\nHost: localhost\r\n"
                    try await connection.send(head + framing + part)
                    connection.depart(way)
                    if way == .halfClose { _ = try await connection.readToEnd() }
                }
            }
            try await inspector.stop(grace: .seconds(3_600))
            #expect(asked.withLock { $0 } == 0)
        }
    }

    @Test func `an answer without a body has no headers for one`() async throws {
        let route = Route("DELETE", "/test/thing") { _ in .done }
        try await withInspector(routes: [route]) { _, _, port in
            let answer = try await HTTPClient.ask("/test/thing", port: port, method: "DELETE")
            #expect(answer.status == 204)
            #expect(answer["content-type"] == nil)
            #expect(answer["content-length"] == nil)
            #expect(answer["x-mock-apns-seq"] == "0")
            #expect(answer.body.isEmpty)
        }
    }
}
