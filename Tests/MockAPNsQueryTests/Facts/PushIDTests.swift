import Testing

@testable import MockAPNsQuery

@Suite struct PushIDTests {
    static let numbers: [UInt64] = [0, 1, 31, 32, 1_842, 1 << 20, (1 << 30) - 1]

    @Test(arguments: numbers, numbers + [1 << 40, (1 << 50) - 1]) func `an id is read back`(
        epoch: UInt64, seq: UInt64
    ) throws {
        let id = PushID(epoch: epoch, seq: seq)
        #expect(id.text.utf8.count == 20)
        #expect(PushID(id.text) == id)
    }

    @Test func `ids sort as pushes arrived`() {
        let ids = [(1, 1), (1, 2), (1, 31), (1, 32), (1, 99_999), (2, 1), (33, 0)].map { epoch, seq in
            PushID(epoch: epoch, seq: seq).text
        }
        #expect(ids == ids.sorted())
        #expect(ids[0] == "psh_0000010000000001")
    }

    static let refused = [
        "", "psh_", "psh_000001000000000", "psh_00000100000000011", "psh_000001000000000I", "psh_000001000000000l",
        "psh_00000100000000 1", "psh_000001000000000a", "PSH_0000010000000001", "dev_0000010000000001",
        "psh_000001000000é01", "psh_000001000000000é",
    ]

    @Test(arguments: refused) func `text that is not an id is refused`(text: String) { #expect(PushID(text) == nil) }

    static let references: [(String, PushReference?)] = [
        ("psh_0000010000000001", .id(PushID(epoch: 1, seq: 1))), ("seq:1842", .seq(1_842)), ("seq:", nil),
        ("seq:-1", nil), ("seq:+1", nil), ("seq:18446744073709551616", nil), ("SEQ:1", nil), ("1842", nil),
        ("apns:0C6B0000-0000-0000-0000-00000000abcd", .apnsID("0C6B0000-0000-0000-0000-00000000abcd")),
        ("apns:0c6b", nil), ("apns:", nil), ("", nil),
    ]

    @Test(arguments: references) func `a push is named by id, number and apns-id`(
        text: String, reference: PushReference?
    ) { #expect(PushReference(text) == reference) }
}
