import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsWorld

/// The steps of notifications: kept with their records, and gone with them.
@Suite struct JournalLogTests {
    private static let app = AppDelivery().situation

    /// A log that can be looked at in expectations.
    private final class Log {
        private var log: JournalLog

        init(records: Int) { log = JournalLog(capacity: Journal.Capacity(records: records)) }

        var nextSeq: UInt64 { log.nextSeq }
        var recordCount: Int { log.recordCount }

        /// Takes a record in, and gives its number.
        func append(at now: Timestamp = Draft.now) -> UInt64 {
            let batch = RecordBatch()
            Draft.lone().append(to: batch)
            return log.append(batch.bytes, at: WorldClock.Reading(system: Draft.now, world: now)).head.seq
        }

        func note(
            _ event: DeliveryEvent, of seq: UInt64, at now: Timestamp = Draft.now,
            in app: (state: AppState, allowsNotifications: Bool) = JournalLogTests.app
        ) { log.note(event, of: seq, at: now, in: app) }

        func evict() { log.evict(keepsPinned: false) }

        func removeAll() { log.removeAll() }

        func entry(_ seq: UInt64) -> JournalEntry? {
            log.find(seq).map { segment, position in segment.entries[position] }
        }

        func steps(of entry: JournalEntry) -> [Step] {
            log.steps(of: entry).map { Step(seq: $0.seq, at: $0.at, event: $0.event) }
        }

        func steps(_ seq: UInt64) -> [Step]? { entry(seq).map { steps(of: $0) } }
    }

    struct Step: Equatable {
        let seq: UInt64
        let at: Timestamp
        let event: DeliveryEvent
    }

    @Test func `a record begins without steps`() throws {
        let log = Log(records: 10)
        let seq = log.append()
        let entry = try #require(log.entry(seq))
        #expect(log.steps(of: entry).isEmpty)
        #expect(entry.state == nil && !entry.hasMore)
        #expect(entry.place == SlotPlace.none && entry.first == nil)
        #expect(entry.appState == nil && entry.allowsNotifications)
    }

