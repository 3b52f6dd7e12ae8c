internal import MockAPNsLog
internal import MockAPNsWorld

/// Writes log entries with a few statements, whatever the number of rows.
struct EntryBatch {
    /// The texts that pushes share; when the batch is written, pass them to the next one.
    private(set) var texts: HeaderTexts
    /// The end of the log before the batch.
    private let end: UInt64
    private var changes = Changes()
    private var pushes = PushRows()
    private var headers: [(namespace: Int64, text: SharedHeaders.Text)] = []
    private var steps = Steps()
    private var fanOuts: [Row: [UInt8]] = [:]
    private var removed: [(row: Row, position: UInt64)] = []
    /// For each namespace, the push number up to which it was cleared.
    private var cleared: [Int64: UInt64] = [:]
    /// The latest delivery state of each push that has a step with one.
    private var deliveries: [Row: String] = [:]

    /// Creates an empty batch of a turn that begins at this end of the log.
    init(_ texts: HeaderTexts = HeaderTexts(), at end: UInt64) { (self.texts, self.end) = (texts, end) }

    /// The number of a push in a namespace, or of a change.
    struct Row: Hashable {
        var namespace: Int64
        var number: UInt64
    }

    private struct Changes {
        var positions: [UInt64] = []
        var namespaces: [Int64?] = []
        var worldPositions: [UInt64] = []
        var systems: [Int64?] = []
        var worlds: [Int64?] = []
        var kinds: [String?] = []
        var data: [[UInt8]?] = []
        var counts: [Int64?] = []
        var firsts: [Int64?] = []
        var lasts: [Int64?] = []
    }

    private struct Steps {
        var namespaces: [Int64?] = []
        var positions: [UInt64] = []
        var steps: [LoggedStep] = []
    }

    /// Whether there is enough for a transaction that writes several batches.
    var isFull: Bool { steps.steps.count + fanOuts.count >= 10_000 || pushes.size >= 8 << 20 }

    /// Adds a push of a copied world to a namespace; its steps count as those of the change at `position`.
    mutating func add(_ push: KeptPush, stepsAt position: UInt64, of namespace: Int64) {
        var shared: SharedHeaders? = texts.take(of: namespace, at: end)
        push.withRow(sharing: &shared) { pushes.add($0, of: namespace) }
        keep(shared, of: namespace)
        for step in push.steps { add(step, at: position, of: namespace) }
        if let fanOut = push.fanOut { fanOuts[Row(namespace: namespace, number: push.seq)] = fanOut }
    }

    private mutating func add(_ step: LoggedStep, at position: UInt64, of namespace: Int64) {
        steps.namespaces.append(namespace)
        steps.positions.append(position)
        steps.steps.append(step)
        if !step.delivery.isEmpty { deliveries[Row(namespace: namespace, number: step.push)] = step.delivery }
    }

    /// Adds an entry of a namespace; `position` is that in the shared log.
    mutating func add(_ entry: LogEntry, at position: UInt64, of namespace: Int64) {
        changes.positions.append(position)
        changes.namespaces.append(namespace)
        changes.worldPositions.append(entry.position)
        changes.systems.append(entry.system)
        changes.worlds.append(entry.world)
        changes.kinds.append(entry.kind)
        changes.data.append(entry.data)
        changes.counts.append(Int64(entry.pushCount))
        let numbers = entry.pushNumbers
        changes.firsts.append(numbers.map { Int64(clamping: $0.lowerBound) })
        changes.lasts.append(numbers.map { Int64(clamping: $0.upperBound) })
        if entry.pushCount > 0 {
            var shared: SharedHeaders? = texts.take(of: namespace, at: end)
            entry.visitRows(sharing: &shared) { pushes.add($0, of: namespace) }
            keep(shared, of: namespace)
        }
        for step in entry.steps { add(step, at: entry.position, of: namespace) }
        for fanOut in entry.fanOuts { fanOuts[Row(namespace: namespace, number: fanOut.push)] = fanOut.data }
        for push in entry.removed { removed.append((Row(namespace: namespace, number: push), entry.position)) }
        if let end = entry.clearedUpTo { cleared[namespace] = max(cleared[namespace] ?? 0, end) }
    }

    /// Keeps the texts of a namespace for its next pushes, and those among them that are new for the table.
    private mutating func keep(_ shared: SharedHeaders?, of namespace: Int64) {
        guard var shared else { return }
        for text in shared.takeAdded() { headers.append((namespace, text)) }
        texts.keep(shared, of: namespace, at: end)
    }

