import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsWorld

/// Until when a notification may wait for its device.
@Suite struct StorableUntilTests {
    /// What `apns-expiration` says, when the push came, and until when it may wait.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let header: String?
        let now: Int64
        let expected: Int64?

        init(_ testDescription: String, _ header: String?, at now: Int64 = Row.now, _ expected: Int64?) {
            self.testDescription = testDescription
            self.header = header
            self.now = now
            self.expected = expected
        }

        static let second: Int64 = 1_000_000
        static let month = 30 * 86_400 * second
        static let now = 1_754_402_113 * second
    }

    static let rows = [
        Row("no header", nil, Row.now + Row.month), Row("no header, at the beginning of time", nil, at: 0, Row.month),
        Row("no header, before that", nil, at: -Row.second, Row.month - Row.second), Row("0: one attempt", "0", nil),
        Row("0 at the beginning of time", "0", at: 0, nil),
        Row("0 before that is still one attempt", "0", at: -Row.second, nil), Row("1970", "1", nil),
        Row("an interval in the place of a time", "300", nil), Row("a second ago", "1754402112", nil),
        Row("now", "1754402113", nil), Row("now, a microsecond before", "1754402113", at: Row.now - 1, Row.now),
        Row("now, a microsecond after", "1754402113", at: Row.now + 1, nil),
        Row("in a second", "1754402114", Row.now + Row.second),
        Row("in a second, leading zeros", "0001754402114", Row.now + Row.second),
        Row("in an hour", "1754405713", Row.now + 3_600 * Row.second),
        Row("a second before 30 days are over", "1756994112", Row.now + Row.month - Row.second),
        Row("in 30 days", "1756994113", Row.now + Row.month),
        Row("a second after 30 days", "1756994114", Row.now + Row.month),
        Row("milliseconds in the place of seconds", "1754402113000", Row.now + Row.month),
        Row("the largest that fits microseconds", "9223372036854", Row.now + Row.month),
        Row("one more", "9223372036855", Row.now + Row.month),
        Row("the largest number", "9223372036854775807", Row.now + Row.month),
    ]

    @Test(arguments: rows) func `apns-expiration says until when a push may be stored`(_ row: Row) throws {
        let expiration = try row.header.map { header in
            try #require(Array(header.utf8).withUnsafeBufferPointer { Expiration(ByteSpan($0)) })
        }
        let now = Timestamp(microseconds: row.now)
        #expect(Notification.storableUntil(expiration, at: now) == row.expected)
    }

    /// A record says the same of its request, on the world's clock.
    @Test(arguments: rows) func `a record has the same end as the header it was made from`(_ row: Row) {
        var draft = Draft.push()
        if let header = row.header { draft.fields.append(Draft.Field("apns-expiration", header)) }
        let batch = RecordBatch()
        draft.append(to: batch)
        let record = RecordView(at: batch.bytes.baseAddress!)
        let notification = record.notification(at: Timestamp(microseconds: row.now))
        #expect(notification.storableUntil == row.expected)
    }

    /// Against the sentence in the documents, read word by word.
    @Test func `it agrees with a naive reader`() {
        var random = Generator(seed: 5)
        var counts = [0, 0, 0]
        for _ in 0..<20_000 {
            let now = Int64(random.number(1...4_000_000_000)) * Row.second + Int64(random.number(0...999_999))
            let distance = random.pick([2, 100_000, 2_592_002, 4_000_000_000])
            let seconds = max(0, now / Row.second + Int64(random.number(-distance...distance)))
            let text = "\(seconds)"
            let expiration = Array(text.utf8).withUnsafeBufferPointer { Expiration(ByteSpan($0)) }
            let end = Notification.storableUntil(expiration, at: Timestamp(microseconds: now))
            if seconds == 0 || seconds * Row.second <= now {
                counts[0] += 1
                #expect(end == nil)
            } else if seconds * Row.second < now + Row.month {
                counts[1] += 1
                #expect(end == seconds * Row.second)
            } else {
                counts[2] += 1
                #expect(end == now + Row.month)
            }
        }
        #expect(counts.allSatisfy { $0 > 500 })
    }
}
