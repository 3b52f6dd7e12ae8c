import MockAPNs
import MockAPNsRules
import MockAPNsTransport
import MockAPNsUpstream
import MockAPNsWorld
import TestSupport
import Testing

/// The client against a server of this package, healthy and with faults.
struct ServerTests {
    @Test func `a push is answered over TLS`() async throws {
        try await withUpstream { upstream in
            let connection = try await upstream.open()
            let answer = try await connection.send(upstream.push())
            #expect(answer.status == 200 && answer.body.isEmpty && answer.attempts == 1 && answer.stream == 1)
            #expect(answer.headers.map(\.name) == ["apns-id", "apns-unique-id"])
            #expect(answer.times.sent <= answer.times.status && answer.times.status <= answer.times.end)
            var bad = upstream.push("zz")
            bad.headers.removeFirst()
            let refused = try await connection.send(bad)
            #expect(refused.status == 403)
            #expect(String(decoding: refused.body, as: UTF8.self) == #"{"reason":"MissingProviderToken"}"#)
            let facts = await connection.facts
            #expect(facts.tlsVersion == "TLSv1.3" && facts.requests == 2 && facts.end == nil && facts.goAways.isEmpty)
            #expect(facts.settings.contains(UpstreamFacts.Setting(id: 3, value: 1)))
            #expect(try await connection.ping() >= .zero)
            await connection.close()
            let late = try await failure { try await connection.send(upstream.push()) }
            #expect(late.code == .closed && late.isUnprocessed)
        }
    }

    @Test func `one stream is used until the first accepted push`() async throws {
        try await withUpstream { upstream in
            let connection = try await upstream.open()
            let answers = try await withThrowingTaskGroup(of: UpstreamAnswer.self) { group in
                for _ in 0..<200 { group.addTask { try await connection.send(upstream.push()) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == 200 && answers.allSatisfy { $0.status == 200 })
            #expect(Set(answers.map(\.stream)).count == 200)
        }
    }

    @Test func `large bodies pass flow control`() async throws {
        try await withUpstream { upstream in
            let connection = try await upstream.open()
            let body = String(repeating: "x", count: 200_000)
            let answer = try await connection.send(upstream.push(body: body))
            #expect(answer.status == 413)
            #expect(try await connection.send(upstream.push()).status == 200)
        }
    }

    @Test func `a certificate of a stranger or for another host is refused`() async throws {
        try await withUpstream { upstream in
            var options = upstream.options
            options.tls = try ClientTLSContext()
            let stranger = try await failure { try await UpstreamConnection.open(upstream.address, options) }
            #expect(stranger.code == .verify && stranger.isUnprocessed && stranger.description.contains("localhost"))
            for (fault, code) in [
                (FaultAction.Handshake.wrongHost, UpstreamError.Code.verify), (.expiredCertificate, .verify),
                (.noApplicationProtocol, .alpn), (.alert(40), .tls),
            ] {
                _ = upstream.server.world.faults.removeAll()
                try upstream.add(.handshake(fault))
                let error = try await failure { try await upstream.open() }
                #expect(error.code == code && error.isUnprocessed, "\(fault): \(error)")
            }
        }
    }

    /// What a request gets by each fault.
    struct Case: CustomTestStringConvertible, Sendable {
        let action: FaultAction
        let code: UpstreamError.Code?
        var isUnprocessed = false
        var status = 200
        var testDescription: String { "\(action)" }
    }

    private static let cases = [
        Case(action: .respond(FaultAction.Response(.tooManyRequests)), code: nil, status: 429),
        Case(action: .respond(FaultAction.Response(status: 599, reason: nil)), code: nil, status: 599),
        Case(action: .resetStream(.refusedStream), code: .refused, isUnprocessed: true),
        Case(action: .resetStream(.internalError), code: .reset), Case(action: .resetStream(.noError), code: .reset),
        Case(action: .delay(FaultAction.Delay(1_000)), code: nil), Case(action: .connection(.rst), code: .closed),
        Case(action: .connection(.fin), code: .closed),
        Case(action: .goAway(FaultAction.GoAway(debug: #"{"reason":"Shutdown"}"#)), code: nil),
        Case(action: .duplicate, code: nil), Case(action: .slow(1_000), code: nil),
    ]

    @Test(arguments: cases) func `each fault has its result`(_ fault: Case) async throws {
        try await withUpstream { upstream in
            try upstream.add(fault.action) { $0.times = 1 }
            let connection = try await upstream.open()
            do throws(UpstreamError) {
                let answer = try await connection.send(upstream.push())
                #expect(fault.code == nil && answer.status == fault.status)
            } catch { #expect(error.code == fault.code && error.isUnprocessed == fault.isUnprocessed, "\(error)") }
        }
    }

    /// The first connection fails in a way that says that nothing was processed.
    @Test func `a pool sends unprocessed requests again`() async throws {
        try await withUpstream { upstream in
            try upstream.add(.resetStream(.refusedStream)) { $0.times = 1 }
            let pool = UpstreamPool(upstream.address, upstream.options)
            let answer = try await pool.send(upstream.push())
            #expect(answer.status == 200 && answer.attempts == 2)
            #expect(try await pool.send(upstream.push()).attempts == 1)
            await pool.close()
            #expect(try await failure { try await pool.send(upstream.push()) }.code == .closed)
        }
    }

    @Test func `a pool sends nothing again that may have been processed`() async throws {
        try await withUpstream { upstream in
            try upstream.add(.connection(.rst)) { $0.times = 1 }
            let pool = UpstreamPool(upstream.address, upstream.options)
            let error = try await failure { try await pool.send(upstream.push()) }
            #expect(error.code == .closed && !error.isUnprocessed)
            #expect(upstream.server.world.journal.pushes(PushQuery()).pushes.count == 1)
            await pool.close()
        }
    }

    @Test func `a pool has bounds`() async throws {
        try await withUpstream { upstream in
            var limits = UpstreamPool.Limits()
            limits.requests = 1
            try upstream.add(.connection(.stall)) { $0.times = 1 }
            let pool = UpstreamPool(upstream.address, upstream.options, limits: limits)
            let first = Task { try await pool.send(upstream.push()) }
            await eventually { upstream.server.world.journal.pushes(PushQuery()).pushes.count == 1 }
            #expect(try await failure { try await pool.send(upstream.push()) }.code == .queueFull)
            first.cancel()
            #expect(try await failure { try await first.value }.code == .cancelled)
            await pool.close()
        }
    }

    @Test func `silence ends at the limit of its stage`() async throws {
        try await withUpstream { upstream in
            try upstream.add(.connection(.stall))
            let connection = try await upstream.open { $0.times.answer = .milliseconds(1) }
            let error = try await failure { try await connection.send(upstream.push()) }
            #expect(error.code == .timeout)
        }
    }
}
