internal import MockAPNsRules

extension WorldState {
    mutating func happened(_ kind: WorldEvent.Kind) {
        process.events.append(WorldEvent(after: log.nextSeq - 1, kind: kind))
    }

    mutating func deviceChanged(_ place: UInt32) { happened(.deviceChanged(devices.id(of: place))) }

    func eventPage(from cursor: EventCursor, limit: Int) -> EventPage {
        var page = EventPage(cursor: cursor)
        let newest = log.nextSeq - 1
        page.lost = lost(since: cursor)
        page.cursor.knownLost = max(cursor.knownLost, log.lostUpTo)
        page.cursor.position = max(cursor.position, process.events.start)
        var own = OwnEvents(in: log, after: cursor.seq)
        var later = log.laterSteps.partitioningIndex { $0.number > cursor.seq }
        while page.items.count < limit {
            let nextLater = later < log.laterSteps.count ? log.laterSteps[later] : nil
            let number = min(own.next?.number ?? .max, nextLater?.number ?? .max)
            if let event = process.events[page.cursor.position], event.after < number {
                page.items.append(.other(event))
                page.cursor.position += 1
                page.cursor.seq = max(page.cursor.seq, min(event.after, newest))
                continue
            }
            if let step = nextLater, step.number == number {
                later += 1
                // The push may have been deleted in the meantime.
                if log.find(step.seq) != nil { page.items.append(.step(number: number, seq: step.seq, step.event)) }
            } else if let event = own.next {
                page.items.append(event.item)
                own.advance()
            } else {
                page.cursor.seq = max(page.cursor.seq, newest)
                break
            }
            page.cursor.seq = number
        }
        return page
    }

    private func lost(since cursor: EventCursor) -> ClosedRange<UInt64>? {
        var lost: ClosedRange<UInt64>?
        let known = max(cursor.seq, cursor.knownLost)
        if log.lostUpTo > known { lost = known + 1...log.lostUpTo }
        // Dropped events followed numbers up to that of the oldest available one.
        if process.events.start > cursor.position, let oldest = process.events.items.first {
            let last = max(oldest.after, cursor.seq)
            lost = min(lost?.lowerBound ?? .max, cursor.seq)...max(lost?.upperBound ?? 0, last)
        }
        return lost
    }

    mutating func reportTokenChanges() {
        guard !devices.changedTokens.isEmpty else { return }
        let changed = devices.changedTokens
        devices.changedTokens = []
        process.tokenListener?(changed.map { TokenChange(token: $0, isKept: devices.index.tokens[$0]?.isKept) })
    }
}
