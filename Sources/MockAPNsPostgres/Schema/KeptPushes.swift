internal import MockAPNsLog
internal import MockAPNsWorld

/// Reads pushes with their steps.
enum KeptPushes {
    /// The maximum number of pushes in a page.
    static let pageSize = 500

    /// Returns the pushes of the namespace `$1` that match an SQL condition, without steps after `position`.
    static func read(
        _ condition: String, _ order: String, _ values: [Value], stepsUpTo position: UInt64 = .max,
        _ connection: Connection
    ) throws(StoreError) -> [ReadPush] {
        let query = "select \(RecordTable.columns) from record where record.namespace = $1 and \(condition) \(order)"
        let found = try connection.run(query, values)
        let pushes = found.rows.map { RecordTable.push(from: $0) }
        guard let namespace = values.first, !pushes.isEmpty else { return [] }
        let numbers = Value.numbers(pushes.map(\.seq))
        let steps = """
            select \(RecordTable.stepColumns) from step
            where namespace = $1 and push = any($2::bigint[]) and position <= $3 order by seq
            """
        let fanOuts = "select push, data from fan_out where namespace = $1 and push = any($2::bigint[])"
        let parts = try connection.run([
            Command(steps, [namespace, numbers, .number(position)]), Command(fanOuts, [namespace, numbers]),
        ])
        let taken = Dictionary(grouping: parts[0].rows.map { RecordTable.step(from: $0) }, by: \.push)
        let broadcasts = Dictionary(parts[1].rows.map { ($0.number(0), $0.bytes(1)) }) { first, _ in first }
        return pushes.map { read in
            read.map { push in
                var push = push
                (push.steps, push.fanOut) = (taken[push.seq] ?? [], broadcasts[push.seq])
                return push
            }
        }
    }
}
