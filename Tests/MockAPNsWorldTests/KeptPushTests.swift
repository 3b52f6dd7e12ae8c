import Foundation
import MockAPNsFormats
import TestSupport
import Testing

@testable import MockAPNsRules
@testable import MockAPNsWorld

/// A record that went through a store is the same.
@Suite struct KeptPushTests {
    @Test(arguments: 1...40) func `a record comes back from a store`(seed: UInt64) throws {
        var random = Generator(seed: seed)
        let journal = Journal()
        journal.record((0..<20).map { _ in RoundTripTests.draft(&random) }, at: Draft.now)
        for found in journal.snapshot() {
            let kept = KeptPush(found.record, found.entry, sentAt: found.record.head.sentAt)
            let read = try KeptPush(archive: kept.archive)
            #expect(read == kept)
            Self.expect(read, equals: found)
        }
    }

    private static func expect(_ read: KeptPush, equals found: FoundRecord) {
        read.withRecord { view in
            #expect(view.head.length == found.record.head.length)
            // Memory between members has any value, so this compares what they say, and the bytes after the fields.
            #expect("\(view.head)" == "\(found.record.head)")
            let rest =
                Int(view.head.length) - MemoryLayout<RecordHead>.stride - Int(view.head.fieldCount)
                * MemoryLayout<HeaderField>.stride
            let end = found.record.start + Int(found.record.head.length)
            let bytes = UnsafeRawBufferPointer(start: view.start + Int(view.head.length) - rest, count: rest)
            #expect(bytes.elementsEqual(UnsafeRawBufferPointer(start: end - rest, count: rest)))
            view.withRequest { request in
                found.record.withRequest { other in
                    #expect(request.fields.map { "\($0)" } == other.fields.map { "\($0)" })
                }
            }
        }
        var entry = read.entry
        entry.offset = found.entry.offset
        (entry.hasMore, entry.isRemoved) = (found.entry.hasMore, found.entry.isRemoved)
        #expect("\(entry)" == "\(found.entry)")
    }

    // MARK: The layout

