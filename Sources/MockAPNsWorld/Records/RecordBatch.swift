public import MockAPNsRules

/// The records of one read on one event loop, to be published in the journal.
///
/// The memory is reused for the next batch, so nothing is allocated once it has reached its usual size.
public final class RecordBatch {
    private var memory: UnsafeMutableRawBufferPointer
    private var used = 0
    private(set) var count = 0
    private(set) var accepted = 0
    /// The number of accepted requests for Live Activities.
    private var activities = 0

    /// The epoch of the journal in which the records were judged; set while the batch is empty.
    var epoch: UInt64 = 1
    var deviceEpoch: UInt64 = 1
    /// Whether records are added; not while the world cannot be kept: they would wait for the store without a limit, and
    /// so would the answers that say why.
    var isOpen = true

    /// Creates an empty batch.
    public init() { memory = .allocate(byteCount: 65_536, alignment: RecordHead.alignment) }

    deinit { memory.deallocate() }

    /// Whether there are no records.
    public var isEmpty: Bool { count == 0 }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<used]) }

    /// Removes the records.
    public func removeAll() {
        used = 0
        count = 0
        accepted = 0
        activities = 0
    }

    /// Adds a request and its facts, without the signature of its provider token.
    ///
    /// `certificate` is the app of the certificate that replaces a provider token, `registered` is the registration by
    /// which the push was judged, and `problem` is the reason why the transport rejected the request. Of the body of an
    /// accepted request's response, `answer`, 1,024 bytes are kept.
    public func append(
        _ request: borrowing RequestView, _ facts: RecordHead, credential: ProviderCredential? = nil,
        certificate: String = "", registered: RegisteredToken? = nil, problem: String = "", fault: FaultMark? = nil,
        answer: [UInt8] = []
    ) {
        guard isOpen else { return }
        // The transport rejects a request long before it has this many header fields; other callers may not.
        let kept = UnsafeBufferPointer(rebasing: request.fields.prefix(RecordHead.mostFields))
        let headerBytes = request.headerBytes.prefix(kept.last.map { Int($0.valueOffset + $0.valueLength) } ?? 0)
        var head = facts
        if let credential {
            head.issuedAt = credential.issuedAt
            head.keyIDLength = UInt16(truncatingIfNeeded: credential.identifiers.keyID)
            head.teamIDLength = UInt16(truncatingIfNeeded: credential.identifiers.teamID)
        }
        if let registered {
            head.place = registered.place
            head.generation = registered.generation
        }
        head.fieldCount = UInt16(kept.count)
        head.headerBlockLength = UInt32(clamping: request.headerBlockLength)
        head.bodyLength = UInt32(clamping: request.bodyLength)
        head.bodyKept = UInt32(truncatingIfNeeded: request.body.count)
        head.index = request.headerIndex
        head.hasDuplicates = request.hasDuplicateHeaders
        head.problemLength = Self.length(problem)
        head.certificateLength = Self.length(certificate)
        head.answerLength = UInt16(min(answer.count, 1_024))
        if let fault {
            head.faultNumber = fault.id.number
            head.faultEffect = fault.effect
            head.addedLength = UInt16(clamping: fault.addedHeaders.utf8.count)
        }
        head.headerBytes = UInt32(truncatingIfNeeded: headerBytes.count)
        reserve(head.computedLength)

        let start = memory.baseAddress.unsafelyUnwrapped + used
        var at = start + MemoryLayout<RecordHead>.stride
        let fields = UnsafeMutableBufferPointer(start: at.assumingMemoryBound(to: HeaderField.self), count: kept.count)
        if let source = kept.baseAddress { fields.baseAddress?.initialize(from: source, count: kept.count) }
        at += kept.count * MemoryLayout<HeaderField>.stride
        let headers = UnsafeMutableBufferPointer(
            start: at.assumingMemoryBound(to: UInt8.self), count: headerBytes.count)
        copy(headerBytes, to: &at)
        let authorization = request.headerIndex.position(of: .authorization)
        if kept.count < HeaderIndex.limit, !request.hasDuplicateHeaders {
            if let authorization {
                let isVerified = head.verification == .verified
                let removed = Self.removeSignature(from: authorization, of: fields, in: headers, isVerified: isVerified)
                head.removedFromToken = UInt32(truncatingIfNeeded: removed)
                at -= removed
            }
        } else {
            for position in 0..<kept.count where fields[position].name == .authorization {
                let removed = Self.removeSignature(from: position, of: fields, in: headers, isVerified: false)
                if position == authorization { head.removedFromToken = UInt32(truncatingIfNeeded: removed) }
                at -= removed
            }
        }
        head.headerBytes = UInt32(
            truncatingIfNeeded: at - UnsafeMutableRawPointer(headers.baseAddress.unsafelyUnwrapped))
        let length = head.computedLength
        head.length = UInt32(truncatingIfNeeded: length)
        start.initializeMemory(as: RecordHead.self, to: head)
        copy(request.body, to: &at)
        credential?.identifiers.bytes.withUnsafeBufferPointer { copy(ByteSpan($0), to: &at) }
        copy(problem, head.problemLength, to: &at)
        if let fault { copy(fault.addedHeaders, head.addedLength, to: &at) }
        copy(certificate, head.certificateLength, to: &at)
        answer.withUnsafeBufferPointer { copy(ByteSpan($0).prefix(Int(head.answerLength)), to: &at) }

        // The padding at the end, which would otherwise have whatever the memory held before.
        at.initializeMemory(as: UInt8.self, repeating: 0, count: start + length - at)

        used += length
        count += 1
        guard head.isAccepted else { return }
        accepted += 1
        if request.deliveredType == .liveactivity { activities += 1 }
    }

    /// What the payloads for Live Activities say, by the positions of their records.
    ///
    /// Read before the world is locked, because parsing takes longer than all that happens to a push in it.
    var activityPayloads: [Int: ActivityPayload] {
        guard activities > 0 else { return [:] }
        var payloads: [Int: ActivityPayload] = [:]
        var rest = bytes
        for position in 0..<count {
            guard let start = rest.popRecord()?.baseAddress else { break }
            let record = RecordView(at: start)
            if record.head.isAccepted, record.isActivity { payloads[position] = ActivityPayload(record) }
        }
        return payloads
    }

    private static func length(_ text: String) -> UInt16 { UInt16(min(text.utf8.count, 1_024)) }

    private func reserve(_ length: Int) {
        guard used + length > memory.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(memory.count * 2, used + length), alignment: RecordHead.alignment)
        larger.copyMemory(from: bytes)
        memory.deallocate()
        memory = larger
    }

    private func copy(_ span: ByteSpan, to at: inout UnsafeMutableRawPointer) {
        if let start = span.start { at.copyMemory(from: start, byteCount: span.count) }
        at += span.count
    }

    private func copy(_ text: String, _ length: UInt16, to at: inout UnsafeMutableRawPointer) {
        guard length > 0 else { return }
        var text = text
        text.withUTF8 { copy(ByteSpan(start: $0.baseAddress, count: Int(length)), to: &at) }
    }

    /// Removes the part of a provider token after its second dot, and returns how many bytes these were.
    ///
    /// Dots, padding and, of a token that is not verified, the first `+` or `/` stay, which are no secret: they show that
    /// a token has too many parts, or is not Base64URL.
    private static func removeSignature(
        from position: Int, of fields: UnsafeMutableBufferPointer<HeaderField>,
        in headers: UnsafeMutableBufferPointer<UInt8>, isVerified: Bool
    ) -> Int {
        let field = fields[position]
        let start = headers.baseAddress.unsafelyUnwrapped + Int(field.valueOffset)
        let value = ByteSpan(start: start, count: Int(field.valueLength))
        let dot = UInt8(ascii: ".")
        var kept: Int
        // A verified token has two dots, and usually 86 characters after the second: no need to search.
        let usual = value.count - 86
        if isVerified, usual > 0, value[usual - 1] == dot {
            kept = usual
        } else if let first = value.firstIndex(of: dot), let second = value.dropFirst(first + 1).firstIndex(of: dot) {
            kept = first + second + 2
            let (padding, plus, slash) = (UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "/"))
            var keepsOther = !isVerified
            for at in kept..<value.count {
                let byte = start[at]
                let isOther = keepsOther && (byte == plus || byte == slash)
                guard byte == dot || byte == padding || isOther else { continue }
                if isOther { keepsOther = false }
                start[kept] = byte
                kept += 1
            }
        } else {
            return 0
        }
        // What follows closes the gap, so that fields are never apart.
        let removed = value.count - kept
        guard removed > 0 else { return 0 }
        let end = Int(fields[fields.count - 1].valueOffset + fields[fields.count - 1].valueLength)
        (start + kept).update(from: start + value.count, count: end - Int(field.valueOffset) - value.count)
        fields[position] = field.cut(to: kept)
        for next in position + 1..<fields.count { fields[next] = fields[next].moved(back: removed) }
        return removed
    }
}
