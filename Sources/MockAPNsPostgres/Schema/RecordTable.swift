internal import MockAPNsFormats
internal import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsWorld

/// The table `record`, which has a row for each push of each namespace, from the description of its columns.
enum RecordTable {
    /// The column with the number of a shared text; null if the column `headers` has the text of the push.
    private static let shared = "shared"

    /// The statement that creates the table.
    static let creation = """
        create table record (
            namespace bigint not null, \(PushColumn.all.map(definition).joined(separator: ", ")), \(shared) bigint,
            primary key (namespace, seq)
        )
        """

    /// The statement that adds to a table of the first version what it lacks.
    static let sharing = "alter table record add column \(shared) bigint"

    /// The statement that creates the table of the texts of header fields that pushes share.
    ///
    /// The number of the first push bounds that of the last one; see `HeaderTexts`.
    static let headerCreation = """
        create table header (
            namespace bigint not null,
            id bigint not null,
            first bigint not null,
            text text collate "C" not null,
            primary key (namespace, id)
        )
        """

    private static let text = """
        (select header.text from header where header.namespace = record.namespace and header.id = record.\(shared))
        """

    /// The header fields of a push, as `HeaderText` writes them.
    private static let headers = {
        let whole = HeaderText.placeholders.reduce(text) { text, placeholder in
            "replace(\(text), chr(\(placeholder.code)), coalesce(record.\(placeholder.column), ''))"
        }
        return "case when record.\(shared) is null then record.headers else \(whole) end"
    }()

    /// The statement that creates the view `push`, or replaces that of an older version, on which other views may depend.
    static let view = """
        create or replace view push as
            select namespace.name as namespace, \(PushColumn.shown.map(shown).joined(separator: ", "))
            from record join namespace on namespace.id = record.namespace
            where deleted is null and seq > cleared
        """

    /// The columns that are written into a new row, each with its type; a body is text or bytes.
    static let written: [(name: String, type: ArrayValue.Element)] =
        [("namespace", .integer)] + PushColumn.written.flatMap(types) + [(shared, .integer)]

    private static let names = written.map(\.name).joined(separator: ", ")

    /// The statement that copies rows into the table.
    static let copy = "copy record (\(names)) from stdin with (format binary)"

    /// The statement that inserts a row.
    static let insertion = """
        insert into record (\(names)) values (\((1...written.count).map { "$\($0)" }.joined(separator: ", ")))
        """

    private static func types(of column: PushColumn) -> [(name: String, type: ArrayValue.Element)] {
        switch column.kind {
        case .content: [(column.name, .text), ("\(column.name)_bytes", .blob)]
        case .key, .number, .laterNumber: [(column.name, .integer)]
        case .short: [(column.name, .short)]
        case .time: [(column.name, .time)]
        case .text, .lines, .laterText: [(column.name, .text)]
        case .bytes: [(column.name, .blob)]
        }
    }

    /// The columns that `push(from:)` reads.
    static let columns = columns(headers: "coalesce(\(text), record.headers)")

    /// The same columns with the header fields of the push alone, and the number of the text that it shares.
    ///
    /// To look up the text of each row costs as much as the rest of the row.
    static let ownColumns = columns(headers: "record.headers") + ", record.\(shared)"

    /// The place of this number.
    static let sharedColumn = CInt(PushColumn.read.count + HeaderText.placeholders.count)

    private static func columns(headers: String) -> String {
        let names = (PushColumn.read + HeaderText.placeholders.map(\.column)).map { name in
            switch name {
            case "body": "coalesce(record.body_bytes, convert_to(record.body, 'UTF8'))"
            case "headers": headers
            default: "record.\(name)"
            }
        }
        return names.joined(separator: ", ")
    }

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
        case .lines: "\(PushColumn.headers(of: headers) { "chr(\($0))" }) as \(column.name)"
        case .content: "record.\(column.name), record.\(column.name)_bytes"
        default: "record.\(column.name)"
        }
    }

    /// Reads a push, without its steps; `text` is the one that it shares, unless the row has it.
    static func push(from row: QueryResult.Row, sharing text: ByteSpan? = nil) -> ReadPush {
        HeaderText.withWhole(text ?? row.span(5), token: row.span(8), id: row.span(9)) { headers in
            ReadPush(row.number(0)) { () throws(ArchiveError) in
                try KeptPush(
                    seq: row.number(0), at: row.number(1), receivedAt: row.time(2), answeredAt: row.time(3),
                    reason: row.span(4), headers: headers, body: row.span(6), facts: row.span(7))
            }
        }
    }

    /// The columns of the table `step` that `step(from:)` reads.
    static let stepColumns = "seq, push, at, event, delivery, facts"

    static func step(from row: QueryResult.Row) -> LoggedStep {
        LoggedStep(
            seq: row.number(0), push: row.number(1), at: row.time(2), event: row.text(3), delivery: row.text(4),
            facts: row.bytes(5))
    }
}
