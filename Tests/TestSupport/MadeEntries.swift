import MockAPNsLog
import MockAPNsWorld

extension LoggedPush {
    /// A push whose values follow from its number.
    package static func made(_ seq: UInt64) -> LoggedPush {
        var push = LoggedPush(seq: seq, receivedAt: Int64(seq) * 1_000, answeredAt: Int64(seq) * 1_000 + 7)
        push.apnsID = "0000000A-0000-4000-8000-" + String(1_000_000_000_000 + seq).suffix(12)
        push.topic = seq % 3 == 0 ? "com.example.other" : "com.example.app"
        push.token = String(repeating: "ab\(seq % 5)0", count: 16)
        push.pushType = seq % 2 == 0 ? "alert" : "background"
        push.environment = "production"
        push.status = seq % 4 == 0 ? 400 : 200
        push.reason = seq % 4 == 0 ? seq % 8 == 0 ? "BadTopic" : "BadDeviceToken" : ""
        push.delivery = seq % 4 == 0 ? "" : "stored"
        push.headers = [Header(name: Array("apns-topic".utf8), value: Array(push.topic.utf8))]
        push.body = Array(#"{"aps":{"alert":"Push \#(seq)"}}"#.utf8)
        push.facts = [UInt8(truncatingIfNeeded: seq), 0, 255]
        return push
    }
}

extension LogEntry {
    /// A change with pushes of these numbers.
    package static func made(_ position: UInt64, _ pushes: some Sequence<UInt64> = EmptyCollection()) -> LogEntry {
        var entry = LogEntry(
            position: position, system: 5, world: -6, kind: "pushes", data: [UInt8(truncatingIfNeeded: position), 0])
        entry.pushes = pushes.map { .made($0) }
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
    package func journal(of snapshot: LogSnapshot) throws -> [KeptPush] {
        var pushes: [KeptPush] = []
        try visitJournal(of: snapshot) { push throws(StoreError) in pushes.append(push) }
        return pushes
    }

    /// Does everything that can wait.
    package func tidyAll(at now: Int64 = 0) throws { while try tidy(at: now) {} }

    /// The numbers of the pushes in the history, newest first.
    package func kept(_ query: PushQuery = PushQuery(), before: UInt64 = .max, most: Int = 1_000) throws -> [UInt64] {
        try history.pushes(query, in: 0..<before, atMost: most).map(\.push.seq)
    }
}
