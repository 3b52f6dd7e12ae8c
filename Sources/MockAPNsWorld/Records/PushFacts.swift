internal import MockAPNsFormats
internal import MockAPNsRules

/// Everything about a push that has no column in a log, encoded.
///
/// Each value is written by its exact function, not by those for any type: those cost more than all the rest of a push.
enum PushFacts {
    static func write(_ record: RecordView, _ entry: JournalEntry, sentAt: Timestamp, to facts: inout ArchiveWriter) {
        facts.restart()
        let head = record.head
        write(head, sentAt: sentAt, to: &facts)
        record.withRequest { request in
            facts.write(flag: request.hasDuplicateHeaders)
            writeGaps(in: request.fields, upTo: Int(head.headerBytes), to: &facts)
        }
        var text = record.textsStart
        for length in head.textLengths {
            facts.write(bytes: UnsafeBufferPointer(start: text, count: Int(length)))
            text += Int(length)
        }
        facts.write(number: UInt64(entry.place))
        facts.write(number: UInt64(entry.generation))
        facts.write(entry.first) { $1.write(text: $0.name) }
        facts.write(entry.appState) { $1.write($0) }
        facts.write(flag: entry.allowsNotifications)
    }

    /// Writes the bytes of header values that belong to no field, where a signature was removed: the length after each
    /// field, or nothing if there are none.
    private static func writeGaps(
        in fields: UnsafeBufferPointer<HeaderField>, upTo end: Int, to facts: inout ArchiveWriter
    ) {
        guard fields.indices.contains(where: { fields.gap(after: $0, upTo: end) > 0 }) else {
            facts.write(count: 0)
            return
        }
        facts.write(count: fields.count)
        for position in fields.indices { facts.write(signed: Int64(fields.gap(after: position, upTo: end))) }
    }

    private static func write(_ head: RecordHead, sentAt: Timestamp, to facts: inout ArchiveWriter) {
        facts.write(signed: sentAt.microseconds)
        facts.write(signed: head.clockTime.microseconds)
        facts.write(number: head.connectionID)
        facts.write(signed: Int64(head.streamID))
        facts.write(number: UInt64(head.requestOnConnection))
        facts.write(number: UInt64(head.place))
        facts.write(number: UInt64(head.generation))
        facts.write(number: UInt64(head.headerBlockLength))
        facts.write(number: UInt64(head.bodyLength))
        facts.write(head.id) { $0.write(to: &$1) }
        facts.write(head.verdict.decidedBy) { $1.write(number: UInt64($0)) }
        facts.write(text: head.verification.rawValue)
        facts.write(flag: head.isBinary)
        facts.write(head.packet) { $0.write(to: &$1) }
        facts.write(text: head.service.rawValue)
        facts.write(flag: head.hasContentType)
        facts.write(head.uniqueID) { $0.write(to: &$1) }
        facts.write(text: head.routing.rawValue)
        facts.write(number: UInt64(head.faultEffect.rawValue))
        facts.write(number: UInt64(head.faultNumber))
        facts.write(head.issuedAt) { $1.write(word: $0.bitPattern) }
        facts.write(head.deadSince) { $1.write(signed: $0.microseconds) }
        facts.write(flag: head.impliesTopic)
    }
}

extension ArchiveWriter {
    fileprivate mutating func write(flag: Bool) { write(byte: flag ? 1 : 0) }

    fileprivate mutating func write(text: String) {
        var text = text
        text.withUTF8 { write(bytes: $0) }
    }

    /// Writes an optional value; `writeValue` writes the value itself.
    fileprivate mutating func write<Value>(_ value: Value?, _ writeValue: (Value, inout Self) -> Void) {
        write(flag: value != nil)
        if let value { writeValue(value, &self) }
    }
}

extension UnsafeBufferPointer<HeaderField> {
    /// Returns the bytes after a field that belong to no field; the bytes of the last one are before `end`.
    func gap(after position: Int, upTo end: Int) -> Int {
        let isLast = position + 1 == count
        let start = isLast ? end : Int(self[position + 1].valueOffset - self[position + 1].nameLength)
        return start - Int(self[position].valueOffset + self[position].valueLength)
    }
}
