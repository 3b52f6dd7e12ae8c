import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// The signature of a provider token is nowhere in the journal: whoever reads it cannot push with it.
@Suite struct SignatureTests {
    /// Long, without repetition, and found nowhere else.
    static let signature = "Zk9tMnhRb0x1V3JKaEdTc1ZuQnlEa0VQNlRhOFh3SVl0NUNmN2pOZ0xwMHZRcktBelhoSGlNZVVkT3E"

    static func value(dots: Int, scheme: String) -> String {
        let parts = ["eyJhbGciOiJFUzI1NiJ9", "eyJpc3MiOiJERUYxMjNHSElKIn0"]
        return "\(scheme) " + (parts + Array(repeating: signature, count: dots - 1)).joined(separator: ".")
    }

    private func push(_ values: [String]) -> Draft {
        var draft = Draft.push()
        draft.fields += values.map { Draft.Field("authorization", $0) }
        draft.fields.append(Draft.Field("apns-priority", "10"))
        return draft
    }

    /// Every byte stored, and those of the batch on its way.
    private func expectAbsent(_ draft: Draft, sourceLocation: SourceLocation = #_sourceLocation) throws {
        // Segments and batches are used again, so earlier records lie under this one.
        let journal = Journal(capacity: Journal.Capacity(records: 2))
        let batch = RecordBatch()
        for _ in 0..<3 {
            draft.append(to: batch)
            #expect(!Self.holdsSignature(batch.bytes), sourceLocation: sourceLocation)
            journal.publish(batch, at: Draft.now)
            batch.removeAll()
        }
        for found in journal.snapshot() {
            let bytes = UnsafeRawBufferPointer(start: found.record.start, count: Int(found.record.head.length))
            #expect(!Self.holdsSignature(bytes), sourceLocation: sourceLocation)
        }
        let record = try #require(journal.pushes(PushQuery()).pushes.first, sourceLocation: sourceLocation)
        #expect(record.request.headers.count == draft.fields.count, sourceLocation: sourceLocation)
        #expect(record.request[.apnsPriority] == "10", sourceLocation: sourceLocation)
        #expect(record.request.body == draft.body, sourceLocation: sourceLocation)
    }

    /// Whether six bytes in a row of the signature occur anywhere.
    private static func holdsSignature(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let pieces = Set(windows(Array(signature.utf8)))
        return windows(Array(bytes)).contains { pieces.contains($0) }
    }

    private static func windows(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.count < 6 ? [] : (0...bytes.count - 6).map { bytes[$0..<$0 + 6] }
    }

    @Test(arguments: [2, 3, 10], ["bearer", "Bearer", "BEARER", "Basic", "bearer  "]) func `the signature is cut off`(
        dots: Int, scheme: String
    ) throws {
        let value = Self.value(dots: dots, scheme: scheme)
        try expectAbsent(push([value]))
        let journal = Journal()
        journal.record(push([value]))
        let kept = try #require(journal.push(seq: 1)?.request[.authorization])
        // The dots stay, since they show that the token has too many parts.
        let ends = String(repeating: ".", count: dots - 1)
        #expect(kept == "\(scheme) eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJERUYxMjNHSElKIn0\(ends)")
    }

    /// Padding is no secret, and shows that the token is not Base64URL.
    @Test func `the padding of a signature stays`() throws {
        var draft = push([Self.value(dots: 2, scheme: "bearer") + "=="])
        draft.verification = .verified
        try expectAbsent(draft)
        let journal = Journal()
        journal.record(draft)
        let kept = try #require(journal.push(seq: 1)?.request[.authorization])
        #expect(kept == "bearer eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJERUYxMjNHSElKIn0.==")
    }

    /// One letter of standard Base64 shows why a token was refused; of one that is accepted, it shows nothing new.
    @Test(arguments: [
        (TokenVerification.malformed, "ab+/+/cd", "+"), (.malformed, "ab/+cd==", "/=="), (.badSignature, "abcd", ""),
        (.verified, "ab+/cd", ""), (.verified, "ab+/cd==", "=="),
    ]) func `the first letter that is not Base64URL stays`(
        _ verification: TokenVerification, _ signature: String, _ kept: String
    ) throws {
        for fields in [["authorization"], ["authorization", "apns-priority"]] {
            var draft = Draft.push()
            draft.verification = verification
            draft.fields += fields.map { Draft.Field($0, $0 == "authorization" ? "bearer a.b.\(signature)" : "10") }
            let journal = Journal()
            journal.record(draft)
            let request = try #require(journal.push(seq: 1)?.request)
            #expect(request[.authorization] == "bearer a.b.\(kept)")
            #expect(request.removedFromToken == signature.utf8.count - kept.utf8.count)
        }
    }

