import MockAPNsRules

@testable import MockAPNsWorld

/// A record to be: a request, byte by byte, and what came of it.
struct Draft: Sendable {
    /// A header field; bytes, because nothing makes a client send UTF-8.
    struct Field: Equatable, Sendable {
        let name: [UInt8]
        let value: [UInt8]

        init(name: [UInt8], value: [UInt8]) {
            self.name = name
            self.value = value
        }

        init(_ name: String, _ value: String) { self.init(name: Array(name.utf8), value: Array(value.utf8)) }
    }

    static let token = String(repeating: "0123456789abcdef", count: 4)
    /// In the place of a device token, what is none: a push that nobody gets.
    static let nobody = "nobody"
    static let now = Timestamp(seconds: 1_754_402_113)

    var fields: [Field]
    var body: [UInt8]
    /// Larger than the body when the body was too large to keep.
    var bodyLength: Int?
    var system = Draft.now
    var world = Draft.now
    var connection: UInt64 = 1
    var streamID: Int32 = 1
    var requestOnConnection: UInt32 = 1
    var environment = Environment.sandbox
    var verdict = Verdict.accepted
    /// What the verdict says, unless it is given.
    var status: UInt16?
    var verification = TokenVerification.notChecked
    var credential: ProviderCredential?
    var deadSince: Timestamp?
    var registered: RegisteredToken?
    var id: UniqueID? = UniqueID(high: 1, low: 2)
    var uniqueID: UniqueID?
    var hasContentType = false
    var problem = ""

    /// A request of these fields and this body.
    init(fields: [Field] = [], body: [UInt8] = []) {
        self.fields = fields
        self.body = body
    }

    /// A usual push; accepted, it is delivered at once to a device that it makes itself.
    static func push(
        token: String = Draft.token, topic: String = "com.example.app", type: String? = nil, reason: Reason? = nil,
        body: String = "{}"
    ) -> Draft {
        var draft = Draft(fields: [
            Field(":method", "POST"), Field(":path", "/3/device/\(token)"), Field("apns-topic", topic),
        ])
        if let type { draft.fields.append(Field("apns-push-type", type)) }
        draft.body = Array(body.utf8)
        if let reason { draft.verdict = Verdict(reason: reason, decidedBy: 3) }
        return draft
    }

    private var facts: RecordHead {
        var facts = RecordHead()
        facts.receivedAt = system
        facts.clockTime = world
        facts.connectionID = connection
        facts.streamID = streamID
        facts.requestOnConnection = requestOnConnection
        facts.environment = environment
        facts.status = status ?? verdict.status
        facts.verdict = verdict
        facts.verification = verification
        facts.deadSince = deadSince
        facts.id = id
        facts.uniqueID = uniqueID
        facts.hasContentType = hasContentType
        return facts
    }

    /// Lends the request as the transport would: names and values one behind the other, the body elsewhere.
    func withRequest<Result>(_ use: (borrowing RequestView) -> Result) -> Result {
        var bytes: [UInt8] = []
        var laidOut: [HeaderField] = []
        var index = HeaderIndex()
        for field in fields {
            let name = field.name.withUnsafeBufferPointer { HeaderName(ByteSpan($0)) }
            index.note(name, at: laidOut.count)
            laidOut.append(
                HeaderField(name: name, at: bytes.count, nameLength: field.name.count, valueLength: field.value.count))
            bytes += (name == .other ? field.name : []) + field.value
        }
        bytes.append(0)  // so that an empty request still has an address
        return bytes.withUnsafeBufferPointer { bytes in
            laidOut.withUnsafeBufferPointer { laidOut in
                body.withUnsafeBufferPointer { body in
                    use(
                        RequestView(
                            bytes: bytes.baseAddress!, fields: laidOut, index: index, body: ByteSpan(body),
                            bodyLength: bodyLength ?? body.count))
                }
            }
        }
    }

    func append(to batch: RecordBatch) {
        withRequest { batch.append($0, facts, credential: credential, registered: registered, problem: problem) }
    }

    /// A push that no device gets, so that its record takes two numbers: its arrival's and its answer's.
    static func lone(topic: String = "com.example.app", body: String = "{}") -> Draft {
        .push(token: nobody, topic: topic, body: body)
    }

    /// The size of its record, in bytes.
    var recordSize: Int {
        let batch = RecordBatch()
        append(to: batch)
        return batch.bytes.count
    }
}

extension Journal {
    /// Publishes records as one batch.
    func record(_ drafts: Draft..., at now: Timestamp = Draft.now) { record(drafts, at: now) }

    /// Publishes records as one batch, judged by the rules in force.
    func record(_ drafts: [Draft], at now: Timestamp = Draft.now) {
        // A journal without a world tells its rules of its devices when somebody looks into it first.
        _ = extent
        let batch = RecordBatch()
        batch.begin(by: world.ruleset)
        for draft in drafts { draft.append(to: batch) }
        publish(batch, at: now)
    }

    /// Publishes so many pushes that nobody gets, each in a batch of its own.
    func record(count: Int) { for _ in 0..<count { record(.lone()) } }

    /// The numbers of all records kept, oldest first.
    var numbers: [UInt64] { pushes(.with { $0.limit = .max }).pushes.map(\.seq) }
}

extension UInt64 {
    /// The number of the `position`th record, from 1, where nothing was ever delivered.
    static func record(_ position: Int) -> UInt64 { UInt64(2 * position - 1) }

    /// The number of the last event of so many records, where nothing was ever delivered.
    static func end(of count: Int) -> UInt64 { UInt64(2 * count) }
}

extension PushQuery {
    /// A query in ascending order, with these conditions.
    static func with(_ change: (inout PushQuery) -> Void) -> PushQuery {
        var query = PushQuery()
        query.order = .ascending
        change(&query)
        return query
    }
}
