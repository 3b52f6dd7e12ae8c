/// The arrivals and answers of pushes, and what became of them with the answer, one number after the other.
struct OwnEvents {
    private var place: JournalLog.Place
    /// 0 for the arrival, 1 for the answer, 2 for the step with it.
    private var part: UInt64 = 0
    private let after: UInt64
    /// The event at hand; `nil` at the end.
    private(set) var next: (number: UInt64, item: EventPage.Item)?

    init(in log: borrowing JournalLog, after seq: UInt64) {
        after = seq
        // The push may be one whose arrival has been read already, but not its answer.
        let earliest = seq > JournalEntry.ownNumbers ? seq - JournalEntry.ownNumbers : 0
        place = log.place(from: earliest)
        settle(in: log)
    }

    /// Goes on to the event after it.
    mutating func advance(in log: borrowing JournalLog) {
        part += 1
        settle(in: log)
    }

    /// Stands at the first event from here on that is there and has not been read.
    private mutating func settle(in log: borrowing JournalLog) {
        next = nil
        while let entry = log.entry(after: &place) {
            while !entry.isRemoved, part <= JournalEntry.ownNumbers {
                let number = entry.seq + part
                if number > after, let item = Self.item(part, of: entry) {
                    next = (number, item)
                    return
                }
                part += 1
            }
            part = 0
            log.advance(&place)
        }
    }

    private static func item(_ part: UInt64, of entry: JournalEntry) -> EventPage.Item? {
        switch part {
        case 0: .received(seq: entry.seq)
        case 1: .responded(seq: entry.seq)
        default:
            entry.first.map { .step(number: entry.seq + part, seq: entry.seq, $0) }
        }
    }
}
