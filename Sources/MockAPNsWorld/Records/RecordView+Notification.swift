internal import MockAPNsRules

extension RecordView {
    /// The connection, and the number of this request on it, from 1.
    var connection: (id: UInt64, request: UInt32) {
        (headPointer.pointee.connection, headPointer.pointee.requestOnConnection)
    }

    var status: UInt16 { headPointer.pointee.status }

    var environment: Environment { headPointer.pointee.environment }

    /// The fault that fired; usually `nil`.
    var fault: (id: FaultID, effect: FaultMark.Effect)? {
        let number = headPointer.pointee.fault
        return number == 0 ? nil : (FaultID(number: number), headPointer.pointee.faultEffect)
    }

    /// The slot and generation of the device token's registration when the push was judged.
    var place: (UInt32, UInt32)? {
        let place = headPointer.pointee.place
        return place == SlotPlace.none ? nil : (place, headPointer.pointee.generation)
    }

    var deviceToken: DeviceToken? {
        withRequest { request in request.devicePart.flatMap { DeviceToken(hex: $0) } }
    }

    var topic: String? { withRequest { $0[.apnsTopic]?.text } }

    func notification(at now: Timestamp) -> Notification {
        let seq = headPointer.pointee.seq
        return withRequest { request in
            let type = request.notificationType
            return Notification(
                seq: seq,
                collapse: request[.apnsCollapseID].map(Self.collapse) ?? 0,
                storableUntil: Notification.storableUntil(
                    request[.apnsExpiration].flatMap { Expiration($0) },
                    at: now
                ),
                priority: request[.apnsPriority].flatMap { Priority($0) } ?? .standard,
                isBackground: type == .background,
                needsPermission: type.row.needsPermission
            )
        }
    }

    /// Returns a number for a collapse ID, never 0: FNV-1a, compared with only one other number of the app.
    private static func collapse(_ id: ByteSpan) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in id.bytes { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3 }
        return hash | 1
    }
}

extension RequestView {
    /// The push type from the header, or else from the topic's suffix or the payload.
    ///
    /// Inferred: how the real service treats a push without the header is unknown. In this case the payload
    /// is only searched for words, because this code does not parse JSON.
    fileprivate var notificationType: PushType {
        if let type = self[.apnsPushType].flatMap({ PushType($0) }) { return type }
        if let type = self[.apnsTopic].flatMap({ Topic($0).suffixType }) { return type }
        guard body.contains("\"content-available\""), !body.contains("\"alert\""),
            !body.contains("\"sound\""), !body.contains("\"badge\"")
        else { return .alert }
        return .background
    }
}