    /// The statements, in the order in which they must run.
    func commands() -> [Command] {
        var commands: [Command] = []
        // First, because copying rows takes round trips of its own.
        if !pushes.isEmpty { commands += pushes.commands }
        if !headers.isEmpty { commands.append(headerCommand) }
        if !changes.positions.isEmpty { commands.append(changeCommand) }
        if !steps.steps.isEmpty { commands.append(stepCommand) }
        if !deliveries.isEmpty { commands.append(deliveryCommand) }
        if !fanOuts.isEmpty { commands.append(fanOutCommand) }
        if !removed.isEmpty { commands.append(removalCommand) }
        for (namespace, end) in cleared { commands.append(Self.clearing(namespace, upTo: end)) }
        return commands
    }

    private var headerCommand: Command {
        Command(
            "insert into header select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[])",
            [
                .integers(headers.map(\.namespace)), .integers(headers.map(\.text.number)),
                .numbers(headers.map(\.text.firstPush)), .utf8s(headers.map(\.text.text)),
            ])
    }

    private var changeCommand: Command {
        Command(
            """
            insert into change select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[],
                $5::bigint[], $6::text[], $7::bytea[], $8::bigint[], $9::bigint[], $10::bigint[])
            """,
            [
                .numbers(changes.positions), .integers(changes.namespaces), .numbers(changes.worldPositions),
                .integers(changes.systems), .integers(changes.worlds), .texts(changes.kinds), .blobs(changes.data),
                .integers(changes.counts), .integers(changes.firsts), .integers(changes.lasts),
            ])
    }

    /// A text, or null for an empty one.
    private static func given(_ text: String) -> String? { text.isEmpty ? nil : text }

    private var stepCommand: Command {
        Command(
            """
            insert into step (namespace, position, seq, push, at, event, delivery, facts)
            select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[],
                $6::text[], $7::text[], $8::bytea[])
            """,
            [
                .integers(steps.namespaces), .numbers(steps.positions), .numbers(steps.steps.map(\.seq)),
                .numbers(steps.steps.map(\.push)), .times(steps.steps.map(\.at)), .texts(steps.steps.map(\.event)),
                .texts(steps.steps.map { Self.given($0.delivery) }), .blobs(steps.steps.map(\.facts)),
            ])
    }

    private var deliveryCommand: Command {
        Command(
            """
            update record set first_delivery = coalesce(first_delivery, record.delivery, ''), delivery = new.delivery
            from unnest($1::bigint[], $2::bigint[], $3::text[]) as new (namespace, seq, delivery)
            where record.namespace = new.namespace and record.seq = new.seq
                and record.delivery is distinct from new.delivery
            """,
            [
                .integers(deliveries.map(\.key.namespace)), .numbers(deliveries.map(\.key.number)),
                .texts(deliveries.map(\.value)),
            ])
    }

    private var fanOutCommand: Command {
        Command(
            """
            insert into fan_out select * from unnest($1::bigint[], $2::bigint[], $3::bytea[])
            on conflict (namespace, push) do update set data = excluded.data
            """,
            [
                .integers(fanOuts.map(\.key.namespace)), .numbers(fanOuts.map(\.key.number)),
                .blobs(fanOuts.map(\.value)),
            ])
    }

    /// Marks pushes as deleted; `PostgresStore.tidy` deletes them when no snapshot needs them.
    private var removalCommand: Command {
        Command(
            """
            with gone as (
                update record set deleted = removed.position
                from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as removed (namespace, seq, position), namespace
                where record.namespace = removed.namespace and record.seq = removed.seq and deleted is null
                    and namespace.id = record.namespace and record.seq > cleared
                returning record.namespace
            )
            update namespace set pushes = pushes - sum.count
            from (select namespace, count(*) as count from gone group by namespace) as sum
            where id = sum.namespace
            """,
            [
                .integers(removed.map(\.row.namespace)), .numbers(removed.map(\.row.number)),
                .numbers(removed.map(\.position)),
            ])
    }

    private static func clearing(_ namespace: Int64, upTo end: UInt64) -> Command {
        Command(
            """
            update namespace set cleared = $2, pushes = (
                select count(*) from record where namespace = $1 and seq > $2 and deleted is null
            )
            where id = $1 and cleared < $2
            """, [.integer(namespace), .number(end)])
    }
}
