import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

@Suite struct ConnectionRoutesTests {
    private func fill(_ fixture: Fixture) {
        fixture.open(1)
        let clear = fixture.open(2, tls: false)
        fixture.journal.connectionClosed(clear, at: Fixture.now, code: "closed-by-peer", detail: "end of stream")
        let failed = ConnectionRecord(
            id: 3, remoteAddress: "[::1]:51644", environment: .production, openedAt: Fixture.now)
        fixture.journal.connectionClosed(
            failed, at: Fixture.now, code: "tls-failure", detail: "tlsv1 alert unknown ca", hint: "give it ca.pem")
    }

    @Test func `connections have their shape, failed handshakes included`() async throws {
        try await withFixture { fixture in
            fill(fixture)
            try Golden.expect(await fixture.get("/api/v1/connections"), is: "connections")
        }
    }

    static let queries: [(String, [String])] = [
        ("", ["c3", "c2", "c1"]), ("order=asc", ["c1", "c2", "c3"]), ("state=open", ["c1"]),
        ("state=closed", ["c3", "c2"]), ("state=open&state=closed&limit=1", ["c3"]),
        ("limit=2&order=asc", ["c1", "c2"]),
    ]

    @Test(arguments: queries) func `connections are filtered by state`(query: String, ids: [String]) async throws {
        try await withFixture { fixture in
            fill(fixture)
            let answer = await fixture.get("/api/v1/connections?" + query)
            guard case .array(let found) = answer.json["connections"] else {
                Issue.record("no connections")
                return
            }
            #expect(found.map { $0["id"] } == ids.map { .string($0) })
            let lines = await fixture.get("/api/v1/connections?" + query, accept: "application/x-ndjson")
            #expect(lines.bytes.count { $0 == UInt8(ascii: "\n") } == ids.count)
        }
    }

    @Test(arguments: ["state=opened", "stat=open", "limit=x", "order="]) func `an invalid query is refused`(
        query: String
    ) async throws {
        try await withFixture { fixture in #expect(await fixture.get("/api/v1/connections?" + query).status == 400) }
    }
}
