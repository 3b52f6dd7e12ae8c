internal import MockAPNsFormats
internal import MockAPNsRules

/// A record in place; valid as long as its memory.
struct RecordView {
    let start: UnsafeRawPointer

    init(at start: UnsafeRawPointer) { self.start = start }

    /// The head, accessed in place: it is too large to copy for each access.
    var head: RecordHead { _read { yield start.assumingMemoryBound(to: RecordHead.self).pointee } }

    private var fieldsStart: UnsafeRawPointer { start + MemoryLayout<RecordHead>.stride }

    private var bytesStart: UnsafePointer<UInt8> {
        (fieldsStart + Int(head.fieldCount) * MemoryLayout<HeaderField>.stride).assumingMemoryBound(to: UInt8.self)
    }

    var textsStart: UnsafePointer<UInt8> { bytesStart + Int(head.headerBytes) + Int(head.bodyKept) }

    /// Calls `use` with the request as the rules saw it, without the signature of its provider token.
    func withRequest<Result>(_ use: (borrowing RequestView) -> Result) -> Result {
        let bytes = bytesStart
        return use(
            RequestView(
                bytes: bytes,
                fields: UnsafeBufferPointer(
                    start: fieldsStart.assumingMemoryBound(to: HeaderField.self), count: Int(head.fieldCount)),
                index: head.index, body: ByteSpan(start: bytes + Int(head.headerBytes), count: Int(head.bodyKept)),
                bodyLength: Int(head.bodyLength), headerBlockLength: Int(head.headerBlockLength)))
    }

    /// The texts that follow the body; the last is the body of an accepted request's response.
    var texts: (keyID: String, teamID: String, problem: String, added: String, certificate: String, answer: String) {
        var at = textsStart
        func next(_ length: UInt16) -> String {
            defer { at += Int(length) }
            return ByteSpan(start: at, count: Int(length)).text
        }
        return (
            next(head.keyIDLength), next(head.teamIDLength), next(head.problemLength), next(head.addedLength),
            next(head.certificateLength), next(head.answerLength)
        )
    }

    /// Whether the response has this `apns-id`, given in lower case.
    func hasID(_ id: String) -> Bool {
        if head.echoesID {
            return withRequest {
                $0.requestID(for: head.service).map { $0.count == id.utf8.count && $0.text.lowercased() == id } ?? false
            }
        }
        guard let own = head.ownID, id.utf8.count == UniqueID.textLength else { return false }
        return own.text(upperCase: false) == id
    }
}

extension RecordView {
    /// The slot and generation of the device token's registration when the push was judged.
    var place: (UInt32, UInt32)? { head.place == SlotPlace.none ? nil : (head.place, head.generation) }

    var deviceToken: DeviceToken? { withRequest { request in request.devicePart.flatMap { DeviceToken(hex: $0) } } }

    var topic: String? { withRequest { $0[.apnsTopic]?.text } }

    /// The channel of a broadcast, and its app.
    var broadcastTarget: (channel: ChannelID, app: ChannelApp)? {
        withRequest { request in
            let asked = ChannelRequest(request, for: .broadcast, in: head.environment)
            guard let asked, let id = request[.apnsChannelID].flatMap({ ChannelID($0) }) else { return nil }
            return (id, asked.app)
        }
    }

    /// Whether the push is for a Live Activity.
    var isActivity: Bool { withRequest { $0.deliveredType == .liveactivity } }

    func notification(at now: Timestamp) -> Notification {
        withRequest { request in
            let type = request.deliveredType
            return Notification(
                seq: head.seq, collapse: request[.apnsCollapseID].map(Self.collapse) ?? 0,
                storableUntil: Notification.storableUntil(request[.apnsExpiration].flatMap { Expiration($0) }, at: now),
                priority: request[.apnsPriority].flatMap { Priority($0) } ?? .standard,
                isBackground: type == .background, needsPermission: type.row.needsPermission,
                isActivity: type == .liveactivity)
        }
    }

    /// Returns a number for a collapse ID, never 0: FNV-1a, compared with only one other number of the app.
    private static func collapse(_ id: ByteSpan) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in id.bytes { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3 }
        return hash | 1
    }
}

extension UnsafeRawBufferPointer {
    /// Removes and returns the first of several records.
    mutating func popRecord() -> UnsafeRawBufferPointer? {
        guard let start = baseAddress, !isEmpty else { return nil }
        let length = Int(RecordView(at: start).head.length)
        defer { self = UnsafeRawBufferPointer(rebasing: self[length...]) }
        return UnsafeRawBufferPointer(rebasing: self[..<length])
    }
}
