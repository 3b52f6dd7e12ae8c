internal import MockAPNsRules

/// The header fields that several pushes of a store have in common, so that it keeps their text once.
///
/// Pushes share a text from the second one on. A text has placeholders for the device token in the path and for the
/// `apns-id`, which differ from push to push and have columns of their own. All other fields must be equal.
///
/// Texts are used for a limited number of pushes, so that a store knows when the last of these pushes is deleted.
package struct SharedHeaders: Sendable {
    /// A text for a store to write, with the first push that has it.
    package struct Text: Sendable {
        package let number: Int64
        package let firstPush: UInt64
        package let text: [UInt8]
    }

    /// The number of texts that can be found again; a power of two.
    private static let slotCount = 64
    /// The number of hashes of header fields that are remembered; a power of two.
    private static let seenCount = 256
    /// The maximum number of texts before `isSpent`.
    private static let mostTexts: Int64 = 256
    /// The largest header fields that are shared, in bytes and in number.
    private static let mostBytes = 4_096
    private static let mostFields = 64

    private var slots: [Known?] = []
    private var seen: [UInt64] = []
    /// The slot of the last push.
    private var latest = 0
    /// The number of the first text that is in use, and of the next text.
    package private(set) var first: Int64
    private var next: Int64
    private var pushes = 0
    private var added: [Text] = []
    /// The difference of the numbers of the pushes that may have the same text; `nil` without a limit.
    private let span: UInt64?
    /// The number from which on pushes share no text; `nil` before the first push.
    private var end: UInt64?
    /// Whether a push has come that is too far from the first one.
    private var isOver = false

    /// Header fields with a text.
    fileprivate struct Known: Sendable {
        let number: Int64
        let fields: [HeaderField]
        let bytes: [UInt8]
        let holes: Holes
    }

    /// Creates an empty collection; `next` is the number of its first text.
    ///
    /// With `span`, only pushes whose numbers are less than that above the first one's share these texts.
    package init(next: Int64, span: UInt64? = nil) { (first, self.next, self.span) = (next, next, span) }

    /// Whether `most` pushes have come since these texts are in use, or there are too many texts: call `retire`.
    package func isSpent(after most: Int = .max) -> Bool { pushes >= most || next - first >= Self.mostTexts || isOver }

    /// Forgets all texts; later pushes get others.
    package mutating func retire() { self = SharedHeaders(next: next, span: span) }

    /// Returns the texts that have been added since the last call.
    package mutating func takeAdded() -> [Text] {
        guard !added.isEmpty else { return [] }
        defer { added = [] }
        return added
    }

    /// Returns the number of the text of a record's header fields; `nil` if it shares none.
    ///
    /// `token` and `id` are the texts in the columns for the device token and the `apns-id`.
    mutating func number(of record: RecordView, seq: UInt64, token: ByteSpan, id: ByteSpan) -> Int64? {
        record.withRequest { request -> Int64? in
            let bytes = request.headerBytes
            guard bytes.count <= Self.mostBytes, request.fields.count <= Self.mostFields, !bytes.isEmpty else {
                return nil
            }
            if let span {
                let end = end ?? seq &+ span
                self.end = end
                guard seq < end else {
                    isOver = true
                    return nil
                }
            }
            let holes = Holes(request, token: token, id: record.head.echoesID ? id : nil)
            if slots.isEmpty {
                slots = Array(repeating: nil, count: Self.slotCount)
                seen = Array(repeating: 0, count: Self.seenCount)
            }
            pushes += 1
            if let number = slots[latest]?.number(of: request, bytes, holes) { return number }
            let hash = holes.hash(of: bytes)
            let slot = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
            if let number = slots[slot]?.number(of: request, bytes, holes) {
                latest = slot
                return number
            }
            let place = Int(truncatingIfNeeded: hash >> 8) & (Self.seenCount - 1)
            guard seen[place] == hash else {
                seen[place] = hash
                return nil
            }
            let number = next
            next += 1
            slots[slot] = Known(number: number, fields: Array(request.fields), bytes: Array(bytes.bytes), holes: holes)
            latest = slot
            let text = HeaderText.text(of: request, token: holes.token, id: holes.id)
            added.append(Text(number: number, firstPush: seq, text: text))
            return number
        }
    }
}

extension SharedHeaders.Known {
    /// Returns the number of this text if it is that of a request.
    fileprivate func number(
        of request: borrowing RequestView, _ bytes: ByteSpan, _ holes: SharedHeaders.Holes
    ) -> Int64? {
        guard self.bytes.count == bytes.count, fields.count == request.fields.count, self.holes == holes else {
            return nil
        }
        for (mine, other) in zip(fields, request.fields)
        where mine.name != other.name || mine.valueOffset != other.valueOffset || mine.valueLength != other.valueLength
            || mine.nameLength != other.nameLength
        { return nil }
        let isEqual = self.bytes.withUnsafeBufferPointer { mine in
            var isEqual = true
            holes.visitRest(of: ByteSpan(mine)) { part, start in
                isEqual = isEqual && part.equalsLong(bytes.dropFirst(start).prefix(part.count))
            }
            return isEqual
        }
        return isEqual ? number : nil
    }
}

extension SharedHeaders {
    /// A part of the bytes of header fields, at the end of the value of a field.
    struct Hole: Equatable, Sendable {
        let field: Int
        let start: Int
        let count: Int

        /// Returns the end of a field's value; `nil` if it is not `text`.
        init?(_ request: borrowing RequestView, _ name: HeaderName, _ text: ByteSpan) {
            guard !text.isEmpty, let field = request.headerIndex.position(of: name) else { return nil }
            let found = request.fields[field]
            let (length, count) = (Int(found.valueLength), text.count)
            guard length >= count, request.value(of: found).dropFirst(length - count).equalsLong(text),
                HeaderText.isPlain(text)
            else { return nil }
            (self.field, start, self.count) = (field, Int(found.valueOffset) + length - count, count)
        }
    }

    /// Where the values are that have columns of their own.
    fileprivate struct Holes: Equatable, Sendable {
        let token: Hole?
        let id: Hole?

        init(_ request: borrowing RequestView, token: ByteSpan, id: ByteSpan?) {
            self.token = Hole(request, .path, token)
            self.id = id.flatMap { Hole(request, .apnsID, $0) }
        }

        /// Calls `use` with the parts of header fields outside of the holes, and where each starts.
        func visitRest(of bytes: ByteSpan, _ use: (_ part: ByteSpan, _ start: Int) -> Void) {
            var start = 0
            func skip(_ hole: Hole?) {
                guard let hole else { return }
                use(bytes.dropFirst(start).prefix(hole.start - start), start)
                start = hole.start + hole.count
            }
            let isTokenFirst = (token?.start ?? 0) < (id?.start ?? 0)
            skip(isTokenFirst ? token : id)
            skip(isTokenFirst ? id : token)
            use(bytes.dropFirst(start), start)
        }

        /// Returns a number for the parts of header fields outside of the holes, never 0.
        func hash(of bytes: ByteSpan) -> UInt64 {
            var hash = UInt64(truncatingIfNeeded: bytes.count)
            visitRest(of: bytes) { part, _ in
                part.visitWords { word in
                    hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
                    hash ^= hash >> 32
                }
            }
            return hash | 1
        }
    }
}
