internal import MockAPNsFormats
internal import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsWorld

/// The table `record`, which has a row for each push, from the description of its columns.
///
/// The table `header` has the texts that header fields of several pushes share.
enum RecordTable {
    /// The column with the number of a shared text; null if the column `headers` has the text of the push.
    private static let shared = "shared"

    /// The statements that create the tables and the view `push`.
    static let creation = """
        create table record (\(PushColumn.all.map { "\($0.name) \(type(of: $0)), " }.joined())\(shared) integer);
        \(headerCreation);
        \(viewCreation);
        """

    /// The statements that add to a database of the first version what it lacks.
    static let sharing = """
        alter table record add column \(shared) integer;
        \(headerCreation);
        drop view push;
        \(viewCreation);
        """

    /// The first and the last push that may have a text; `last` is null while others may come.
    private static let headerCreation = """
        create table header (id integer primary key, first integer not null, last integer, text text not null)
        """

    private static let viewCreation = """
        create view push as select \(PushColumn.shown.map(shown).joined(separator: ", "))
            from record where deleted is null and seq > (select cleared from head)
        """

    /// The header fields of a push, as `HeaderText` writes them.
    private static let headers = {
        let text = HeaderText.placeholders.reduce("header.text") { text, placeholder in
            "replace(\(text), char(\(placeholder.code)), coalesce(record.\(placeholder.column), ''))"
        }
        let row = "select \(text) from header where header.id = record.\(shared)"
        return "case when record.\(shared) is null then record.headers else (\(row)) end"
    }()

    static let insertion = """
        insert into record (\(PushColumn.written.map(\.name).joined(separator: ", ")), \(shared))
        values (\(PushColumn.written.map { _ in "?" }.joined(separator: ", ")), ?)
        """

    static let headerInsertion = "insert into header (id, first, text) values (?, ?, ?)"

    /// The columns read by `push(from:)`.
    static let columns = PushColumn.read.map { $0 == "headers" ? headers : "record.\($0)" }.joined(separator: ", ")

    /// The condition for pushes that were not deleted.
    static let isKept = "deleted is null and record.seq > (select cleared from head)"

    private static func type(of column: PushColumn) -> String {
        switch column.kind {
        case .key: "integer primary key"
        case .number, .short, .time: "integer not null"
        case .text, .laterText: "text"
        case .lines: "text not null"
        case .content: "not null"
        case .bytes: "blob not null"
        case .laterNumber: "integer"
        }
    }

    /// Returns a column of the view.
    private static func shown(_ column: PushColumn) -> String {
        switch column.kind {
        // With the time as text, which is always that of the next column.
        case .key: "\(column.name), strftime('%Y-%m-%dT%H:%M:%fZ', received_at / 1e6, 'unixepoch') as time"
        case .lines: "\(PushColumn.headers(of: headers) { "char(\($0))" }) as \(column.name)"
        default: column.name
        }
    }

    /// Inserts a push.
    static func insert(_ row: borrowing PushRow, by insertion: Statement) throws(StoreError) {
        try insertion.run { parameters in
            for value in values { parameters.add(value(row)) }
            if let number = row.sharedHeaders { parameters.add(number) } else { parameters.addNull() }
        }
    }

    private static let values = PushColumn.written.compactMap { $0.value }

    /// Reads a push, without its steps.
    static func push(from row: borrowing Row) -> ReadPush {
        ReadPush(row.number(0)) { () throws(ArchiveError) in
            try KeptPush(
                seq: row.number(0), at: row.number(1), receivedAt: row.integer(2), answeredAt: row.integer(3),
                reason: row.span(4), headers: row.span(5), body: row.span(6), facts: row.span(7))
        }
    }

    /// The columns of the table `step` read by `step(from:)`.
    static let stepColumns = "seq, push, at, event, delivery, facts"

    static func step(from row: borrowing Row) -> LoggedStep {
        LoggedStep(
            seq: row.number(0), push: row.number(1), at: row.integer(2), event: row.text(3), delivery: row.text(4),
            facts: row.bytes(5))
    }
}

extension Parameters {
    /// Adds what a column has of a row.
    fileprivate mutating func add(_ value: PushColumn.Value) {
        switch value {
        case .number(let number), .time(let number): add(number)
        case .text(let text): add(given: text)
        case .lines(let text): add(text: text)
        case .content(let body) where body.isStorableText: add(text: body)
        case .content(let body), .bytes(let body): add(blob: body)
        }
    }
}