    /// Where the layout differs from the file, raise `RecordHead.layoutVersion`.
    ///
    /// `MOCK_APNS_WRITE_GOLDEN=1` writes it.
    @Test func `the layout and the places of cases are those of its version`() throws {
        func lines<Root>(_ name: String, _ layout: [LayoutMember<Root>]) -> [String] {
            layout.map { member in
                let values = member.values.map { " \($0.lowerBound)-\($0.upperBound)" } ?? ""
                return "\(name) \(member.offset) \(member.size) \(member.name)\(values)"
            }
        }
        func cases<Value: CaseIterable>(of type: Value.Type) -> [String] {
            Value.allCases.map { value in
                #expect(MemoryLayout<Value>.size == 1 && MemoryLayout<Value?>.size == 1)
                return "\(type) \(withUnsafeBytes(of: value) { $0[0] }) \(value)"
            } + ["\(type) \(withUnsafeBytes(of: Value?.none) { $0[0] }) none"]
        }
        let found =
            ["version \(RecordHead.layoutVersion)"] + lines("record", RecordHead.layout)
            + lines("entry", KeptEntry.layout) + cases(of: Environment.self) + cases(of: Service.self)
            + cases(of: TokenVerification.self) + cases(of: PushRouting.self) + cases(of: GatewayStatus.self)
            + cases(of: DeliveryEvent.self) + cases(of: AppState.self)
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/record.txt")
        if ProcessInfo.processInfo.environment["MOCK_APNS_WRITE_GOLDEN"] == "1" {
            try Data((found.joined(separator: "\n") + "\n").utf8).write(to: url)
        }
        let golden = try String(decoding: Data(contentsOf: url), as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(golden.count == found.count)
        for (line, known) in zip(found, golden) { #expect(line == known, "raise RecordHead.layoutVersion") }
        #expect(RecordHead.keptSize == 136 && KeptEntry.size == 12)
        #expect(MemoryLayout<KeptEntry>.size == KeptEntry.size)
    }

    // MARK: Bytes that nobody has written

    /// The columns of a row.
    private struct Row {
        var seq: UInt64
        var reason: [UInt8]
        var headers: [UInt8]
        var body: [UInt8]
        var facts: [UInt8]

        init(_ record: KeptPush) {
            self = record.withRow { row in
                Row(
                    seq: row.seq, reason: Array(row.reason.bytes), headers: Array(row.headers.bytes),
                    body: Array(row.body.bytes), facts: Array(row.facts.bytes))
            }
        }

        private init(seq: UInt64, reason: [UInt8], headers: [UInt8], body: [UInt8], facts: [UInt8]) {
            (self.seq, self.reason, self.headers, self.body, self.facts) = (seq, reason, headers, body, facts)
        }

        func read() throws -> KeptPush {
            try reason.withUnsafeBufferPointer { reason in
                try headers.withUnsafeBufferPointer { headers in
                    try body.withUnsafeBufferPointer { body in
                        try facts.withUnsafeBufferPointer { facts in
                            try KeptPush(
                                seq: seq, receivedAt: 5, answeredAt: 6, reason: ByteSpan(reason),
                                headers: ByteSpan(headers), body: ByteSpan(body), facts: ByteSpan(facts))
                        }
                    }
                }
            }
        }

        func problem() -> String? {
            do {
                _ = try read()
                return nil
            } catch { return "\(error)" }
        }
    }

    private static let row = Row(KeptPush.made(8))

    @Test func `a property out of its range is refused by name`() throws {
        #expect(Self.row.problem() == nil)
        func expect(_ name: String, at offset: Int, _ values: ClosedRange<UInt8>) {
            for byte in UInt8.min ... .max where !values.contains(byte) {
                var row = Self.row
                row.facts[offset] = byte
                let expected =
                    values.count == 1 ? "\(values.lowerBound)" : "\(values.lowerBound) to \(values.upperBound)"
                #expect(row.problem() == "\(name) is \(byte), expected \(expected)")
            }
        }
        var count = 0
        for member in RecordHead.layout {
            guard let values = member.values else { continue }
            expect(member.name, at: member.offset, values)
            count += 1
        }
        for member in KeptEntry.layout {
            guard let values = member.values else { continue }
            expect(member.name, at: RecordHead.keptSize + member.offset, values)
            count += 1
        }
        #expect(count == 19)
    }

    @Test func `a row of another version, or one that is cut short or too long, is refused`() {
        var row = Self.row
        row.facts = [2]
        #expect(row.problem() == "the layout is 2, expected 1")
        for end in Self.row.facts.indices {
            row.facts = Array(Self.row.facts[..<end])
            #expect(row.problem() != nil)
        }
        row.facts = Self.row.facts + [0]
        #expect(row.problem() == "its texts have 1 bytes, expected 0")
    }

    @Test func `parts that do not fit each other are refused`() {
        var row = Self.row
        row.headers = []
        #expect(row.problem() == "it has 0 headers, expected 4")
        row = Self.row
        row.headers.removeLast()
        #expect(row.problem() == "its headers end too early")
        row = Self.row
        row.reason = Array("Bad".utf8)
        #expect(row.problem() == "its reason is unknown: Bad")
        row = Self.row
        row.seq = .max
        #expect(row.problem() == "its number is \(UInt64.max), expected less than 2^63")
    }

    @Test(arguments: UInt64(1)...40) func `changed bytes give a record or an error`(seed: UInt64) throws {
        var random = Generator(seed: seed)
        let journal = Journal()
        journal.record(RoundTripTests.draft(&random))
        let found = try #require(journal.snapshot().first { _ in true })
        let whole = Row(KeptPush(found.record, found.entry, sentAt: Draft.now))
        for _ in 0..<300 {
            var changed = whole
            for _ in 0..<random.number(1...3) {
                changed.facts[random.number(0...changed.facts.count - 1)] = UInt8(truncatingIfNeeded: random.next())
            }
            if random.chance(oneIn: 4) { changed.facts.removeLast(random.number(1...changed.facts.count)) }
            if random.chance(oneIn: 4), !changed.headers.isEmpty {
                changed.headers[random.number(0...changed.headers.count - 1)] = UInt8(truncatingIfNeeded: random.next())
            }
            guard let read = try? changed.read() else { continue }
            // Everything that is shown of it can be made.
            let context = RecordContext(epoch: 1, answeredAt: Draft.now, connection: nil, delivery: nil)
            read.withRecord { view in
                let record = PushRecord(view, context)
                #expect(record.request.headers.count + (record.impliesTopic ? 1 : 0) >= Int(view.head.fieldCount))
            }
            #expect(try KeptPush(archive: read.archive) == read)
        }
    }
}
