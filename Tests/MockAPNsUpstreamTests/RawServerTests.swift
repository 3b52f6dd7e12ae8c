import MockAPNsUpstream
import NIOCore
import TestSupport
import Testing

/// The client against servers that send anything.
struct RawServerTests {
    private typealias Step = RawServer.Step

    private func outcome(
        _ script: [Step], _ change: (inout UpstreamOptions) -> Void = { _ in }, isSecure: Bool = false
    ) async throws -> Result<UpstreamAnswer, UpstreamError> {
        try await withRawServer(script) { server in
            var options = UpstreamOptions.patient
            change(&options)
            let address = UpstreamAddress(host: "127.0.0.1", port: server.port, isSecure: isSecure)
            do throws(UpstreamError) {
                let connection = try await UpstreamConnection.open(address, options)
                let answer: UpstreamAnswer
                do throws(UpstreamError) { answer = try await connection.send(UpstreamRequest("/3/device/a")) } catch {
                    await connection.close()
                    throw error
                }
                await connection.close()
                return .success(answer)
            } catch { return .failure(error) }
        }
    }

    private func error(
        _ script: [Step], _ change: (inout UpstreamOptions) -> Void = { _ in }, isSecure: Bool = false
    ) async throws -> UpstreamError? {
        guard case .failure(let error) = try await outcome(script, change, isSecure: isSecure) else { return nil }
        return error
    }

    private static let hello = Step(after: RawServer.preface, bytes: RawServer.settings + RawServer.frame(4, flags: 1))

    /// SETTINGS, and bytes after the request, whose HEADERS end the stream.
    private static func respond(_ bytes: [UInt8]) -> [Step] { [hello, Step(after: "\u{1}\u{5}", bytes: bytes)] }

    @Test func `the smallest response`() async throws {
        let answer = try await outcome(Self.respond(RawServer.ok())).get()
        #expect(answer.status == 200 && answer.headers.isEmpty)
    }

    @Test func `interim responses and trailers`() async throws {
        // 103 as a literal, 200 from the table, a body, and a literal "a: b" as trailers.
        let interim = RawServer.frame(1, flags: 0x4, stream: 1, [0x08, 0x03, 0x31, 0x30, 0x33])
        let head = RawServer.frame(1, flags: 0x4, stream: 1, [0x88])
        let body = RawServer.frame(0, stream: 1, Array("hi".utf8))
        let trailers = RawServer.frame(1, flags: 0x5, stream: 1, [0x00, 0x01, 0x61, 0x01, 0x62])
        let answer = try await outcome(Self.respond(interim + head + body + trailers)).get()
        #expect(answer.interim == [103] && answer.body == Array("hi".utf8))
        #expect(answer.headers.isEmpty && answer.trailers == [UpstreamHeader("a", "b")])
    }

