import MockAPNsAPI
import MockAPNsFormats
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// What people write beside pushes.
struct PushNoteTests {
    private func note(_ fixture: Fixture, _ path: String = "seq:1") async -> JSONValue? {
        await fixture.get("/api/v1/pushes/\(path)").json["note"]
    }

    @Test func `a note is in the record until it is removed`() async throws {
        try await withFixture { fixture in
            for _ in 0..<2 { fixture.publish(PushDraft()) }
            #expect(await note(fixture) == .null)
            let text = #"fails \"here\" <b>"#
            let answer = await fixture.send("PATCH", "/api/v1/pushes/seq:1", #"{"note":"\#(text)"}"#)
            #expect(answer.status == 200)
            #expect(SchemaCheck.strict.complaints(answer.json, as: "Push") == [])
            #expect(await note(fixture) == #"fails "here" <b>"#)
            #expect(await note(fixture, "seq:4") == .null)
            _ = await fixture.send("PATCH", "/api/v1/pushes/seq:1", #"{"note":"another"}"#)
            #expect(await note(fixture) == "another")
            #expect(await fixture.send("PATCH", "/api/v1/pushes/seq:1", #"{"note":null}"#).status == 200)
            #expect(await note(fixture) == .null)
        }
    }

    @Test func `a note is exported, and imported with its push`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            _ = await fixture.send("PATCH", "/api/v1/pushes/seq:1", #"{"note":"from there"}"#)
            let exported = await fixture.get("/api/v1/pushes/seq:1").json
            let line = String(decoding: exported.text, as: UTF8.self)
            #expect(await fixture.send("POST", "/api/v1/pushes/import", line).status == 201)
            let copy = "seq:\(fixture.journal.extent.lastSeq - 2)"
            #expect(await note(fixture, copy) == "from there")
            _ = await fixture.send("PATCH", "/api/v1/pushes/\(copy)", #"{"note":"from here"}"#)
            #expect(await note(fixture, copy) == "from here")
            _ = await fixture.send("PATCH", "/api/v1/pushes/\(copy)", #"{"note":null}"#)
            #expect(await note(fixture, copy) == .null)
            #expect(await note(fixture) == "from there")
        }
    }

    @Test func `a reset of pushes removes notes`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            _ = await fixture.send("PATCH", "/api/v1/pushes/seq:1", #"{"note":"gone"}"#)
            let journal = fixture.journal
            #expect(journal.note(on: 1, epoch: 1) == .some("gone"))
            _ = await fixture.send("POST", "/api/v1/reset", #"{"only":["pushes"]}"#)
            #expect(journal.note(on: 1, epoch: 2) == nil)
            journal.setNote("late", on: 1, epoch: 1)
            #expect(journal.note(on: 1, epoch: 2) == nil)
            journal.setNote("new", on: 5, epoch: 2)
            #expect(journal.note(on: 5, epoch: 2) == .some("new"))
        }
    }

    @Test func `keeps the notes of 10,000 pushes`() async throws {
        try await withFixture { fixture in
            let journal = fixture.journal
            for push in 1...10_001 as ClosedRange<UInt64> { journal.setNote("n", on: push, epoch: 1) }
            #expect(journal.note(on: 1, epoch: 1) == nil)
            #expect(journal.note(on: 10_001, epoch: 1) == .some("n"))
        }
    }

    @Test(arguments: [
        (#"{}"#, 200), (#"{"note":7}"#, 400), (#"{"note":""}"#, 400), (#"{"notes":"a"}"#, 400), ("", 400),
        (#"{"note":"\#(String(repeating: "x", count: 1_001))"}"#, 422),
        (#"{"note":"\#(String(repeating: "x", count: 1_000))"}"#, 200),
    ]) func `an invalid note is refused`(body: String, status: Int) async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            #expect(await fixture.send("PATCH", "/api/v1/pushes/seq:1", body).status == status)
            #expect(await fixture.send("PATCH", "/api/v1/pushes/seq:9", body).status == 404)
        }
    }
}
