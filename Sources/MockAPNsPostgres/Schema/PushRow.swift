internal import MockAPNsLog
internal import MockAPNsWorld

/// Reads pushes from the table `record`, and steps from the table `step`.
enum PushRow {
    /// The columns that `push(from:)` reads.
    ///
    /// The delivery state is the initial one: later states come from the steps.
    static let columns = """
        record.seq, received_at, answered_at, record.id, topic, token, push_type, environment, status, reason,
        coalesce(first_delivery, delivery), headers, body, body_bytes, facts
        """

    /// The number of these columns.
    static let columnCount: CInt = 15

    /// The approximate size of a row in bytes, without indexes.
    static let size = """
        (\(fixedSize) + octet_length(headers) + octet_length(facts) + coalesce(octet_length(body), 0)
        + coalesce(octet_length(body_bytes), 0))
        """

    /// The approximate size of the short columns in bytes.
    static let fixedSize = 200

    static func push(from row: QueryResult.Row, _ place: String) throws(StoreError) -> LoggedPush {
        var push = LoggedPush(seq: row.number(0), receivedAt: row.time(1), answeredAt: row.time(2))
        push.apnsID = row.text(3)
        push.topic = row.text(4)
        push.token = row.text(5)
        push.pushType = row.text(6)
        push.environment = row.text(7)
        push.status = UInt16(clamping: row.integer(8))
        push.reason = row.text(9)
        push.delivery = row.text(10)
        guard let headers = HeaderText.headers(of: row.span(11)) else {
            let fix = "restore a backup of the database"
            throw StoreError(.damaged, "\(place) is damaged: push \(push.seq) has unreadable headers; \(fix)")
        }
        push.headers = headers
        push.body = row.isNull(12) ? row.bytes(13) : row.bytes(12)
        push.facts = row.bytes(14)
        return push
    }

    /// The columns of the table `step` that `step(from:)` reads.
    static let stepColumns = "seq, push, at, event, delivery, facts"

    static func step(from row: QueryResult.Row) -> LoggedStep {
        LoggedStep(
            seq: row.number(0), push: row.number(1), at: row.time(2), event: row.text(3), delivery: row.text(4),
            facts: row.bytes(5))
    }
}