    /// Servers, and the code of what a client says.
    @Test func `broken servers`() async throws {
        let garbage = [UInt8](repeating: 0xff, count: 100)
        let http1 = Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)
        let pings = Array(
            [[UInt8]](repeating: RawServer.frame(6, [UInt8](repeating: 0, count: 8)), count: 2_000).joined())
        let empty =
            RawServer.frame(1, flags: 0x4, stream: 1, [0x88])
            + Array([[UInt8]](repeating: RawServer.frame(0, stream: 1), count: 2_000).joined())
        // A name and a value of 4,000 bytes in the table, then 400 references to it.
        let field = [0x40, 0x01, 0x61, 0x7f, 0xa1, 0x1e] + [UInt8](repeating: 0x62, count: 4_000)
        let bomb = RawServer.frame(1, flags: 0x5, stream: 1, [0x88] + field + [UInt8](repeating: 0xbe, count: 400))
        let cases: [(String, [Step], UpstreamError.Code)] = [
            ("garbage", [Step(after: "", bytes: garbage)], .protocolError),
            ("HTTP/1.1", [Step(after: RawServer.preface, bytes: http1)], .protocolError),
            ("closes at once", [Step(after: "", bytes: [], closes: true)], .closed),
            ("closes after the preface", [Step(after: RawServer.preface, bytes: [], closes: true)], .closed),
            (
                "no SETTINGS first",
                [Step(after: RawServer.preface, bytes: RawServer.frame(6, [0, 0, 0, 0, 0, 0, 0, 0]))], .protocolError
            ),
            (
                "GOAWAY at once",
                [Step(after: RawServer.preface, bytes: RawServer.settings + RawServer.goAway(last: 0))], .goAway
            ), ("GOAWAY below the request", Self.respond(RawServer.goAway(last: 0)), .goAway),
            ("closes with a request", [Self.hello, Step(after: "\u{1}\u{5}", bytes: [], closes: true)], .closed),
            ("PING flood", Self.respond(pings), .protocolError), ("empty DATA", Self.respond(empty), .protocolError),
            ("header bomb", Self.respond(bomb), .tooLarge),
            (
                "PUSH_PROMISE", Self.respond(RawServer.frame(5, flags: 4, stream: 1, [0, 0, 0, 2, 0x82])),
                .protocolError
            ), ("status twice", Self.respond(RawServer.frame(1, flags: 0x5, stream: 1, [0x88, 0x88])), .protocolError),
            (
                "no status", Self.respond(RawServer.frame(1, flags: 0x5, stream: 1, [0x00, 0x01, 0x61, 0x01, 0x62])),
                .protocolError
            ),
        ]
        for (name, script, code) in cases {
            let error = try await error(script)
            #expect(error?.code == code, "\(name): \(error.map { "\($0)" } ?? "an answer")")
        }
    }

    @Test func `a response over the limits is reset`() async throws {
        let head = RawServer.frame(1, flags: 0x4, stream: 1, [0x88])
        let body = RawServer.frame(0, flags: 1, stream: 1, [UInt8](repeating: 0, count: 2_000))
        let long = [0x00, 0x01, 0x61, 0x7f, 0xd1, 0x0e] + [UInt8](repeating: 0x62, count: 2_000)
        for bytes in [head + body, RawServer.frame(1, flags: 0x5, stream: 1, [0x88] + long)] {
            let error = try await error(Self.respond(bytes)) {
                $0.limits.body = 1_999
                $0.limits.headerList = 1_999
            }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test func `each stage has a limit on its time`() async throws {
        let silence = [Step(after: "never", bytes: [])]
        let cases: [(String, [Step], Bool, (inout UpstreamOptions) -> Void)] = [
            ("SETTINGS", silence, false, { $0.times.settings = .milliseconds(1) }),
            ("TLS handshake", silence, true, { $0.times.handshake = .milliseconds(1) }),
            ("did not answer", [Self.hello], false, { $0.times.answer = .milliseconds(1) }),
            (
                "no stream", [Step(after: RawServer.preface, bytes: RawServer.frame(4, [0, 3, 0, 0, 0, 0]))], false,
                { $0.times.answer = .milliseconds(1) }
            ),
        ]
        for (words, script, isSecure, change) in cases {
            let error = try await error(script, change, isSecure: isSecure)
            #expect(
                error?.code == .timeout && error?.seen.contains(words) == true, "\(words): \(String(describing: error))"
            )
        }
    }

    @Test func `an idle connection is closed`() async throws {
        try await withRawServer([Self.hello]) { server in
            var options = UpstreamOptions.patient
            options.times.idle = .milliseconds(1)
            let address = UpstreamAddress(host: "127.0.0.1", port: server.port, isSecure: false)
            let connection = try await UpstreamConnection.open(address, options)
            while await connection.facts.end == nil { await Task.yield() }
            #expect(await connection.facts.end?.code == .closed)
            #expect(try await failure { try await connection.send(UpstreamRequest("/")) }.isUnprocessed)
        }
    }

    @Test func `not TLS, and nobody at the port`() async throws {
        let plain = [Step(after: "", bytes: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))]
        #expect(try await error(plain, isSecure: true)?.code == .tls)
        let port = try await withRawServer([]) { $0.port }
        let address = UpstreamAddress(host: "127.0.0.1", port: port, isSecure: false)
        let error = try await failure { try await UpstreamConnection.open(address, .patient) }
        #expect(error.code == .connect && error.isUnprocessed && error.description.contains("\(port)"))
    }

    @Test func `requests wait in a queue with a bound`() async throws {
        let none = RawServer.frame(4, [0, 3, 0, 0, 0, 0])
        try await withRawServer([Step(after: RawServer.preface, bytes: none)]) { server in
            var options = UpstreamOptions.patient
            options.limits.waiting = 1
            let address = UpstreamAddress(host: "127.0.0.1", port: server.port, isSecure: false)
            let connection = try await UpstreamConnection.open(address, options)
            let first = Task { try await connection.send(UpstreamRequest("/")) }
            while await connection.room.load == 0 { await Task.yield() }
            #expect(try await failure { try await connection.send(UpstreamRequest("/")) }.code == .queueFull)
            await connection.close()
            #expect(try await failure { try await first.value }.isUnprocessed)
        }
    }

    // MARK: Proxies

    private func viaProxy(
        _ script: [Step], _ change: (inout UpstreamOptions) -> Void = { _ in }
    ) async throws -> Result<UpstreamAnswer, UpstreamError> {
        try await withRawServer(script) { server in
            var options = UpstreamOptions.patient
            options.proxy = try UpstreamProxy(parsing: "http://me:secret@127.0.0.1:\(server.port)")
            change(&options)
            let address = UpstreamAddress(host: "upstream.example", port: 443, isSecure: false)
            do throws(UpstreamError) {
                let connection = try await UpstreamConnection.open(address, options)
                let answer = try await connection.send(UpstreamRequest("/"))
                await connection.close()
                return .success(answer)
            } catch { return .failure(error) }
        }
    }

    @Test func `a proxy's tunnel is used`() async throws {
        let request = """
            CONNECT upstream.example:443 HTTP/1.1\r
            Host: upstream.example:443\r
            Proxy-Authorization: Basic bWU6c2VjcmV0\r
            \r\n
            """
        let response = Array("HTTP/1.1 200 Connection established\r\nVia: a\r\n\r\n".utf8)
        // The server's SETTINGS may arrive together with the proxy's response.
        let answer = try await viaProxy([
            Step(after: request, bytes: response + RawServer.settings),
            Step(after: "\u{1}\u{5}", bytes: RawServer.ok()),
        ]).get()
        #expect(answer.status == 200)
    }

    @Test(arguments: [
        ("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "407"), ("HTTP/1.1 502 Bad Gateway\r\n\r\n", "502"),
        ("SSH-2.0-OpenSSH\r\n", "did not answer with HTTP/1.1"), ("HTTP/1.1 abc\r\n\r\n", "did not answer"),
        ("HTTP/1.1 200 " + String(repeating: "a", count: 20_000), "did not answer"),
    ]) func `a proxy refuses`(response: String, words: String) async throws {
        guard case .failure(let error) = try await viaProxy([Step(after: "\r\n\r\n", bytes: Array(response.utf8))])
        else {
            Issue.record("expected an error")
            return
        }
        #expect(error.code == .proxy && error.seen.contains(words) && !error.description.contains("secret"), "\(error)")
    }

    @Test func `a proxy that is silent`() async throws {
        let result = try await viaProxy([]) { $0.times.proxy = .milliseconds(1) }
        guard case .failure(let error) = result else {
            Issue.record("expected an error")
            return
        }
        #expect(error.code == .timeout && error.seen.contains("CONNECT"))
    }
}
