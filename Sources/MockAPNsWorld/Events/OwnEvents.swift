/// The arrivals and responses of pushes and the steps at the time of the response, in order of their numbers.
struct OwnEvents {
    private var place: JournalLog.Place
    /// 0 for the arrival, 1 for the response, 2 for the step at that time.
    private var part: UInt64 = 0
    private let after: UInt64
    /// The current event; `nil` at the end.
    private(set) var next: (number: UInt64, item: EventPage.Item)?

    init(in log: borrowing JournalLog, after seq: UInt64) {
        after = seq
        // The arrival of this push may have been read, but not its response.
        let earliest = seq > JournalEntry.ownNumbers ? seq - JournalEntry.ownNumbers : 0
        place = log.place(from: earliest)
        settle(in: log)
    }

    /// Moves to the next event.
    mutating func advance(in log: borrowing JournalLog) {
        part += 1
        settle(in: log)
    }

    /// Skips events that do not exist or were read.
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
