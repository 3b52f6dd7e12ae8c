import Testing

@testable import MockAPNsInspector

@Suite struct ReadinessTests {
    @Test func `ready means that every listener is bound`() async throws {
        try await withFixture { fixture in
            let url = fixture.server.listeners[0].url
            try Golden.expect(await fixture.get("/readyz"), is: "not-ready")
            #expect(await fixture.get("/readyz").status == 503)
            fixture.readiness.markBound(["api"])
            let half = await fixture.get("/readyz")
            #expect(half.status == 503)
            #expect(half.text("detail") == "Not bound yet: \(url).")
            fixture.readiness.markBound([url])
            #expect(await fixture.get("/readyz").status == 200)
            try Golden.expect(await fixture.get("/readyz"), is: "ready")
            fixture.readiness.markStopping()
            let stopping = await fixture.get("/readyz")
            #expect(stopping.status == 503)
            #expect(stopping.text("stopping") == "true")
            #expect(await fixture.get("/livez").status == 200)
        }
    }

    @Test func `a listener that was not awaited is listed`() {
        let readiness = Readiness(awaiting: ["a"])
        readiness.markBound(["b"])
        #expect(!readiness.state.isReady)
        readiness.markBound()
        #expect(readiness.state.isReady)
        #expect(readiness.state.listeners.map(\.name) == ["a", "b"])
    }
}
