internal import MockAPNsRules

extension World {
    /// Returns a cursor after a number, or after all events so far.
    ///
    /// Events without a number are included if they followed this number or a later one.
    public func eventCursor(after seq: UInt64? = nil) -> EventCursor {
        withState { state, _ in
            guard let seq else {
                let newest = state.log.nextSeq - 1
                return EventCursor(seq: newest, position: state.events.end, knownLost: newest)
            }
            let events = state.events
            let number = events.items.partitioningIndex { $0.after >= seq }
            // The dropped event before it may have happened at the same number.
            let position = number == 0 && events.start > 0 ? events.start - 1 : events.start + UInt64(number)
            return EventCursor(seq: seq, position: position, knownLost: 0)
        }
    }

    /// Returns the next events, at most `limit`; `Journal.changes()` reports when there are more.
    public func events(from cursor: EventCursor, limit: Int) -> EventPage {
        withState { state, _ in state.eventPage(from: cursor, limit: limit) }
    }

    /// Sets a mark after all events so far.
    public func mark(_ text: String) -> Mark { commit(SetMark(text: text)) }

    /// The available marks, oldest first: the latest 1,000 since the last reset of the pushes.
    public var marks: [Mark] { withState { state, _ in Array(state.marks.items) } }

    /// Returns a mark, if it is available.
    public func mark(number: UInt64) -> Mark? { withState { state, _ in state.marks[number &- 1] } }

    /// Reports every registered token to `notify` now, and every later change before the call that causes it
    /// returns.
    ///
    /// `notify` is called while holding the world's lock. There is one listener: setting another one, or
    /// `nil`, reports every token as unknown to the previous one.
    package func onTokenChange(_ notify: (@Sendable ([TokenChange]) -> Void)?) {
        withState { state, _ in
            let tokens = state.devices.tokens
            state.tokenListener?(tokens.map { TokenChange(token: $0, isKept: nil) })
            state.tokenListener = notify
            state.devices.changedTokens = notify == nil ? nil : tokens
        }
    }
}

extension WorldState {
    mutating func happened(_ kind: WorldEvent.Kind) { events.append(WorldEvent(after: log.nextSeq - 1, kind: kind)) }

    mutating func deviceChanged(_ place: UInt32) { happened(.deviceChanged(devices.id(of: place))) }

    func eventPage(from cursor: EventCursor, limit: Int) -> EventPage {
        var page = EventPage(cursor: cursor)
        let newest = log.nextSeq - 1
        page.lost = lost(since: cursor)
        page.cursor.knownLost = max(cursor.knownLost, log.lostUpTo)
        page.cursor.position = max(cursor.position, events.start)
        var own = OwnEvents(in: log, after: cursor.seq)
        var later = log.laterSteps.partitioningIndex { $0.number > cursor.seq }
        while page.items.count < limit {
            let nextLater = later < log.laterSteps.count ? log.laterSteps[later] : nil
            let number = min(own.next?.number ?? .max, nextLater?.number ?? .max)
            if let event = events[page.cursor.position], event.after < number {
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
        if events.start > cursor.position, let oldest = events.items.first {
            let last = max(oldest.after, cursor.seq)
            lost = min(lost?.lowerBound ?? .max, cursor.seq)...max(lost?.upperBound ?? 0, last)
        }
        return lost
    }

    mutating func reportTokenChanges() {
        guard let tokenListener, let changed = devices.changedTokens, !changed.isEmpty else { return }
        devices.changedTokens = []
        tokenListener(changed.map { TokenChange(token: $0, isKept: devices.index.tokens[$0]?.isKept) })
    }
}
