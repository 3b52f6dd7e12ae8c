import TestSupport
import Testing

@testable import MockAPNsWorld

/// Places of elements: numbers that stay, and are told apart when they are used again.
@Suite struct SlotTableTests {
    /// Something that is noticed when it is forgotten.
    private final class Mark {
        let number: Int

        init(_ number: Int) { self.number = number }
    }

    private struct Slot: SlotElement {
        static var unused: Slot { Slot(mark: nil) }

        var generation: UInt32 = 0
        var isUsed = false
        var mark: Mark?

        init(mark: Mark?) { self.mark = mark }

        init(_ number: Int) { mark = Mark(number) }
    }

    /// Where an element was put.
    private struct Place: Hashable {
        let place: UInt32
        let generation: UInt32
    }

    /// A table that can be looked at in expectations.
    private final class Table {
        private var slots = SlotTable<Slot>()

        var count: Int { slots.count }
        var end: Int { slots.end }

        func insert(_ slot: Slot) -> Place {
            let place = slots.insert(slot)
            return Place(place: place, generation: slots[place].generation)
        }

        func remove(_ place: Place) { slots.remove(place.place) }

        func has(_ place: Place) -> Bool { slots.has(place.place, generation: place.generation) }

        func number(_ place: Place) -> Int? { slots[place.place].mark?.number }

        func change(_ place: Place, to number: Int) { slots[place.place].mark = Mark(number) }

        func pointer(_ place: Place) -> UnsafeMutablePointer<Slot> { slots.pointer(to: place.place) }
    }

    @Test func `an empty table has no places`() {
        let table = Table()
        #expect(table.count == 0 && table.end == 0)
        for place in [0, 1, 1_024, .max] as [UInt32] { #expect(!table.has(Place(place: place, generation: 0))) }
    }

    @Test func `new places are numbered from 0`() {
        let table = Table()
        let places = (0..<3_000).map { table.insert(Slot($0)) }
        #expect(places.map(\.place) == Array(0..<3_000))
        #expect(places.allSatisfy { $0.generation == 0 && table.has($0) })
        #expect(places.map { table.number($0) } == Array(0..<3_000))
        #expect(table.count == 3_000 && table.end == 3_000)
        #expect(!table.has(Place(place: 3_000, generation: 0)))
        #expect(!table.has(Place(place: 0, generation: 1)))
        #expect(!table.has(Place(place: SlotPlace.none, generation: 0)))
    }

    /// What an element says of its own generation does not count.
    @Test func `a place is used again with the next generation`() {
        let table = Table()
        let others = [table.insert(Slot(-1)), table.insert(Slot(-2))]
        var place = table.insert(Slot(0))
        for round in 1...5 as ClosedRange<UInt32> {
            let old = place
            table.remove(old)
            #expect(!table.has(old) && table.count == 2)
            #expect(!table.has(Place(place: old.place, generation: round)))
            var slot = Slot(Int(round))
            slot.generation = 77
            place = table.insert(slot)
            #expect(place == Place(place: old.place, generation: round))
            #expect(table.has(place) && !table.has(old) && table.count == 3 && table.end == 3)
            #expect(table.number(place) == Int(round))
        }
        #expect(others.allSatisfy { table.has($0) })
    }

    /// A pointer taken at the start is good after everything has grown.
    @Test func `a pointer stays valid while the table grows`() {
        let table = Table()
        let places = (0..<100).map { table.insert(Slot($0)) }
        let pointers = places.map { table.pointer($0) }
        for number in 100..<10_000 { _ = table.insert(Slot(number)) }
        for (place, pointer) in zip(places, pointers) {
            #expect(table.pointer(place) == pointer)
            #expect(pointer.pointee.mark?.number == table.number(place))
        }
        pointers[42].pointee.mark = Mark(-42)
        #expect(table.number(places[42]) == -42)
        table.change(places[43], to: -43)
        #expect(pointers[43].pointee.mark?.number == -43)
    }

    @Test func `what is removed is forgotten`() {
        let table = Table()
        weak var mark: Mark?
        let place = { () -> Place in
            let slot = Slot(1)
            mark = slot.mark
            return table.insert(slot)
        }()
        #expect(mark?.number == 1)
        table.remove(place)
        #expect(mark == nil)
    }

    /// In the last chunk, which is not full, as well as in the others.
    @Test(arguments: [1, 1_023, 1_024, 1_025, 2_500]) func `everything is forgotten with the table`(count: Int) {
        struct Weak { weak var mark: Mark? }
        var marks: [Weak] = []
        do {
            let table = Table()
            for number in 0..<count {
                let slot = Slot(number)
                marks.append(Weak(mark: slot.mark))
                let place = table.insert(slot)
                if number % 3 == 0 { table.remove(place) }
            }
            #expect(table.count == marks.count { $0.mark != nil })
        }
        #expect(marks.allSatisfy { $0.mark == nil })
    }

    @Test(arguments: 1...12) func `it agrees with a dictionary`(seed: UInt64) {
        var random = Generator(seed: seed)
        let (table, most) = (Table(), random.pick([20, 500, 3_000]))
        var (model, gone, given) = ([Place: Int](), [Place](), Set<Place>())
        var known: [Place] = []
        for round in 0..<6_000 {
            let isGoing = known.count >= most || random.number(0...9) < 4
            if isGoing, !known.isEmpty {
                let place = known.remove(at: random.number(0...known.count - 1))
                table.remove(place)
                model[place] = nil
                gone.append(place)
            } else {
                let place = table.insert(Slot(round))
                model[place] = round
                guard given.insert(place).inserted else {
                    Issue.record("\(place) was given out twice")
                    return
                }
                known.append(place)
            }
            let isThere = known.isEmpty || table.has(random.pick(known))
            let isGone = gone.isEmpty || !table.has(random.pick(gone))
            guard isThere, isGone, table.count == model.count else {
                Issue.record("places are mixed up after round \(round)")
                return
            }
        }
        #expect(known.map { table.number($0) } == known.map { model[$0] })
        #expect(!gone.contains { table.has($0) })
        // Places are not wasted: there were never more than the most at one time.
        #expect(table.end <= most)
    }
}
