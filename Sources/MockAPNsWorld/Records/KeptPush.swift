package import MockAPNsFormats
package import MockAPNsRules

/// What a store keeps of a push, and gives back: its record in memory of its own, its entry, and what happened later.
package struct KeptPush: Sendable {
    let words: ContiguousArray<UInt64>
    let entry: JournalEntry
    /// The number of the change that added it; 0 unless a store has it.
    package let position: UInt64
    /// The later steps of its notification, by ascending number.
    package var steps: [LoggedStep] = []
    /// What became of the broadcast, encoded; `nil` for other pushes.
    package var fanOut: [UInt8]?

    /// The number of the push.
    package var seq: UInt64 { entry.seq }

    /// Copies a record that was sent at `sentAt`; `position` is that of the change that added it.
    init(_ record: RecordView, _ entry: JournalEntry, sentAt: Timestamp, at position: UInt64 = 0) {
        let length = Int(record.head.length)
        words = Self.words(length) { memory in
            memory.copyMemory(from: UnsafeRawBufferPointer(start: record.start, count: length))
            let head = memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: RecordHead.self)
            head.pointee.seq = entry.seq
            head.pointee.sentAt = sentAt
        }
        (self.entry, self.position) = (entry, position)
    }

    /// Copies the first record of a batch as one that was published at a time; `nil` if there is none.
    package init?(
        _ batch: RecordBatch, seq: UInt64, at time: WorldClock.Reading, first: DeliveryEvent? = nil,
        position: UInt64 = 0
    ) {
        guard !batch.isEmpty, let start = batch.bytes.baseAddress else { return nil }
        var entry = JournalEntry(seq: seq, at: time.world.microseconds, offset: 0)
        if let first { entry.note(first, isFirst: true, in: nil) }
        self.init(RecordView(at: start), entry, sentAt: time.system, at: position)
    }

    /// Reads a push from the columns `PushColumn.read` of its row, without what happened later.
    package init(
        seq: UInt64, at position: UInt64 = 0, receivedAt: Int64, answeredAt: Int64, reason: ByteSpan, headers: ByteSpan,
        body: ByteSpan, facts: ByteSpan
    ) throws(ArchiveError) {
        guard seq < Int64.max else { throw .badMember("its number is \(seq), expected less than 2^63") }
        var (head, kept) = try Self.read(facts)
        head.seq = seq
        head.receivedAt = Timestamp(microseconds: receivedAt)
        if !reason.isEmpty {
            head.reason = Reason(name: reason.text)
            guard head.reason != nil else { throw .badMember("its reason is unknown: \(reason.text)") }
        }
        let fields = try HeaderText.read(headers)
        guard fields.fields.count == Int(head.fieldCount) else {
            throw .badMember("it has \(fields.fields.count) headers, expected \(head.fieldCount)")
        }
        guard body.count < 1 << 30 else {
            throw .badMember("its body has \(body.count) bytes, expected less than 2^30")
        }
        head.index = fields.index
        head.index.hasDuplicates = head.hasDuplicates
        head.headerBytes = UInt32(fields.bytes.count)
        head.bodyKept = UInt32(body.count)
        let length = head.computedLength
        head.length = UInt32(length)
        let texts = facts.dropFirst(RecordHead.keptSize + KeptEntry.size)
        words = Self.words(length) { memory in
            var end = 0
            func add(_ bytes: UnsafeRawBufferPointer) {
                UnsafeMutableRawBufferPointer(rebasing: memory[end..<end + bytes.count]).copyMemory(from: bytes)
                end += bytes.count
            }
            withUnsafeBytes(of: head) { add($0) }
            // `size` may be less than `stride`.
            end = MemoryLayout<RecordHead>.stride
            fields.fields.withUnsafeBytes { add($0) }
            fields.bytes.withUnsafeBytes { add($0) }
            add(UnsafeRawBufferPointer(body.bytes))
            add(UnsafeRawBufferPointer(texts.bytes))
        }
        (entry, self.position) = (kept.entry(seq: seq, at: answeredAt), position)
    }

    /// Checks the bytes that a store has kept, and copies them.
    private static func read(_ facts: ByteSpan) throws(ArchiveError) -> (head: RecordHead, entry: KeptEntry) {
        let bytes = UnsafeRawBufferPointer(facts.bytes)
        guard let first = RecordHead.layout.first, !bytes.isEmpty else { throw .cutShort }
        // Another version may be shorter.
        try first.check(bytes)
        let fixed = RecordHead.keptSize + KeptEntry.size
        guard bytes.count >= fixed else { throw .cutShort }
        for member in RecordHead.layout { try member.check(bytes) }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[RecordHead.keptSize..<fixed])
        for member in KeptEntry.layout { try member.check(rest) }
        var head = RecordHead()
        withUnsafeMutableBytes(of: &head) { head in
            head.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<RecordHead.keptSize]))
        }
        guard bytes.count - fixed == head.textsLength else {
            throw .badMember("its texts have \(bytes.count - fixed) bytes, expected \(head.textsLength)")
        }
        return (head, rest.loadUnaligned(as: KeptEntry.self))
    }

    /// Fills zeroed memory of a length in bytes.
    private static func words(_ length: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) -> ContiguousArray<UInt64>
    {
        var words = ContiguousArray<UInt64>(repeating: 0, count: length / MemoryLayout<UInt64>.stride)
        words.withUnsafeMutableBytes { fill($0) }
        return words
    }

    /// Calls `use` with the record in place.
    func withRecord<Result, Failure>(_ use: (RecordView) throws(Failure) -> Result) throws(Failure) -> Result {
        try words.withUnsafeBufferPointer { words throws(Failure) in
            // A record has a head, so there is memory.
            try use(RecordView(at: UnsafeRawPointer(words.baseAddress.unsafelyUnwrapped)))
        }
    }
}

extension KeptPush {
    /// When the request was complete, in microseconds of the system's clock.
    package var receivedAt: Int64 { withRecord { $0.head.receivedAt.microseconds } }

    /// The `apns-id` of the response.
    package var apnsID: String? { withRow { $0.apnsID.isEmpty ? nil : $0.apnsID.text } }
}

/// Without what happened later, and without the change that added it.
extension KeptPush: Archived {
    package func write(to archive: inout ArchiveWriter) {
        withRow { row in
            archive.write(number: row.seq)
            archive.write(signed: row.receivedAt)
            archive.write(signed: row.answeredAt)
            for part in [row.reason, row.headers, row.body, row.facts] { archive.write(bytes: part.bytes) }
        }
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        let (seq, receivedAt, answeredAt) = (try archive.number(), try archive.signed(), try archive.signed())
        let (reason, headers) = (try archive.byteString(), try archive.byteString())
        let (body, facts) = (try archive.byteString(), try archive.byteString())
        self = try reason.withUnsafeBufferPointer { reason throws(ArchiveError) in
            try headers.withUnsafeBufferPointer { headers throws(ArchiveError) in
                try body.withUnsafeBufferPointer { body throws(ArchiveError) in
                    try facts.withUnsafeBufferPointer { facts throws(ArchiveError) in
                        try KeptPush(
                            seq: seq, receivedAt: receivedAt, answeredAt: answeredAt, reason: ByteSpan(reason),
                            headers: ByteSpan(headers), body: ByteSpan(body), facts: ByteSpan(facts))
                    }
                }
            }
        }
    }
}

extension KeptPush: Equatable {
    package static func == (first: KeptPush, second: KeptPush) -> Bool {
        first.archive == second.archive && first.position == second.position && first.steps == second.steps
            && first.fanOut == second.fanOut
    }
}
