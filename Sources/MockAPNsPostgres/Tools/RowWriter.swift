internal import MockAPNsLog
internal import MockAPNsWorld

/// Writes the rows of a copied world in batches, within the caller's transaction.
final class RowWriter {
    /// The maximum number of rows, and the approximate maximum size in bytes, of a batch.
    private static let most = (rows: 1_000, bytes: 8 << 20)

    private let namespace: Int64
    private let connection: Connection
    private var pushes: [StoredPush] = []
    private var steps: [(step: LoggedStep, position: UInt64)] = []
    private var fanOuts: [(push: UInt64, data: [UInt8])] = []
    private var changes: [StoredChange] = []
    /// The approximate size of the current batch in bytes.
    private var bytes = 0
    /// The end of the shared log; `nil` until it is locked, for the first change.
    private var position: UInt64?

    init(_ namespace: Int64, _ connection: Connection) {
        self.namespace = namespace
        self.connection = connection
    }

    func begin(_ header: StoredHeader) throws(StoreError) {
        try connection.run(
            "update namespace set properties = $2::jsonb, cleared = $3 where id = $1",
            [.integer(namespace), .text(PostgresStore.text(header.properties)), .number(header.cleared)])
    }

    func add(_ row: StoredRow) throws(StoreError) {
        switch row {
        case .push(let push):
            pushes.append(push)
            bytes += push.push.body.count + push.push.facts.count + 500
        case .step(let step, let position): steps.append((step, position))
        case .fanOut(let push, let data):
            fanOuts.append((push, data))
            bytes += data.count
        case .snapshot(let snapshot): try write(snapshot)
        case .change(let change):
            changes.append(change)
            bytes += change.entry.data.count
        }
        let count = pushes.count + steps.count + fanOuts.count + changes.count
        if count >= Self.most.rows || bytes >= Self.most.bytes { try write() }
    }

    func finish() throws(StoreError) {
        try write()
        let counts = """
            update namespace set pushes = (
                    select count(*) from record where namespace = $1 and deleted is null and seq > cleared
                ), bytes = (select coalesce(sum(\(PushRow.size)), 0) from record where namespace = $1)
            where id = $1
            """
        try connection.run([Command(counts, [.integer(namespace)]), Command(PostgresStores.countNamespaces)])
    }

    private func write(_ snapshot: LogSnapshot) throws(StoreError) {
        try connection.run(
            "insert into snapshot (namespace, position, first_push, digest, data) values ($1, $2, $3, $4, $5)",
            [
                .integer(namespace), .number(snapshot.position), .number(snapshot.firstPush), .text(snapshot.digest),
                .blob(snapshot.data),
            ])
    }

    /// Writes the current batch.
    private func write() throws(StoreError) {
        var commands: [Command] = []
        if !pushes.isEmpty { commands.append(pushCommand) }
        if !steps.isEmpty { commands.append(stepCommand) }
        if !fanOuts.isEmpty {
            let insertion = """
                insert into fan_out (namespace, push, data) select $1, * from unnest($2::bigint[], $3::bytea[])
                """
            let values: [Value] = [.numbers(fanOuts.map(\.push)), .blobs(fanOuts.map(\.data))]
            commands.append(Command(insertion, [.integer(namespace)] + values))
        }
        if !changes.isEmpty { commands += try changeCommands() }
        if !commands.isEmpty { try connection.run(commands) }
        (pushes, steps, fanOuts, changes, bytes) = ([], [], [], [], 0)
    }

    private var pushCommand: Command {
        let all = pushes.map(\.push)
        func texts(_ text: (LoggedPush) -> String) -> Value { .texts(all.map { Self.given(text($0)) }) }
        let isText = all.map { LoggedPush.isText($0.body) }
        return Command(
            """
            insert into record (namespace, seq, position, received_at, answered_at, id, topic, token, push_type,
                environment, status, reason, delivery, first_delivery, deleted, headers, body, body_bytes, facts)
            select $1, * from unnest($2::bigint[], $3::bigint[], $4::timestamptz[], $5::timestamptz[], $6::text[],
                $7::text[], $8::text[], $9::text[], $10::text[], $11::bigint[], $12::text[], $13::text[], $14::text[],
                $15::bigint[], $16::text[], $17::text[], $18::bytea[], $19::bytea[])
            """,
            [
                .integer(namespace), .numbers(all.map(\.seq)), .numbers(pushes.map(\.position)),
                .times(all.map(\.receivedAt)), .times(all.map(\.answeredAt)), texts(\.apnsID), texts(\.topic),
                texts(\.token), texts(\.pushType), texts(\.environment), .integers(all.map { Int64($0.status) }),
                texts(\.reason), .texts(pushes.map { Self.given($0.delivery ?? $0.push.delivery) }),
                .texts(pushes.map { $0.delivery == nil ? nil : $0.push.delivery }),
                .integers(pushes.map { $0.deleted.map { Int64(clamping: $0) } }),
                .utf8s(all.map { HeaderText.text(of: $0.headers) }),
                .utf8s(zip(all, isText).map { $1 ? $0.body : nil }),
                .blobs(zip(all, isText).map { $1 ? nil : $0.body }), .blobs(all.map(\.facts)),
            ])
    }

    /// A text, or null for an empty one.
    private static func given(_ text: String) -> String? { text.isEmpty ? nil : text }

    private var stepCommand: Command {
        let all = steps.map(\.step)
        return Command(
            """
            insert into step (namespace, position, seq, push, at, event, delivery, facts)
            select $1, * from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::text[], $7::text[],
                $8::bytea[])
            """,
            [
                .integer(namespace), .numbers(steps.map(\.position)), .numbers(all.map(\.seq)),
                .numbers(all.map(\.push)), .times(all.map(\.at)), .texts(all.map(\.event)),
                .texts(all.map { Self.given($0.delivery) }), .blobs(all.map(\.facts)),
            ])
    }

    /// Inserts changes, and locks the log at the first call.
    ///
    /// Changes come after all other rows, so the lock is held only briefly.
    private func changeCommands() throws(StoreError) -> [Command] {
        let start: UInt64
        if let position {
            start = position
        } else {
            let locked = try connection.run("select position from head where id = 1 for update")
            start = locked.first?.number(0) ?? 0
        }
        let end = start + UInt64(changes.count)
        position = end
        func numbers(_ number: (StoredChange) -> UInt64?) -> Value {
            .integers(changes.map { number($0).map { Int64(clamping: $0) } })
        }
        let insertion = """
            insert into change (namespace, position, world_position, system, world, kind, data, pushes, first_push,
                last_push)
            select $1, * from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::bytea[],
                $8::bigint[], $9::bigint[], $10::bigint[])
            """
        let values: [Value] = [
            .integer(namespace), .numbers(Array((start + 1)...end)), .numbers(changes.map(\.entry.position)),
            .integers(changes.map(\.entry.system)), .integers(changes.map(\.entry.world)),
            .texts(changes.map(\.entry.kind)), .blobs(changes.map(\.entry.data)),
            .integers(changes.map { Int64($0.pushes) }), numbers(\.firstPush), numbers(\.lastPush),
        ]
        let move = Command("update head set position = $1 where id = 1", [.number(end)])
        return [Command(insertion, values), move]
    }
}
