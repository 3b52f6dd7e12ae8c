import TestSupport
import Testing

@testable import MockAPNsRules
@testable import MockAPNsWorld

/// What is read back equals what was put in.
@Suite struct RoundTripTests {
    @Test(arguments: 1...40) func `a random push is read back unchanged`(seed: UInt64) throws {
        var random = Generator(seed: seed)
        let journal = Journal()
        let drafts = (0..<20).map { _ in Self.draft(&random) }
        journal.record(drafts, at: Timestamp(microseconds: Draft.now.microseconds + 1_000))

        let records = journal.pushes(.with { $0.limit = .max }).pushes
        try #require(records.count == drafts.count)
        for (record, draft) in zip(records, drafts) { Self.expect(record, equals: draft) }

        for (found, draft) in zip(journal.snapshot(), drafts) { Self.expectBytes(found.record, equal: draft) }
    }

    @Test func `an empty request is read back unchanged`() throws {
        let journal = Journal()
        var draft = Draft()
        draft.status = 0
        journal.record(draft)
        let record = try #require(journal.push(seq: 1))
        Self.expect(record, equals: draft)
        #expect(record.request.headers.isEmpty && record.request.body.isEmpty)
        #expect(record.bodyLength == 0)
        #expect(record.request[.path] == nil)
        #expect(record.problem == nil)
        #expect(record.answer.status == 0)
        #expect(record.answer.id == nil && record.answer.uniqueID == nil)
        #expect(record.answer.headers.isEmpty && record.answer.body.isEmpty)
    }

