internal import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsWorld

/// A push as a row of the table `record`.
enum PushRow {
    static let insertion = """
        insert into record (seq, position, received_at, answered_at, id, topic, token, push_type, environment, status,
            reason, delivery, headers, body, facts)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// The columns read by `push(from:)`; the delivery state is the first one, as steps have the later ones.
    static let columns = """
        record.seq, received_at, answered_at, id, topic, token, push_type, environment, status, reason,
        coalesce(first_delivery, delivery), headers, body, facts
        """

    /// The condition for pushes that were not deleted.
    static let isKept = "deleted is null and record.seq > (select cleared from head)"

    /// Inserts a push; `headers` is a reusable buffer for its header text.
    static func insert(
        _ push: borrowing PushColumns, at position: UInt64, by insertion: Statement, _ headers: inout [UInt8]
    ) throws(StoreError) {
        HeaderText.write(push, to: &headers)
        try headers.withUnsafeBufferPointer { headers throws(StoreError) in
            try insertion.run { row in
                row.add(number: push.seq)
                row.add(number: position)
                row.add(push.receivedAt)
                row.add(push.answeredAt)
                row.add(given: push.apnsID)
                row.add(given: push.topic)
                row.add(given: push.token)
                row.add(given: push.pushType)
                row.add(given: push.environment)
                row.add(Int64(push.status))
                row.add(given: push.reason)
                row.add(given: push.delivery)
                row.add(text: ByteSpan(headers))
                if LoggedPush.isText(push.body) { row.add(text: push.body) } else { row.add(blob: push.body) }
                row.add(blob: push.facts)
            }
        }
    }

    static func push(from row: borrowing Row, _ path: String) throws(StoreError) -> LoggedPush {
        var push = LoggedPush(seq: row.number(0), receivedAt: row.integer(1), answeredAt: row.integer(2))
        push.apnsID = row.text(3)
        push.topic = row.text(4)
        push.token = row.text(5)
        push.pushType = row.text(6)
        push.environment = row.text(7)
        push.status = UInt16(clamping: row.integer(8))
        push.reason = row.text(9)
        push.delivery = row.text(10)
        guard let headers = HeaderText.headers(of: row.bytes(11)) else {
            let fix = "restore a copy of the file"
            throw StoreError(.damaged, "\(path) is damaged: push \(push.seq) has unreadable headers; \(fix)")
        }
        push.headers = headers
        push.body = row.bytes(12)
        push.facts = row.bytes(13)
        return push
    }

    /// The columns of the table `step` read by `step(from:)`.
    static let stepColumns = "seq, push, at, event, delivery, facts"

    static func step(from row: borrowing Row) -> LoggedStep {
        LoggedStep(
            seq: row.number(0), push: row.number(1), at: row.integer(2), event: row.text(3), delivery: row.text(4),
            facts: row.bytes(5))
    }
}
