import TestSupport
import Testing

@testable import MockAPNsWorld

/// What has to happen when, against a list that is sorted whenever somebody asks.
@Suite struct DueQueueTests {
    typealias Item = DueQueue.Item

    /// Takes out what is due, as `popDue` says it.
    private func drain(_ queue: inout DueQueue, at now: Int64) -> [(item: Item, time: Int64)] {
        var due: [(item: Item, time: Int64)] = []
        while let next = queue.popDue(at: now) { due.append(next) }
        return due
    }

    @Test func `an empty queue has nothing due`() {
        var queue = DueQueue()
        #expect(queue.next == nil)
        #expect(queue.popDue(at: .max) == nil)
        queue.set(.stored(1), to: nil)
        #expect(queue.next == nil)
    }

    /// A time has come when the clock shows it, not before.
    @Test(arguments: [(-1, false), (0, true), (1, true)]) func `an item is due at its time`(later: Int64, isDue: Bool) {
        var queue = DueQueue()
        queue.set(.stored(1), to: 1_000)
        #expect(queue.next == 1_000)
        let popped = queue.popDue(at: 1_000 + later)
        #expect((popped != nil) == isDue)
        #expect(queue.next == (isDue ? nil : 1_000))
        if isDue { #expect(popped?.item == .stored(1) && popped?.time == 1_000) }
    }

    @Test func `items come in the order of their times`() {
        var queue = DueQueue()
        for (place, time) in [30, 10, 50, 20, 40, -5, .max, .min].enumerated() as EnumeratedSequence<[Int64]> {
            queue.set(.stored(UInt32(place)), to: time)
        }
        #expect(drain(&queue, at: 40).map(\.time) == [.min, -5, 10, 20, 30, 40])
        #expect(drain(&queue, at: .max).map(\.item) == [.stored(2), .stored(6)])
        #expect(queue.next == nil)
    }

    @Test func `what is stored and what is offline are different things`() {
        var queue = DueQueue()
        queue.set(.stored(7), to: 2)
        queue.set(.offline(7), to: 1)
        #expect(drain(&queue, at: 5).map(\.item) == [.offline(7), .stored(7)])
    }

    @Test func `of what is due together notifications come first`() {
        let items: [DueQueue.Item] = [.stored(0), .stored(3), .stored(9), .offline(0), .offline(2), .offline(5)]
        for shift in items.indices {
            var queue = DueQueue()
            for item in items[shift...] + items[..<shift] { queue.set(item, to: 7) }
            #expect(drain(&queue, at: 7).map(\.item) == items)
        }
    }

    /// The time of one of many changes: to the front, to the end, to nothing and back.
    @Test(arguments: 0..<9 as Range<Int64>) func `a time can be changed`(place: Int64) {
        for time in [nil, -1, 0, 35, 45, 1_000] as [Int64?] {
            var queue = DueQueue()
            for other in 0..<9 as Range<Int64> { queue.set(.stored(UInt32(other)), to: 10 * other) }
            queue.set(.stored(UInt32(place)), to: time)
            var expected = (0..<9 as Range<Int64>).filter { $0 != place }.map { 10 * $0 }
            if let time { expected = (expected + [time]).sorted() }
            #expect(queue.next == expected.first)
            var copy = queue
            #expect(drain(&copy, at: .max).map(\.time) == expected)

            queue.set(.stored(UInt32(place)), to: 10 * place)
            #expect(drain(&queue, at: .max).map(\.time) == (0..<9 as Range<Int64>).map { 10 * $0 })
        }
    }

    @Test(arguments: 1...20) func `agrees with a sorted list`(seed: UInt64) {
        var random = Generator(seed: seed)
        // Few times, so that many are the same.
        let times = random.pick([3, 50, 100_000])
        let places = random.pick([5, 40, 400])
        var (queue, model) = (DueQueue(), [Item: Int64]())
        var now: Int64 = 0
        for round in 0..<4_000 {
            let place = UInt32(random.number(0...places))
            let item: Item = random.number(0...1) == 0 ? .stored(place) : .offline(place)
            switch random.number(0...9) {
            case 0..<6:
                let time = now + Int64(random.number(0...times))
                queue.set(item, to: time)
                model[item] = time
            case 6, 7:
                queue.set(item, to: nil)
                model[item] = nil
            default:
                now += Int64(random.number(0...times / 3 + 1))
                while let (item, time) = queue.popDue(at: now) {
                    guard time <= now, time == model.values.min(), model.removeValue(forKey: item) == time else {
                        Issue.record("\(item) at \(time) came out at \(now), in round \(round)")
                        return
                    }
                }
                #expect(model.values.allSatisfy { $0 > now })
            }
            guard queue.next == model.values.min() else {
                Issue.record("next is \(queue.next ?? -1) after round \(round)")
                return
            }
        }
        let rest = drain(&queue, at: .max)
        #expect(rest.map(\.time) == model.values.sorted())
        #expect(rest.allSatisfy { model[$0.item] == $0.time } && rest.count == model.count)
    }
}