    @Test func `nothing is removed from a push without a token`() throws {
        let journal = Journal()
        journal.record(Draft.push())
        #expect(journal.push(seq: 1)?.request.removedFromToken == 0)
    }

    /// A verified token's signature usually has 86 characters, and its dot is found without a search.
    @Test(arguments: [80, 85, 86, 87, 88]) func `a verified signature of any length is cut off`(length: Int) throws {
        let signature = String((Self.signature + Self.signature).prefix(length))
        for second in [[], ["bearer a.b.c.\(signature)"]] {
            var draft = push(["bearer a.b.\(signature)"] + second)
            draft.verification = .verified
            try expectAbsent(draft)
        }
    }

    @Test(arguments: 0..<8) func `the padding of a record has nothing of an earlier one`(length: Int) {
        let batch = RecordBatch()
        var earlier = Draft.push()
        earlier.body = Array(repeating: 0xff, count: 4_096)
        earlier.append(to: batch)
        batch.removeAll()
        Draft.push(body: String(repeating: "a", count: length)).append(to: batch)
        #expect(!batch.bytes.suffix(7).contains(0xff))
    }

    @Test func `two headers lose both signatures`() throws {
        let value = Self.value(dots: 2, scheme: "bearer")
        try expectAbsent(push([value, value]))
        try expectAbsent(push(["bearer a.b", value]))
        try expectAbsent(push([value, "", value]))
    }

    @Test(arguments: [
        "bearer ..\(signature)", "bearer a..\(signature)", "..\(signature)", "bearer {}.{}.\(signature)",
        "bearer \u{fffd}.ÿ.\(signature)", "bearer a.b.\(signature).", "bearer a.b.=\(signature)==",
        "bearer a.b. \(signature)", "bearer.a.b.\(signature)", "\(String(repeating: "a", count: 4_000)).b.\(signature)",
    ]) func `a malformed token loses what is where the signature would be`(value: String) throws {
        try expectAbsent(push([value]))
    }

    @Test func `the signature may be the last bytes of the request`() throws {
        var draft = Draft(fields: [
            Draft.Field("apns-priority", "10"), Draft.Field("authorization", Self.value(dots: 2, scheme: "bearer")),
        ])
        try expectAbsent(draft)
        draft.body = Array("{}".utf8)
        try expectAbsent(draft)
    }

    /// What waits for a device is kept apart from the journal, and longer.
    @Test func `a notification that waits has no signature`() throws {
        var startUp = World.StartUp()
        startUp.clock = Draft.now
        let app = DeviceDraft.Registration(token: DeviceToken(hex: Draft.token)!, topic: "com.example.app")
        startUp.devices = [DeviceDraft(label: "phone", isOnline: false, registrations: [app])]
        let world = try World(ruleset: Ruleset(), journalCapacity: Journal.Capacity(records: 1), startUp: startUp)
        world.journal.record(push([Self.value(dots: 2, scheme: "bearer")]))
        world.journal.record(.lone(), .lone())
        let stored = try #require(try world.devices.stored(.label("phone")).first)
        #expect(stored.seq == 1 && world.journal.push(seq: 1) == nil)
        #expect(stored.request[.authorization] == "bearer eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJERUYxMjNHSElKIn0.")
        #expect(stored.request[.apnsPriority] == "10")
    }

    /// Without a second dot nothing is a signature, and the value may help to see what is wrong.
    @Test(arguments: ["", "bearer", "bearer ", "bearer token", "bearer one.dot", "Basic dXNlcjpwYXNz", "a."])
    func `an authorization without a signature is kept whole`(value: String) throws {
        let journal = Journal()
        journal.record(push([value]))
        #expect(journal.push(seq: 1)?.request[.authorization] == value)
    }

    @Test func `a token with an empty signature is kept whole`() throws {
        let journal = Journal()
        journal.record(push(["bearer a.b."]))
        #expect(journal.push(seq: 1)?.request[.authorization] == "bearer a.b.")
    }
}
