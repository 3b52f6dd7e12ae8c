package import MockAPNsFormats
internal import MockAPNsRules

/// A push in the journal's memory as logs keep it, and back: the same bytes in the same order.
extension LoggedPush {
    /// The most bytes that may lie between two header fields; more than a signature that was removed.
    private static let longestGap = 1 << 20

    /// What a record becomes in a log, with its entry.
    init(_ record: RecordView, _ entry: JournalEntry, sentAt: Timestamp) {
        var scratch = PushColumns.Scratch()
        self = PushColumns.with(record, entry, sentAt: sentAt, in: &scratch) { LoggedPush($0) }
    }

    /// Copies a push out of the memory where it is.
    package init(_ columns: borrowing PushColumns) {
        self.init(seq: columns.seq, receivedAt: columns.receivedAt, answeredAt: columns.answeredAt)
        apnsID = columns.apnsID.text
        topic = columns.topic.text
        token = columns.token.text
        pushType = columns.pushType.text
        environment = columns.environment.text
        status = columns.status
        reason = columns.reason.text
        delivery = columns.delivery.text
        var fields: [Header] = []
        columns.visitHeaders { fields.append(Header(name: Array($0.bytes), value: Array($1.bytes))) }
        headers = fields
        body = Array(columns.body.bytes)
        facts = Array(columns.facts.bytes)
    }

    private func head(from facts: inout ArchiveReader) throws(ArchiveError) -> RecordHead {
        var head = RecordHead()
        head.seq = seq
        head.status = status
        head.receivedAt = Timestamp(microseconds: receivedAt)
        guard let environment = Environment(rawValue: environment) else { throw .badValue }
        head.environment = environment
        head.sentAt = try facts.read()
        head.clockTime = try facts.read()
        head.connectionID = try facts.read()
        head.streamID = try facts.read()
        head.requestOnConnection = try facts.read()
        head.place = try facts.read()
        head.generation = try facts.read()
        head.headerBlockLength = try facts.read()
        head.bodyLength = try facts.read()
        head.id = try facts.read()
        let reason = Reason(name: reason)
        guard (reason == nil) == self.reason.isEmpty else { throw .badValue }
        head.verdict = Verdict(reason: reason, decidedBy: try facts.read())
        head.verification = try facts.read()
        head.isBinary = try facts.read()
        head.packet = try facts.read()
        head.service = try facts.read()
        head.hasContentType = try facts.read()
        head.uniqueID = try facts.read()
        head.routing = try facts.read()
        head.faultEffect = FaultMark.Effect(rawValue: try facts.read())
        head.faultNumber = try facts.read()
        head.issuedAt = try facts.read()
        head.deadSince = try facts.read()
        head.impliesTopic = try facts.read()
        return head
    }

    /// Returns the record as it was in the journal's memory, and its entry with its first step.
    func record() throws(ArchiveError) -> (words: ContiguousArray<UInt64>, entry: JournalEntry) {
        var facts = try ArchiveReader(facts)
        var head = try head(from: &facts)
        let hasDuplicates = try facts.read(Bool.self)
        let gaps = try facts.read([Int].self)
        let isGap = gaps.allSatisfy { (0...Self.longestGap).contains($0) } && gaps.reduce(0, &+) <= Self.longestGap
        guard headers.count <= RecordHead.mostFields, isGap, gaps.isEmpty || gaps.count == headers.count else {
            throw .badValue
        }
        var texts: [[UInt8]] = []
        for _ in head.textLengths {
            let text = try facts.byteString()
            guard text.count <= Int(UInt16.max) else { throw .badValue }
            texts.append(text)
        }
        var entry = JournalEntry(seq: seq, at: answeredAt, offset: 0)
        entry.place = try facts.read()
        entry.generation = try facts.read()
        entry.first = try facts.read()
        entry.state = entry.first.flatMap { $0.row.state == nil ? nil : $0 }
        entry.appState = try facts.read()
        entry.allowsNotifications = try facts.read()
        try facts.finish()

        var fields: [HeaderField] = []
        fields.reserveCapacity(headers.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headers.reduce(body.count + 64) { $0 + $1.name.count + $1.value.count })
        var index = HeaderIndex()
        for (position, header) in headers.enumerated() {
            let name = header.name.withUnsafeBufferPointer { HeaderName(ByteSpan($0)) }
            index.note(name, at: position)
            fields.append(
                HeaderField(name: name, at: bytes.count, nameLength: header.name.count, valueLength: header.value.count)
            )
            if name == .other { bytes += header.name }
            bytes += header.value
            if !gaps.isEmpty { bytes += [UInt8](repeating: 0, count: gaps[position]) }
        }
        guard bytes.count + body.count < 1 << 30 else { throw .badValue }
        index.hasDuplicates = hasDuplicates
        head.index = index
        head.fieldCount = UInt16(fields.count)
        head.headerBytes = UInt32(bytes.count)
        bytes += body
        for text in texts { bytes += text }
        head.bodyKept = UInt32(body.count)
        head.textLengths = texts.map { UInt16($0.count) }
        return (head.record(fields, bytes), entry)
    }
}

extension RecordHead {
    /// The lengths of the texts after the body, in their order.
    var textLengths: [UInt16] {
        get { [keyIDLength, teamIDLength, problemLength, addedLength, certificateLength, answerLength] }
        set {
            (keyIDLength, teamIDLength, problemLength) = (newValue[0], newValue[1], newValue[2])
            (addedLength, certificateLength, answerLength) = (newValue[3], newValue[4], newValue[5])
        }
    }

    /// Returns the record with this head, whose lengths are those of the parts.
    fileprivate func record(_ fields: [HeaderField], _ bytes: [UInt8]) -> ContiguousArray<UInt64> {
        var head = self
        head.length = UInt32(computedLength)
        var words = ContiguousArray<UInt64>(repeating: 0, count: computedLength / MemoryLayout<UInt64>.stride)
        words.withUnsafeMutableBytes { memory in
            guard let start = memory.baseAddress else { return }
            start.initializeMemory(as: RecordHead.self, to: head)
            let fieldsStart = start + MemoryLayout<RecordHead>.stride
            fields.withUnsafeBytes {
                if let first = $0.baseAddress { fieldsStart.copyMemory(from: first, byteCount: $0.count) }
            }
            let bytesStart = fieldsStart + fields.count * MemoryLayout<HeaderField>.stride
            bytes.withUnsafeBytes {
                if let first = $0.baseAddress { bytesStart.copyMemory(from: first, byteCount: $0.count) }
            }
        }
        return words
    }
}

extension LoggedPush: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(seq)
        archive.write(receivedAt)
        archive.write(answeredAt)
        for text in [apnsID, topic, token, pushType, environment, reason, delivery] { archive.write(text) }
        archive.write(status)
        archive.write(count: headers.count)
        for header in headers {
            archive.write(bytes: header.name)
            archive.write(bytes: header.value)
        }
        archive.write(bytes: body)
        archive.write(bytes: facts)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(seq: try archive.read(), receivedAt: try archive.read(), answeredAt: try archive.read())
        apnsID = try archive.read()
        topic = try archive.read()
        token = try archive.read()
        pushType = try archive.read()
        environment = try archive.read()
        reason = try archive.read()
        delivery = try archive.read()
        status = try archive.read()
        for _ in 0..<(try archive.count()) {
            headers.append(Header(name: try archive.byteString(), value: try archive.byteString()))
        }
        body = try archive.byteString()
        facts = try archive.byteString()
    }
}
