import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsWorld

/// Records by the `apns-id` of their answers: the fast search against what the records themselves say.
@Suite struct RecordIDTests {
    private static let texts = [
        "9d3220fe-444b-633e-d1f1-5d0dcb4f537a", "9D3220FE-444B-633E-D1F1-5D0DCB4F537A",
        "f4121b12-E0BF-3266-f079-d9253e98bf49", "00000000-0000-0000-0000-000000000000",
        "00000000-0000-0000-0000-000000000001", "no-id", "", "é",
    ]
    private static let ids = [
        UniqueID(high: 0x9d32_20fe_444b_633e, low: 0xd1f1_5d0d_cb4f_537a),
        UniqueID(high: 0xf412_1b12_e0bf_3266, low: 0xf079_d925_3e98_bf49), UniqueID(high: 0, low: 1),
        UniqueID(high: 1, low: 0),
    ]
    private static let asked =
        texts + [
            "9d3220fe-444b-633e-d1f1-5d0dcb4f537", "9d3220fe-444b-633e-d1f1-5d0dcb4f537a0",
            "9d3220fe444b633ed1f15d0dcb4f537a", "00000000-0000-0001-0000-000000000000",
            "00000000-0000-0000-0000-000000000002", "NO-ID", "É",
        ]

    /// What was asked for in the request does not count where the answer had another id, or none.
    @Test func `a record is found only by the ID of its answer`() throws {
        let asked = Self.texts[0]
        var replaced = Draft.lone()
        replaced.fields.append(Draft.Field("apns-id", asked))
        replaced.id = Self.ids[1]
        var refusedByTransport = Draft.lone()
        refusedByTransport.fields.append(Draft.Field("apns-id", asked))
        (refusedByTransport.id, refusedByTransport.status) = (nil, 431)
        var reset = refusedByTransport
        reset.status = 0
        for draft in [replaced, refusedByTransport, reset] {
            let journal = Journal()
            journal.record(draft)
            #expect(journal.push(seq: 1)?.answer.id?.lowercased() != asked)
            #expect(journal.push(apnsID: asked) == nil, "status \(draft.status ?? 200)")
        }
    }

    /// In the oldest segment as well as in the newest.
    @Test func `the newest of several is found`() {
        let journal = Journal()
        var draft = Draft.lone(body: String(repeating: "x", count: 100_000))
        for round in 1...12 {
            draft.id = round == 1 ? Self.ids[1] : Self.ids[0]
            journal.record(draft)
        }
        #expect(journal.snapshot().stretches.count > 2)
        #expect(journal.push(apnsID: Self.texts[2])?.seq == .record(1))
        #expect(journal.push(apnsID: Self.texts[0])?.seq == .record(12))
        #expect(journal.push(apnsID: Self.texts[1])?.seq == .record(12))
    }

    @Test(arguments: 1...20) func `the search agrees with the records`(seed: UInt64) {
        var random = Generator(seed: seed)
        let journal = Journal(capacity: Journal.Capacity(records: 40))
        for _ in 0..<20 {
            journal.record((0..<random.number(1...4)).map { _ in Self.draft(&random) })
            let records = journal.pushes(.with { $0.limit = .max }).pushes
            for (found, record) in zip(journal.snapshot(), records) {
                for id in Self.asked.map({ $0.lowercased() }) {
                    #expect(found.record.hasID(id) == (record.answer.id?.lowercased() == id))
                }
                #expect(found.entry.seq == record.seq)
            }
            for id in Self.asked {
                let newest = records.last { $0.answer.id?.lowercased() == id.lowercased() }
                #expect(journal.push(apnsID: id)?.seq == newest?.seq)
            }
        }
    }

    private static func draft(_ random: inout Generator) -> Draft {
        var draft = random.number(0...1) == 0 ? Draft.push() : .lone()
        for _ in 0..<random.pick([0, 1, 1, 2]) { draft.fields.append(Draft.Field("apns-id", random.pick(texts))) }
        draft.id = random.number(0...1) == 0 ? random.pick(ids) : nil
        switch random.number(0...5) {
        case 0: draft.status = random.pick([0, 413, 431])
        case 1, 2: draft.verdict = Verdict(reason: random.pick(Reason.allCases), decidedBy: 1)
        default: break
        }
        return draft
    }
}