    @Test func `headers without a body and a body without headers are read back`() throws {
        let journal = Journal()
        let headers = Draft(fields: [Draft.Field(":path", "/"), Draft.Field("x-empty", "")])
        let body = Draft(body: [0, 0xff, 0xc0])
        journal.record(headers, body, headers)
        for (position, draft) in [headers, body, headers].enumerated() {
            Self.expect(try #require(journal.push(seq: .record(position + 1))), equals: draft)
        }
    }

    @Test func `a body too large to keep leaves its length`() throws {
        let journal = Journal()
        var draft = Draft.push(reason: .payloadTooLarge, body: "")
        draft.bodyLength = 70_000
        journal.record(draft)
        let record = try #require(journal.push(seq: 1))
        #expect(record.request.body.isEmpty)
        #expect(record.bodyLength == 70_000)
    }

    @Test func `what the transport refused is told apart`() throws {
        let journal = Journal()
        var draft = Draft.push()
        draft.status = 431
        draft.id = nil
        draft.fields.append(Draft.Field("apns-id", "9d3220fe-444b-633e-d1f1-5d0dcb4f537a"))
        draft.problem = "The header list is too large."
        journal.record(draft)
        let record = try #require(journal.push(seq: 1))
        #expect(record.problem == "The header list is too large.")
        #expect(record.answer.status == 431)
        #expect(record.answer.id == nil && record.answer.headers.isEmpty && record.answer.body.isEmpty)
        #expect(record.verdict == Verdict.accepted)
    }

    @Test func `texts of a record are cut at their limits`() throws {
        let journal = Journal()
        var draft = Draft.push()
        let long = String(repeating: "k", count: 1_025)
        draft.credential = ProviderCredential(
            refusal: ProviderToken.Refusal(verification: .malformed, keyID: long, teamID: long + long))
        draft.problem = long
        journal.record(draft, .lone(topic: "next"))
        let record = try #require(journal.push(seq: 1))
        let expected = String(repeating: "k", count: 1_024)
        #expect(record.keyID == expected)
        #expect(record.teamID == expected)
        #expect(record.problem == expected)
        #expect(journal.pushes(PushQuery()).pushes.first?.request[.apnsTopic] == "next")
    }

    /// Found by reading: 65,536 of them were counted as none, and written over what came after the record.
    @Test func `keeps at most 65,535 header fields`() throws {
        let journal = Journal()
        var draft = Draft(fields: Array(repeating: Draft.Field("", ""), count: 70_000), body: [1, 2, 3])
        draft.fields[1] = Draft.Field(":path", "/3/device/abcd")
        journal.record(draft, .lone(topic: "next"))
        let record = try #require(journal.push(seq: 1))
        #expect(record.request.headers.count == 65_535)
        #expect(record.request[.path] == "/3/device/abcd")
        #expect(record.request.body == [1, 2, 3])
        #expect(journal.pushes(PushQuery()).pushes.first?.request[.apnsTopic] == "next")
    }

    @Test func `a record knows its connection`() throws {
        let journal = Journal()
        let connection = ConnectionRecord.made(7)
        journal.connectionOpened(connection)
        var draft = Draft.push()
        draft.connection = 7
        journal.record(draft, .push())
        let records = journal.pushes(.with { _ in }).pushes
        #expect(records.map(\.connectionID) == [7, 1])
        #expect(records.first?.connection?.remoteAddress == connection.remoteAddress)
        #expect(records.last?.connection?.id == nil)
    }

    // MARK: Random records

    private static let names = HeaderName.allCases.filter { $0 != .other && $0 != .authorization }.map {
        Array($0.text.description.utf8)
    }

    static func draft(_ random: inout Generator) -> Draft {
        var draft = Draft()
        draft.fields = (0..<random.number(0...30)).map { _ in
            let name = random.number(0...2) == 0 ? random.bytes(1...20) : random.pick(names)
            return Draft.Field(name: name, value: random.bytes(0...random.pick([0, 5, 300])))
        }
        draft.body = random.bytes(0...random.pick([0, 1, 9, 4_096]))
        if random.number(0...9) == 0 { draft.bodyLength = draft.body.count + random.number(1...100_000) }
        draft.system = Timestamp(microseconds: Draft.now.microseconds + Int64(random.number(0...1_000)))
        draft.world = Timestamp(microseconds: Int64(truncatingIfNeeded: random.next()))
        draft.connection = random.next()
        draft.streamID = Int32(truncatingIfNeeded: random.next()) & .max
        draft.requestOnConnection = UInt32(truncatingIfNeeded: random.next())
        draft.environment = random.pick(Environment.allCases)
        if random.number(0...1) == 0 {
            let check = UInt8(random.number(0...27))
            draft.verdict = Verdict(reason: random.pick(Reason.allCases), decidedBy: check)
            draft.hasContentType = random.number(0...1) == 0
        }
        draft.verification = random.pick(TokenVerification.allCases)
        if random.number(0...2) > 0 { draft.credential = credential(&random) }
        draft.id = UniqueID(high: random.next(), low: random.next())
        if random.number(0...1) == 0 { draft.uniqueID = UniqueID(high: random.next(), low: random.next()) }
        return draft
    }

    private static func credential(_ random: inout Generator) -> ProviderCredential {
        let (keyID, teamID) = (random.pick(["", "K", "ÄBC123DEFG", "ABC123DEFG"]), random.pick(["", "DEF123GHIJ"]))
        guard random.number(0...1) == 0 else {
            return ProviderCredential(
                refusal: ProviderToken.Refusal(verification: .malformed, keyID: keyID, teamID: teamID))
        }
        let token = ProviderToken(
            algorithm: .es256, keyID: keyID, teamID: teamID, issuedAt: Double(random.number(0...2_000_000_000)) + 0.25,
            issuedAtIsText: false, subject: nil, signedLength: 0, signature: [])
        return ProviderCredential(token: token, key: ProviderKey(keyID: keyID, teamID: teamID), verification: .verified)
    }

    // MARK: Comparing

    private static func expect(_ record: PushRecord, equals draft: Draft) {
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        #expect(record.request.headers.map(\.name) == draft.fields.map { text($0.name) })
        #expect(record.request.headers.map(\.value) == draft.fields.map { text($0.value) })
        for name in HeaderName.allCases where name != .other {
            let first = draft.fields.first { text($0.name) == name.text.description }
            #expect(record.request[name] == first.map { text($0.value) })
        }
        #expect(record.request.body == draft.body)
        #expect(Int(record.bodyLength) == draft.bodyLength ?? draft.body.count)
        #expect(record.receivedAt == draft.system)
        #expect(record.clockTime == draft.world)
        #expect(record.connectionID == draft.connection)
        #expect(record.streamID == draft.streamID)
        #expect(record.requestOnConnection == draft.requestOnConnection)
        #expect(record.environment == draft.environment)
        #expect(record.verdict == draft.verdict)
        #expect(record.verification == draft.verification)
        let key = draft.credential?.key
        #expect(record.keyID == (key?.keyID == "" ? nil : key?.keyID))
        #expect(record.teamID == (key?.teamID == "" ? nil : key?.teamID))
        #expect(record.issuedAt == draft.credential?.issuedAt)
        let status = draft.status ?? draft.verdict.status
        #expect(record.answer.status == status)
        // A path of random bytes leads to no device; what was refused was never on its way to one.
        #expect(record.delivery?.steps.isEmpty == (status == 200 ? true : nil))
        #expect(record.epoch == 1)
    }

    /// The bytes themselves, which texts may have repaired.
    private static func expectBytes(_ record: RecordView, equal draft: Draft) {
        let (fields, body) = record.withRequest { request in
            let fields = request.fields.map { field in
                Draft.Field(name: Array(request.name(of: field).bytes), value: Array(request.value(of: field).bytes))
            }
            return (fields, Array(request.body.bytes))
        }
        #expect(fields == draft.fields)
        #expect(body == draft.body)
        #expect(Int(record.head.length) % RecordHead.alignment == 0)
    }
}
