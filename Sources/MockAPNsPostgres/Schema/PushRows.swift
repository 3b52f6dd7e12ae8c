internal import MockAPNsRules
internal import MockAPNsWorld

/// Pushes to insert into the table `record`.
struct PushRows {
    /// The number of rows from which on `copy` is faster: it needs two round trips more, and less of both processors.
    private static let few = 16

    private var rows = CopyRows()
    /// The number of rows of each namespace, and their approximate size as `RecordTable.size` counts it.
    private var added: [Int64: (count: Int64, size: Int64)] = [:]

    var isEmpty: Bool { added.isEmpty }

    /// The approximate size of all rows in bytes.
    var size: Int64 { added.values.reduce(0) { $0 + $1.size } }

    /// Adds a push of a namespace.
    mutating func add(_ row: borrowing PushRow, of namespace: Int64) {
        rows.beginRow(of: RecordTable.written.count)
        rows.add(namespace)
        for column in PushColumn.written {
            switch column.value?(row) {
            case .number(let number) where column.kind == .short: rows.add(short: number)
            case .number(let number): rows.add(number)
            case .time(let time): rows.add(time: time)
            case .text(let text): rows.add(given: text)
            case .lines(let text), .bytes(let text): rows.add(bytes: text)
            case .content(let body):
                let isText = body.isStorableText
                if isText { rows.add(bytes: body) } else { rows.addNull() }
                if isText { rows.addNull() } else { rows.add(bytes: body) }
            case nil: rows.addNull()
            }
        }
        if let number = row.sharedHeaders { rows.add(number) } else { rows.addNull() }
        let (count, size) = added[namespace] ?? (0, 0)
        let own = RecordTable.fixedSize + row.headers.count + row.body.count + row.facts.count
        added[namespace] = (count + 1, size + Int64(own))
    }

    /// The statements that insert the rows and update the counts of their namespaces.
    var commands: [Command] {
        let counts = added.sorted { $0.key < $1.key }
        let update = Command(
            """
            update namespace set pushes = pushes + added.count, bytes = bytes + added.size
            from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as added (namespace, count, size)
            where id = added.namespace
            """,
            [.integers(counts.map(\.key)), .integers(counts.map(\.value.count)), .integers(counts.map(\.value.size))])
        guard rows.count < Self.few else { return [Command(RecordTable.copy, copying: rows), update] }
        var commands: [Command] = []
        rows.visitValues { values in
            let parameters = zip(values, RecordTable.written).map { Value.encoded($0.map(Array.init), $1.type) }
            commands.append(Command(RecordTable.insertion, parameters))
        }
        return commands + [update]
    }
}
