internal import MockAPNsFormats
internal import MockAPNsRules

/// What the payload of a push says to Live Activities.
final class ActivityPayload: Sendable {
    /// `nil` if the payload has no `aps`.
    let reading: ActivityReading?
    /// The content state as JSON on one line; `nil` if there is none.
    let contentState: [UInt8]?

    /// Reads a push; its times are compared with when APNs got it, so one that was stored is not too old.
    init(_ record: RecordView) {
        let (now, isBroadcast) = (record.head.clockTime, record.head.service == .broadcast)
        reading = record.withRequest { request in
            let payload = JSONParser.value(of: Array(request.body.bytes))
            return PayloadReading(payload, type: .liveactivity, isBroadcast: isBroadcast, at: now).activity
        }
        contentState = reading?.contentState?.text
    }
}

/// What a push says to a Live Activity, read once for all activities that it reaches.
struct ActivityPush {
    /// The number of the push.
    let seq: UInt64
    /// Whether it came through a channel.
    let isBroadcast: Bool
    let payload: ActivityPayload

    /// Reads a push, unless its payload was read before the world was locked.
    init(_ record: RecordView, _ payload: ActivityPayload? = nil) {
        seq = record.head.seq
        isBroadcast = record.head.service == .broadcast
        self.payload = payload ?? ActivityPayload(record)
    }

    /// What the payload says; `nil` if it has no `aps`.
    var reading: ActivityReading? { payload.reading }
    /// The content state as JSON on one line; `nil` if there is none.
    var contentState: [UInt8]? { payload.contentState }

    /// Why it says nothing, whatever the activity is.
    var unusable: ActivityRefusal? {
        guard let reading else { return .noAPS }
        return reading.event == nil ? .unknownEvent : nil
    }
}

extension Timestamp {
    /// A time that a push names in UNIX seconds, within what can be written.
    init(named seconds: Double) {
        self.init(microseconds: Int64(min(max(seconds, 0), Timestamp.lastWritableSecond) * 1_000_000))
    }
}
