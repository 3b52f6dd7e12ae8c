import MockAPNsRules
import TestSupport

@testable import MockAPNsQuery
@testable import MockAPNsWorld

/// Pushes one after the other, as a journal would have them.
struct LintStory {
    static let token = String(repeating: "ab", count: 32)

    var memory = LintMemory()
    var connections: [ConnectionRecord] = []
    private(set) var seq: UInt64 = 0
    /// How many requests came on each connection.
    private var requests: [UInt64: Int] = [:]

    /// A push, and which lints find something in it.
    ///
    /// `system` and `clock` are seconds of the two clocks. With a channel, it is a broadcast of the app `topic`.
    mutating func push(
        system: Double = 0, clock: Double = 0, status: UInt16 = 200, reason: Reason? = nil, on connection: UInt64 = 1,
        to token: String = LintStory.token, topic: String = "com.a", body: String = "{}", id: String? = nil,
        key: String = "KEY1", issuedAt: Int = 0, hasProblem: Bool = false, channel: String? = nil, type: String? = nil,
        priority: String? = nil
    ) -> [Lint] {
        seq += 2
        requests[connection, default: 0] += 1
        var outline = PushOutline()
        outline.head.seq = seq
        outline.head.status = status
        outline.head.verdict = Verdict(reason: reason, decidedBy: nil)
        outline.head.connectionID = connection
        outline.head.requestOnConnection = UInt32(requests[connection] ?? 0)
        outline.head.receivedAt = Self.time(system)
        outline.head.clockTime = Self.time(clock)
        outline.head.problemLength = hasProblem ? 1 : 0
        let receiver =
            channel.map { [(":path", "/4/broadcasts/apps/\(topic)"), ("apns-channel-id", $0)] } ?? [
                (":path", "/3/device/\(token)"), ("apns-topic", topic),
            ]
        var headers = [(":method", "POST")] + receiver
        let jwt = PushDraft.providerToken(issuedAt: "\(issuedAt)", keyID: key)
        headers.append(("authorization", "bearer \(jwt)"))
        if let type { headers.append(("apns-push-type", type)) }
        if let priority { headers.append(("apns-priority", priority)) }
        if let id { headers.append((channel == nil ? "apns-id" : "apns-request-id", id)) }
        RequestView.withRequest(headers: headers, body: Array(body.utf8)) { [connections] request in
            memory.note(request, outline) { ConnectionTimes(connections) }
        }
        return memory.findings[seq]?.map(\.lint) ?? []
    }

    /// A connection begins, and ends where `closed` says so.
    mutating func connect(_ id: UInt64, opened: Double, closed: Double? = nil) {
        var record = ConnectionRecord(
            id: id, remoteAddress: "127.0.0.1:1", environment: .sandbox, openedAt: Self.time(opened))
        record.closedAt = closed.map(Self.time)
        connections.append(record)
    }

    private static func time(_ seconds: Double) -> Timestamp {
        Timestamp(microseconds: 1_767_607_872_000_000 + Int64(seconds * 1_000_000))
    }
}
