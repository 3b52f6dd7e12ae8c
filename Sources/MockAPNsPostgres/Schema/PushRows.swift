internal import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsWorld

/// New rows for the table `record`, stored by column.
struct PushRows {
    /// An array for each of `RecordTable.written`.
    private var columns = RecordTable.written.map { ArrayValue(of: $0.1) }
    /// The number of rows of each namespace, and their approximate size as `RecordTable.size` counts it.
    private var added: [Int64: (count: Int64, size: Int64)] = [:]

    var isEmpty: Bool { added.isEmpty }

    /// The approximate size of all rows in bytes.
    var size: Int64 { added.values.reduce(0) { $0 + $1.size } }

    /// Adds a push of a namespace.
    mutating func add(_ row: borrowing PushRow, of namespace: Int64) {
        columns[0].add(namespace)
        var next = 1
        for column in PushColumn.written {
            switch column.value?(row) {
            case .number(let number): columns[next].add(number)
            case .time(let time): columns[next].add(time: time)
            case .text(let text): columns[next].add(given: text)
            case .lines(let text), .bytes(let text): columns[next].add(bytes: text)
            case .content(let body):
                let isText = body.isStorableText
                if isText { columns[next].add(bytes: body) } else { columns[next].addNull() }
                next += 1
                if isText { columns[next].addNull() } else { columns[next].add(bytes: body) }
            case nil: columns[next].addNull()
            }
            next += 1
        }
        let (count, size) = added[namespace] ?? (0, 0)
        let own = RecordTable.fixedSize + row.headers.count + row.body.count + row.facts.count
        added[namespace] = (count + 1, size + Int64(own))
    }

    /// The statements that insert the rows and update the counts of their namespaces.
    var commands: [Command] {
        let counts = added.sorted { $0.key < $1.key }
        return [
            Command(RecordTable.insertion, columns.map { .array($0) }),
            Command(
                """
                update namespace set pushes = pushes + added.count, bytes = bytes + added.size
                from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as added (namespace, count, size)
                where id = added.namespace
                """,
                [
                    .integers(counts.map(\.key)), .integers(counts.map(\.value.count)),
                    .integers(counts.map(\.value.size)),
                ]),
        ]
    }
}
