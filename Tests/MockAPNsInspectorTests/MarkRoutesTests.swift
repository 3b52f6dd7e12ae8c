import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

struct MarkRoutesTests {
    private static let text = #"test \"shipsOrder\" <b>started</b>"#

    @Test func `a mark comes after the pushes that had arrived`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            let made = await fixture.send("POST", "/api/v1/marks", #"{"text":"\#(Self.text)"}"#)
            #expect(made.status == 201)
            try Golden.expect(made, is: "mark", volatile: ["at"])
            fixture.publish(PushDraft())
            let list = await fixture.get("/api/v1/marks")
            try Golden.expect(list, is: "marks", volatile: ["at"])
            #expect(list.json["marks"].entries.map { $0["seq"] } == [3])
            #expect(await fixture.get("/api/v1/marks?after=3").json["marks"].entries.count == 1)
            #expect(await fixture.get("/api/v1/marks?after=4").json["marks"].entries.isEmpty)
        }
    }

    @Test func `a mark has an event, and a reset of pushes removes it`() async throws {
        try await withFixture { fixture in
            let answer = await fixture.get("/api/v1/events?types=mark")
            guard case .events(let source) = answer.body else { return #expect(Bool(false), "no stream") }
            defer { source.close() }
            let made = await fixture.send("POST", "/api/v1/marks", #"{"text":"here"}"#)
            let event = try #require(await source.next()?.events.first)
            #expect(event.name == "mark")
            #expect(event.data.read == made.json)
            _ = await fixture.send("POST", "/api/v1/reset", #"{"only":["devices"]}"#)
            #expect(await fixture.get("/api/v1/marks").json["marks"].entries.count == 1)
            _ = await fixture.send("POST", "/api/v1/reset", #"{"only":["pushes"]}"#)
            #expect(await fixture.get("/api/v1/marks").json["marks"].entries.isEmpty)
        }
    }

    @Test(arguments: [
        (#"{}"#, 400), (#"{"text":7}"#, 400), (#"{"text":""}"#, 400), (#"{"texts":"a"}"#, 400),
        (#"{"text":null}"#, 400), (#"{"text":"\#(String(repeating: "x", count: 201))"}"#, 422),
        (#"{"text":"\#(String(repeating: "x", count: 200))"}"#, 201),
    ]) func `an invalid mark is refused`(body: String, status: Int) async throws {
        try await withFixture { fixture in
            #expect(await fixture.send("POST", "/api/v1/marks", body).status == status)
            #expect(fixture.server.world.marks.count == (status == 201 ? 1 : 0))
        }
    }

    @Test func `keeps the last 1,000 marks`() async throws {
        try await withFixture { fixture in
            let world = fixture.server.world
            for number in 1...1_001 { #expect(world.mark("m\(number)").number == UInt64(number)) }
            #expect(world.marks.count == 1_000)
            #expect(world.marks.first?.text == "m2")
            #expect(world.mark(number: 1) == nil)
            #expect(world.mark(number: 2)?.text == "m2")
            #expect(world.mark(number: 1_001)?.text == "m1001")
            #expect(world.mark(number: 1_002) == nil)
        }
    }
}
