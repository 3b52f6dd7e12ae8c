import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// The answer as a record shows it: what went over the wire, put together again.
@Suite struct AnswerTests {
    static let id = UniqueID(high: 0xf412_1b12_e0bf_3266, low: 0xf079_d925_3e98_bf49)
    static let uniqueID = UniqueID(high: 0x4084_a6e4_9ea8_6d2a, low: 0xca49_9a34_4a15_2da7)

    private func answer(_ draft: Draft, at now: Timestamp = Draft.now) throws -> PushRecord.Answer {
        let journal = Journal()
        journal.record(draft, at: now)
        return try #require(journal.push(seq: 1)).answer
    }

    private func headers(_ answer: PushRecord.Answer) -> [String] { answer.headers.map { "\($0.name): \($0.value)" } }

    @Test(arguments: Reason.allCases) func `every reason has its status and body`(reason: Reason) throws {
        var draft = Draft.push(reason: reason)
        draft.id = Self.id
        if reason.status == 410 { draft.deadSince = Timestamp(microseconds: 1_754_402_113_000_999) }
        let answer = try answer(draft)
        let timestamp = reason.status == 410 ? ",\"timestamp\":1754402113000" : ""
        #expect(answer.status == reason.status)
        #expect(answer.body == "{\"reason\":\"\(reason.name)\"\(timestamp)}")
        #expect(answer.id == "F4121B12-E0BF-3266-F079-D9253E98BF49")
        #expect(answer.uniqueID == nil)
        #expect(headers(answer) == ["apns-id: F4121B12-E0BF-3266-F079-D9253E98BF49"])
    }

    @Test(arguments: [(0, 0), (999, 0), (1_000, 1), (-1, 0), (1_754_402_113_123_456, 1_754_402_113_123)])
    func `a timestamp is in milliseconds`(microseconds: Int64, milliseconds: Int64) throws {
        var draft = Draft.push(reason: .unregistered)
        draft.deadSince = Timestamp(microseconds: microseconds)
        #expect(try answer(draft).body == "{\"reason\":\"Unregistered\",\"timestamp\":\(milliseconds)}")
    }

    @Test func `an accepted push has two IDs in order`() throws {
        var draft = Draft.push()
        (draft.id, draft.uniqueID) = (Self.id, Self.uniqueID)
        let answer = try answer(draft)
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        #expect(answer.id == "F4121B12-E0BF-3266-F079-D9253E98BF49")
        #expect(answer.uniqueID == "4084a6e4-9ea8-6d2a-ca49-9a344a152da7")
        #expect(
            headers(answer) == [
                "apns-id: F4121B12-E0BF-3266-F079-D9253E98BF49", "apns-unique-id: 4084a6e4-9ea8-6d2a-ca49-9a344a152da7",
            ])
    }

    @Test(arguments: ["9d3220fe-444b-633e-d1f1-5d0dcb4f537a", "9D3220FE-444B-633E-D1F1-5d0dcb4f537a"])
    func `an echoed ID keeps its letter case`(id: String) throws {
        for reason in [nil, Reason.badTopic] {
            var draft = Draft.push(reason: reason)
            draft.fields.insert(Draft.Field("apns-id", id), at: 1)
            draft.fields.append(Draft.Field("apns-id", "a second one that nobody echoes"))
            draft.id = nil
            let answer = try answer(draft)
            #expect(answer.id == id)
            #expect(headers(answer) == ["apns-id: \(id)"])
        }
    }

    @Test func `a generated ID comes before the one of the request`() throws {
        var draft = Draft.push(reason: .badMessageID)
        draft.fields.append(Draft.Field("apns-id", "not-a-uuid"))
        draft.id = Self.id
        #expect(try answer(draft).id == "F4121B12-E0BF-3266-F079-D9253E98BF49")
    }

    @Test func `a content type comes last`() throws {
        var draft = Draft.push(reason: .badTopic)
        draft.id = Self.id
        draft.hasContentType = true
        let answer = try answer(draft)
        #expect(headers(answer) == ["apns-id: F4121B12-E0BF-3266-F079-D9253E98BF49", "content-type: application/json"])
    }

    /// When it was is told by the world's clock, how long it took by the system's.
    @Test func `an answer has its times of both clocks`() throws {
        let journal = Journal()
        var draft = Draft.push()
        draft.world = Timestamp(seconds: 1_000)
        let batch = RecordBatch()
        draft.append(to: batch)
        Draft.push(reason: .badTopic).append(to: batch)
        let later = Timestamp(microseconds: Draft.now.microseconds + 250)
        journal.publish(batch, at: WorldClock.Reading(system: later, world: Timestamp(seconds: 2_000)))
        let records = journal.pushes(.with { _ in }).pushes
        #expect(records.map(\.answeredAt) == [Timestamp(seconds: 2_000), Timestamp(seconds: 2_000)])
        #expect(records.map(\.clockTime) == [Timestamp(seconds: 1_000), Draft.now])
        #expect(records.map(\.receivedAt) == [Draft.now, Draft.now])
        #expect(records.map(\.answer.microseconds) == [250, 250])
        let step = try #require(records.first?.delivery?.steps.first)
        #expect(step.event == .delivered && step.at == Timestamp(seconds: 2_000))
    }

    @Test(arguments: [(0, 0), (1, 1), (2_500_000, 2_500_000), (-5, 0)]) func `the time taken is never negative`(
        later: Int64, expected: Int64
    ) throws {
        let now = Timestamp(microseconds: Draft.now.microseconds + later)
        #expect(try answer(.push(), at: now).microseconds == expected)
    }
}