    /// Each step takes a number, whether it comes with the answer or later.
    @Test func `steps are numbered with everything else`() throws {
        let log = Log(records: 10)
        let (first, later) = (log.append(), Timestamp(seconds: 1_800_000_000))
        log.note(.storedDeviceOffline, of: first)
        let second = log.append()
        #expect((first, second) == (1, 4))
        log.note(.discardedCollapsed, of: first, at: later)
        log.note(.delivered, of: second, at: later)
        log.note(.held, of: second, at: later)
        #expect(
            log.steps(first) == [
                Step(seq: 3, at: Draft.now, event: .storedDeviceOffline),
                Step(seq: 6, at: later, event: .discardedCollapsed),
            ])
        #expect(
            log.steps(second) == [Step(seq: 7, at: later, event: .delivered), Step(seq: 8, at: later, event: .held)])
        #expect(log.nextSeq == 9)
    }

    /// The service's last word counts; what happens on the device later does not change it.
    @Test(arguments: DeliveryEvent.allCases, DeliveryEvent.allCases) func `the state is the last that the service knew`(
        first: DeliveryEvent, second: DeliveryEvent
    ) throws {
        let log = Log(records: 10)
        let seq = log.append()
        log.note(first, of: seq)
        log.note(second, of: seq)
        let entry = try #require(log.entry(seq))
        let expected = [first, second].last { $0.row.state != nil }
        #expect(entry.state == expected)
        #expect(log.steps(seq)?.map(\.event) == [first, second])
    }

    /// How the app was when the notification arrived, not how it was before or after.
    @Test(arguments: AppState.allCases, [true, false]) func `the app is noted when the notification arrives`(
        state: AppState, isAllowed: Bool
    ) throws {
        let other = AppDelivery(appState: .foreground, allowsNotifications: !isAllowed).situation
        let app = AppDelivery(appState: state, allowsNotifications: isAllowed).situation
        for arrival in [DeliveryEvent.delivered, .deliveredFromStorage] {
            let log = Log(records: 10)
            let seq = log.append()
            log.note(.storedDeviceOffline, of: seq, in: other)
            #expect(log.entry(seq)?.appState == nil)
            log.note(arrival, of: seq, in: app)
            log.note(.handedOver, of: seq, in: other)
            let entry = try #require(log.entry(seq))
            #expect(entry.appState == state && entry.allowsNotifications == isAllowed)
        }
    }

    @Test func `steps go with their records`() throws {
        let log = Log(records: 2)
        let seq = log.append()
        for event in [DeliveryEvent.storedDeviceOffline, .deliveredFromStorage, .held] { log.note(event, of: seq) }
        let entry = try #require(log.entry(seq))
        #expect(log.steps(of: entry).count == 3)
        let second = log.append()
        log.note(.storedDeviceOffline, of: second)
        log.note(.discardedExpired, of: second)
        _ = log.append()
        log.evict()
        #expect(log.entry(seq)?.seq == nil && log.recordCount == 2)
        // Who holds the entry still knows the first step, which lies in it; the others are gone.
        #expect(log.steps(of: entry).map(\.event) == [.storedDeviceOffline])
        #expect(log.steps(second)?.map(\.event) == [.storedDeviceOffline, .discardedExpired])
    }

    @Test func `a step of a record that is gone only counts`() throws {
        let log = Log(records: 1)
        let seq = log.append()
        log.note(.storedDeviceOffline, of: seq)
        log.note(.storedPowerConsiderations, of: seq)
        let entry = try #require(log.entry(seq))
        let next = log.append()
        log.evict()
        let number = log.nextSeq
        log.note(.deliveredFromStorage, of: seq)
        log.note(.delivered, of: 0)
        log.note(.delivered, of: next + 1)
        log.note(.delivered, of: number + 100)
        #expect(log.nextSeq == number + 4)
        #expect(log.steps(of: entry).count == 1)
        #expect(log.steps(next) == [])
    }

    @Test func `a reset forgets steps and counts on`() throws {
        let log = Log(records: 10)
        let seq = log.append()
        log.note(.storedDeviceOffline, of: seq)
        log.note(.discardedExpired, of: seq)
        let entry = try #require(log.entry(seq))
        log.removeAll()
        #expect(log.recordCount == 0 && log.nextSeq == 5)
        #expect(log.entry(seq)?.seq == nil)
        #expect(log.steps(of: entry).map(\.event) == [.storedDeviceOffline])
        #expect(log.append() == 5)
        #expect(log.steps(5) == [])
    }

    /// Steps of any record at any time, among records that come and go, against a dictionary.
    @Test(arguments: 1...12) func `steps agree with a dictionary`(seed: UInt64) throws {
        var random = Generator(seed: seed)
        let capacity = random.pick([1, 5, 40])
        let log = Log(records: capacity)
        var model: [(seq: UInt64, steps: [Step])] = []
        var gone: [JournalEntry] = []
        var next: UInt64 = 1
        var longest = 0
        for round in 0..<1_500 {
            let now = Timestamp(microseconds: Draft.now.microseconds + Int64(round))
            if random.number(0...2) == 0 {
                #expect(log.append(at: now) == next)
                model.append((next, []))
                next += 2
                if random.number(0...1) == 0 {
                    let event = random.pick(DeliveryEvent.allCases)
                    log.note(event, of: next - 2, at: now)
                    model[model.count - 1].steps.append(Step(seq: next, at: now, event: event))
                    next += 1
                }
                while model.count > capacity {
                    gone.append(try #require(log.entry(model[0].seq)))
                    model.removeFirst()
                    log.evict()
                }
            } else {
                // Most often of a record that is there, at times of one that is not any more, or never was.
                // What was answered without a step is not on its way to a device, and never has one.
                let onTheirWay = model.indices.filter { !model[$0].steps.isEmpty }
                let isThere = !onTheirWay.isEmpty && random.number(0...4) > 0
                let position = isThere ? random.pick(onTheirWay) : nil
                let seq = position.map { model[$0].seq } ?? (gone.isEmpty ? next : random.pick(gone).seq)
                let event = random.pick(DeliveryEvent.allCases)
                log.note(event, of: seq, at: now)
                if let position { model[position].steps.append(Step(seq: next, at: now, event: event)) }
                next += 1
            }
            longest = max(longest, model.last?.steps.count ?? 0)
            guard log.nextSeq == next, log.recordCount == model.count else {
                Issue.record("the next number is \(log.nextSeq), not \(next), in round \(round)")
                return
            }
        }
        for (seq, steps) in model { #expect(log.steps(seq) == steps) }
        #expect(longest > 2)
        for entry in gone { #expect(log.steps(of: entry).count <= 1) }
    }
}
