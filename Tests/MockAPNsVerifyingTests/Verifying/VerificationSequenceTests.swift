import MockAPNs
import MockAPNsQuery
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsVerifying

@Suite struct VerificationSequenceTests {
    /// Titles of pushes, steps by their titles, and which pushes are the sequence: loosely, and strictly.
    static let rows: [(titles: String, steps: String, loose: [Int]?, strict: [Int]?)] = [
        ("abc", "abc", [0, 1, 2], [0, 1, 2]), ("abc", "ac", [0, 2], nil), ("abc", "bc", [1, 2], [1, 2]),
        ("abc", "cb", nil, nil), ("abc", "abcd", nil, nil), ("axab", "ab", [0, 3], [2, 3]),
        ("aab", "ab", [0, 2], [1, 2]), ("a", "aa", nil, nil), ("aa", "aa", [0, 1], [0, 1]), ("", "a", nil, nil),
        ("xaxb", "ab", [1, 3], nil), ("abab", "abab", [0, 1, 2, 3], [0, 1, 2, 3]),
    ]

    @Test(arguments: rows.indices, [false, true]) func `steps are found in their order`(
        row: Int, isStrict: Bool
    ) async throws {
        let row = Self.rows[row]
        try await withVerified { pushes in
            pushes.namespace.world.publish(row.titles.map { .titled(String($0)) })
            var ascending = PushQuery()
            ascending.order = .ascending
            let seqs = pushes.journal.pushes(ascending).pushes.map(\.seq)
            let sequence = VerificationSequence(
                steps: row.steps.map { .titled(String($0)) }, isStrict: isStrict, after: 0)
            let finding = try await sequence.verify(in: pushes, within: 0, Scan())
            let wanted = isStrict ? row.strict : row.loose
            #expect(finding.isComplete == (wanted != nil), "\(row) \(finding)")
            if let wanted {
                #expect(finding.matched == wanted.map { seqs[$0] }, "\(row)")
            } else if isStrict, row.loose != nil {
                #expect(finding.stranger != nil, "\(row)")
            }
        }
    }
}
