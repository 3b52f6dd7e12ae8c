internal import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsWorld

/// New rows for the table `record`, stored by column.
struct PushRows {
    private var namespaces = ArrayValue(of: .integer)
    private var numbers = ArrayValue(of: .integer)
    private var positions = ArrayValue(of: .integer)
    private var received = ArrayValue(of: .time)
    private var answered = ArrayValue(of: .time)
    private var ids = ArrayValue(of: .text)
    private var topics = ArrayValue(of: .text)
    private var tokens = ArrayValue(of: .text)
    private var pushTypes = ArrayValue(of: .text)
    private var environments = ArrayValue(of: .text)
    private var statuses = ArrayValue(of: .integer)
    private var reasons = ArrayValue(of: .text)
    private var deliveries = ArrayValue(of: .text)
    private var firstDeliveries = ArrayValue(of: .text)
    private var headers = ArrayValue(of: .text)
    private var bodies = ArrayValue(of: .text)
    private var bodyBytes = ArrayValue(of: .blob)
    private var facts = ArrayValue(of: .blob)
    private var scratch: [UInt8] = []
    /// The number of rows of each namespace, and their approximate size as `PushRow.size` counts it.
    private var added: [Int64: (count: Int64, size: Int64)] = [:]

    var isEmpty: Bool { numbers.count == 0 }

    /// Adds a push of a namespace.
    ///
    /// `position` is that of its change; `later` is its current delivery state if that has already changed.
    mutating func add(_ push: borrowing PushColumns, at position: UInt64, of namespace: Int64, delivery later: String?)
    {
        namespaces.add(namespace)
        numbers.add(number: push.seq)
        positions.add(number: position)
        received.add(time: push.receivedAt)
        answered.add(time: push.answeredAt)
        ids.add(given: push.apnsID)
        topics.add(given: push.topic)
        tokens.add(given: push.token)
        pushTypes.add(given: push.pushType)
        environments.add(given: push.environment)
        statuses.add(Int64(push.status))
        reasons.add(given: push.reason)
        if let later, later != push.delivery.text {
            deliveries.add(text: later)
            firstDeliveries.add(text: push.delivery.text)
        } else {
            deliveries.add(given: push.delivery)
            firstDeliveries.addNull()
        }
        HeaderText.write(push, to: &scratch)
        scratch.withUnsafeBufferPointer { headers.add(bytes: ByteSpan($0)) }
        if LoggedPush.isText(push.body) {
            bodies.add(bytes: push.body)
            bodyBytes.addNull()
        } else {
            bodies.addNull()
            bodyBytes.add(bytes: push.body)
        }
        facts.add(bytes: push.facts)
        let (count, size) = added[namespace] ?? (0, 0)
        let own = PushRow.fixedSize + scratch.count + push.body.count + push.facts.count
        added[namespace] = (count + 1, size + Int64(own))
    }

    /// The statements that insert the rows and update the counts of their namespaces.
    var commands: [Command] {
        let counts = added.sorted { $0.key < $1.key }
        return [
            Command(
                """
                insert into record (namespace, seq, position, received_at, answered_at, id, topic, token, push_type,
                    environment, status, reason, delivery, first_delivery, headers, body, body_bytes, facts)
                select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::timestamptz[],
                    $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::bigint[], $12::text[],
                    $13::text[], $14::text[], $15::text[], $16::text[], $17::bytea[], $18::bytea[])
                """,
                [
                    namespaces, numbers, positions, received, answered, ids, topics, tokens, pushTypes, environments,
                    statuses, reasons, deliveries, firstDeliveries, headers, bodies, bodyBytes, facts,
                ].map { .array($0) }),
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
