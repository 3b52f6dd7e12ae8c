import MockAPNsRules
import Synchronization
import Testing

@testable import MockAPNsWorld

/// Many publish and many read at once; the thread sanitizer looks on.
struct ConcurrencyTests {
    /// What an accepted push takes of a device that is online: numbers of its arrival, answer and delivery.
    private static let numbersEach: UInt64 = 3

    /// Small enough that segments are evicted and used again while they are read.
    @Test func `readers see whole records while segments are used again`() async {
        let journal = Journal(capacity: Journal.Capacity(records: 120))
        let (publishers, each) = (3, 250)
        await withTaskGroup { group in
            for publisher in 0..<publishers {
                group.addTask {
                    for number in 0..<each {
                        journal.record(Self.push(publisher, number))
                        await Task.yield()
                    }
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    while journal.counters.received < UInt64(publishers * each) {
                        Self.expectWhole(journal.pushes(.with { $0.limit = .max }))
                        await Task.yield()
                    }
                }
            }
        }
        #expect(journal.extent.lastSeq == UInt64(publishers * each) * Self.numbersEach)
        #expect(journal.extent.evicted == UInt64(publishers * each - 120))
        #expect(journal.counters.received == UInt64(publishers * each))
    }

    @Test func `connections come and go while they are listed`() async {
        let journal = Journal()
        await withTaskGroup { group in
            for loop in 0..<4 as Range<UInt64> {
                group.addTask {
                    for number in 1...200 as ClosedRange<UInt64> {
                        let id = loop * 1_000 + number
                        journal.connectionOpened(.made(id))
                        var draft = Draft.push()
                        draft.connection = id
                        journal.record(draft)
                        journal.connectionClosed(.made(id), at: Draft.now, code: "shutdown", detail: "")
                    }
                }
                group.addTask {
                    for _ in 0..<20 {
                        let numbers = journal.connections.map(\.id)
                        #expect(numbers == numbers.sorted())
                        #expect(journal.pushes(PushQuery()).pushes.allSatisfy { $0.connection != nil })
                        await Task.yield()
                    }
                }
            }
        }
        #expect(journal.connections.count == 800)
        #expect(journal.connections.allSatisfy { $0.closedAt == Draft.now })
    }

    @Test func `the clock is read while it is stopped`() async {
        let clock = WorldClock()
        await withTaskGroup { group in
            group.addTask {
                for second in 1...1_000 as ClosedRange<Int64> { clock.stop(at: Timestamp(seconds: second)) }
            }
            group.addTask {
                for _ in 0..<1_000 {
                    let reading = clock.read()
                    #expect(reading.world == reading.system || reading.world.microseconds <= 1_000_000_000)
                }
            }
        }
        #expect(clock.read().world == Timestamp(seconds: 1_000))
    }

    /// A moment of one change and the manner of another would be a time that nobody ever set.
    @Test func `nobody sees half a change of the clock`() async {
        let clock = WorldClock()
        clock.stop(at: Timestamp(microseconds: 1))
        let isRead = Flag()
        await withTaskGroup { group in
            group.addTask {
                var number: Int64 = 1
                // As long as somebody reads: two tasks of some length each may well run one after the other.
                while !isRead.isUp.load(ordering: .relaxed) {
                    number += 2
                    clock.stop(at: Timestamp(microseconds: number))
                    clock.run(offset: number + 1)
                }
            }
            group.addTask {
                let halves = (0..<200_000).count { _ in
                    switch clock.mode {
                    case .running(let offset): offset % 2 != 0
                    case .stopped(let moment): moment.microseconds % 2 != 1
                    }
                }
                isRead.isUp.store(true, ordering: .relaxed)
                #expect(halves == 0)
            }
        }
    }

    /// Something that has happened, for other tasks to see.
    private final class Flag: Sendable { let isUp = Atomic<Bool>(false) }

    /// A push whose body can be told from its topic, and takes a good part of a segment.
    private static func push(_ publisher: Int, _ number: Int) -> Draft {
        let letter = ["a", "b", "c"][publisher]
        let token = String(repeating: letter, count: 64)
        return .push(token: token, topic: letter, body: String(repeating: letter, count: 3_000 + number))
    }

    private static func expectWhole(_ page: PushPage) {
        var expected = page.pushes.first?.seq ?? 0
        for record in page.pushes {
            let body = record.request.body
            let letter = record.request[.apnsTopic]?.utf8.first ?? 0
            let isWhole = body.count >= 3_000 && body == Array(repeating: letter, count: body.count)
            guard record.seq == expected, isWhole else {
                Issue.record("record \(record.seq) is damaged, or out of order")
                return
            }
            expected += numbersEach
        }
        if let last = page.pushes.last { #expect(last.seq + numbersEach - 1 == page.extent.lastSeq) }
        #expect(page.pushes.count <= 120)
    }
}
