internal import MockAPNsLog
internal import MockAPNsWorld

/// The table `record`, which has a row for each push of each namespace, from the description of its columns.
enum RecordTable {
    /// The statement that creates the table.
    static let creation = """
        create table record (
            namespace bigint not null, \(PushColumn.all.map(definition).joined(separator: ", ")),
            primary key (namespace, seq)
        )
        """

    /// The statement that creates the view `push`.
    static let view = """
        create view push as
            select namespace.name as namespace, \(PushColumn.shown.map(shown).joined(separator: ", "))
            from record join namespace on namespace.id = record.namespace
            where deleted is null and seq > cleared
        """

    /// The columns that are written into a new row, each with the type of its array; a body is text or bytes.
    static let written = [("namespace", ArrayValue.Element.integer)] + PushColumn.written.flatMap(arrays)

    /// The statement that inserts rows, of which it gets an array for each column.
    static let insertion = """
        insert into record (\(written.map { name, _ in name }.joined(separator: ", ")))
        select * from unnest(\(zip(1..., written).map { "$\($0)::\($1.1.name)[]" }.joined(separator: ", ")))
        """

    private static func arrays(for column: PushColumn) -> [(String, ArrayValue.Element)] {
        switch column.kind {
        case .content: [(column.name, .text), ("\(column.name)_bytes", .blob)]
        case .key, .number, .short, .laterNumber: [(column.name, .integer)]
        case .time: [(column.name, .time)]
        case .text, .lines, .laterText: [(column.name, .text)]
        case .bytes: [(column.name, .blob)]
        }
    }

    /// The columns that `push(from:)` reads.
    static let columns = PushColumn.read.map { name in
        name == "body" ? "coalesce(record.body_bytes, convert_to(record.body, 'UTF8'))" : "record.\(name)"
    }.joined(separator: ", ")

    /// The number of these columns.
    static let columnCount = CInt(PushColumn.read.count)

    /// The approximate size of a row in bytes, without indexes.
    static let size = """
        (\(fixedSize) + octet_length(headers) + octet_length(facts) + coalesce(octet_length(body), 0)
        + coalesce(octet_length(body_bytes), 0))
        """

    /// The approximate size of the short columns in bytes.
    static let fixedSize = 200

    private static func definition(of column: PushColumn) -> String {
        switch column.kind {
        case .key, .number: "\(column.name) bigint not null"
        case .short: "\(column.name) smallint not null"
        case .time: "\(column.name) timestamptz not null"
        case .text, .laterText: "\(column.name) text collate \"C\""
        case .lines: "\(column.name) text collate \"C\" not null"
        case .content: "\(column.name) text collate \"C\", \(column.name)_bytes bytea"
        case .bytes: "\(column.name) bytea not null"
        case .laterNumber: "\(column.name) bigint"
        }
    }

    /// Returns a column of the view.
    private static func shown(_ column: PushColumn) -> String {
        switch column.kind {
        // With the time under the name that it has in every view, which is always that of the next column.
        case .key: "record.\(column.name), record.received_at as time"
        case .lines: "\(PushColumn.headers { "chr(\($0))" }) as \(column.name)"
        case .content: "record.\(column.name), record.\(column.name)_bytes"
        default: "record.\(column.name)"
        }
    }

    /// Reads a push, without its steps.
    static func push(from row: QueryResult.Row) -> KeptPush {
        KeptPush(
            seq: row.number(0), at: row.number(1), receivedAt: row.time(2), answeredAt: row.time(3),
            reason: row.span(4), headers: row.span(5), body: row.span(6), facts: row.span(7))
    }

    /// The columns of the table `step` that `step(from:)` reads.
    static let stepColumns = "seq, push, at, event, delivery, facts"

    static func step(from row: QueryResult.Row) -> LoggedStep {
        LoggedStep(
            seq: row.number(0), push: row.number(1), at: row.time(2), event: row.text(3), delivery: row.text(4),
            facts: row.bytes(5))
    }
}
