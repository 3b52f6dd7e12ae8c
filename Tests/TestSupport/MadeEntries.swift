import MockAPNsLog
import MockAPNsRules
import MockAPNsWorld

/// A push whose values are derived from its number, so that tests of stores can tell what they should read back.
package struct MadePush {
    package let seq: UInt64
    /// In microseconds of the system's clock.
    package var receivedAt: Int64
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// Whether the response has the `apns-id` of the request.
    package var echoesID = false

    package init(_ seq: UInt64) {
        self.seq = seq
        receivedAt = Int64(seq) * 1_000
        let topic = seq % 3 == 0 ? "com.example.other" : "com.example.app"
        headers = [
            (":path", "/3/device/\(Self.token(of: seq))"), ("apns-topic", topic),
            ("apns-push-type", seq % 2 == 0 ? "alert" : "background"), ("x-name", "\(seq)\\"),
        ]
        body = Array(#"{"aps":{"alert":"Push \#(seq)"}}"#.utf8)
    }

    package static func token(of seq: UInt64) -> String { String(repeating: "ab\(seq % 5)0", count: 16) }

    private static func id(of seq: UInt64) -> UniqueID {
        UniqueID(high: 0x0a_0000_4000, low: 0x8000_1000_0000_0000 | seq)
    }

    /// The `apns-id` of its response, in lower case.
    package static func apnsID(of seq: UInt64) -> String { id(of: seq).text(upperCase: false) }

    /// Every fourth is rejected, the others wait for their device; `position` is that of the change that added it.
    package func kept(at position: UInt64) -> KeptPush {
        let batch = RecordBatch()
        RequestView.withRequest(headers: headers, body: body) { request in
            var head = RecordHead()
            head.receivedAt = Timestamp(microseconds: receivedAt)
            head.environment = .production
            if !echoesID { head.id = Self.id(of: seq) }
            if seq % 4 == 0 {
                head.status = 400
                head.verdict = Verdict(reason: seq % 8 == 0 ? .badTopic : .badDeviceToken, decidedBy: 3)
            }
            batch.append(request, head)
        }
        let time = Timestamp(microseconds: receivedAt + 7)
        let first = seq % 4 == 0 ? nil : DeliveryEvent.storedDeviceOffline
        let reading = WorldClock.Reading(system: time, world: time)
        guard let push = KeptPush(batch, seq: seq, at: reading, first: first, position: position) else {
            preconditionFailure("the batch has a record")
        }
        return push
    }
}

extension KeptPush {
    /// Creates a `MadePush` as it is kept, after a change to it.
    package static func made(
        _ seq: UInt64, at position: UInt64 = 0, _ change: (inout MadePush) -> Void = { _ in }
    ) -> KeptPush {
        var push = MadePush(seq)
        change(&push)
        return push.kept(at: position)
    }

    /// Returns the push after later steps.
    package func later(_ steps: [LoggedStep], fanOut: [UInt8]? = nil) -> KeptPush {
        var push = self
        (push.steps, push.fanOut) = (steps, fanOut)
        return push
    }
}

extension LogEntry {
    /// Creates a log entry with the pushes of these numbers, each after a change to it.
    package static func made(
        _ position: UInt64, _ pushes: some Sequence<UInt64> = EmptyCollection(),
        _ change: (inout MadePush) -> Void = { _ in }
    ) -> LogEntry {
        var entry = LogEntry(
            position: position, system: 5, world: -6, kind: "pushes", data: [UInt8(truncatingIfNeeded: position), 0])
        entry.pushes = pushes.map { .made($0, at: position, change) }
        return entry
    }
}

extension LogSnapshot {
    package static func made(_ position: UInt64, firstPush: UInt64) -> LogSnapshot {
        LogSnapshot(position: position, data: [1, 2, 0], digest: "digest \(position)", firstPush: firstPush)
    }
}

extension WorldStore {
    /// The entries after a position.
    package func entries(after position: UInt64 = 0) throws -> [LogEntry] {
        var entries: [LogEntry] = []
        try visitEntries(after: position) { entry throws(StoreError) in entries.append(entry) }
        return entries
    }

    /// The pushes in the journal at a snapshot.
    package func journal(of snapshot: LogSnapshot) throws -> [ReadPush] {
        var pushes: [ReadPush] = []
        try visitJournal(of: snapshot) { push throws(StoreError) in pushes.append(push) }
        return pushes
    }

    /// Runs `tidy` until it has nothing left to do.
    package func tidyAll(at now: Int64 = 0) throws { while try tidy(at: now) {} }

    /// The numbers of the pushes in the history, newest first.
    package func kept(_ query: PushQuery = PushQuery(), before: UInt64 = .max, most: Int = 1_000) throws -> [UInt64] {
        try history.pushes(query, in: 0..<before, atMost: most).map(\.seq)
    }
}
