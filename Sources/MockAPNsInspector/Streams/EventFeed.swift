internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsVerifying
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// What happens in a world, for one client.
///
/// Nothing is kept for the client but how far it has read: one that reads slowly finds what the journal still has,
/// and hears of what it has not.
final class EventFeed: EventSource {
    /// What a client wants to hear of.
    struct Filter: Sendable {
        /// The kinds of events; empty for all.
        var types: Set<EventType> = []
        /// Which pushes to tell of, or all of them; says nothing of other events.
        var condition: Condition?
        /// How much to say of a push.
        var fields = PushFields.full
        /// How many events to tell in a second at most; `nil` for all.
        var maxRate: Int?
    }

    /// Events read at a time: a stream has two such pages in memory at most, and a whole push may be large.
    private var most: Int { filter.fields == .full ? 8 : 50 }

    let opening: [ServerSentEvent] = []
    let end = ServerSentEvent.End.forgotten

    private let filter: Filter
    private let subject: InspectedServer
    private let cursor: NIOLockedValueBox<EventCursor>
    private let pace: NIOLockedValueBox<EventPace>?

    /// - Parameters:
    ///   - filter: what the client wants to hear of.
    ///   - seq: the number behind which to begin; `nil` for what happens from now on.
    ///   - subject: where it happens.
    ///   - window: what counts as a second for the filter's `maxRate`.
    init(
        _ filter: Filter,
        after seq: UInt64?,
        in subject: InspectedServer,
        window: Duration = .seconds(1)
    ) {
        self.filter = filter
        self.subject = subject
        cursor = NIOLockedValueBox(subject.world.eventCursor(after: seq))
        pace = filter.maxRate.map { NIOLockedValueBox(EventPace(most: $0, window: window)) }
        subject.watch.begin()
    }

    func next() async -> EventBatch? {
        while !Task.isCancelled {
            if let gap = await paced() { return EventBatch([gap]) }
            // It may have been cancelled while it waited for its time.
            guard !Task.isCancelled else { break }
            // Read before the look, so that nothing falls between the two.
            let seen = subject.watch.changes
            let page = page(min(most, pace?.withLockedValue(\.left) ?? most))
            if !page.batch.isEmpty {
                pace?.withLockedValue { $0.told(page.batch.count) }
                return page.batch
            }
            if page.isEmpty { await subject.watch.change(after: seen) }
        }
        return nil
    }

    /// The next page; shared with other streams unless a search chooses its pushes.
    private func page(_ limit: Int) -> EventShelf.Page {
        cursor.withLockedValue { cursor in
            let start = cursor
            let request = EventShelf.Request(
                cursor: start,
                limit: limit,
                types: filter.types,
                fields: filter.fields
            )
            let page =
                filter.condition == nil
                ? subject.eventShelf.page(for: request) { read(from: start, limit) }
                : read(from: start, limit)
            cursor = page.next
            return page
        }
    }

    private func read(from start: EventCursor, _ limit: Int) -> EventShelf.Page {
        let page = subject.world.events(from: start, limit: limit)
        let gap = page.lost.map { [ServerSentEvent.gap($0)] } ?? []
        return EventShelf.Page(
            batch: EventBatch(gap + page.items.compactMap(event)),
            next: page.cursor,
            isEmpty: page.items.isEmpty
        )
    }

    func close() { subject.watch.end() }

    /// Waits where the client has been told enough for a while.
    ///
    /// - Returns: the gap, where more happened meanwhile than it can be told in the next while; it goes on behind.
    private func paced() async -> ServerSentEvent? {
        guard let pace, let pause = pace.withLockedValue({ $0.pause(at: .now) }) else { return nil }
        do {
            try await Task.sleep(until: pause, clock: .continuous)
        } catch {
            // Cancelled, which who called sees.
            return nil
        }
        let newest = subject.world.eventCursor()
        return cursor.withLockedValue { cursor in
            guard cursor.distance(to: newest) > UInt64(filter.maxRate ?? .max) else { return nil }
            defer { cursor = newest }
            return .gap(min(cursor.seq + 1, newest.seq)...newest.seq)
        }
    }

    // MARK: One event

    private func event(_ item: EventPage.Item) -> ServerSentEvent? {
        guard let type = EventType(item), filter.types.isEmpty || filter.types.contains(type) else {
            return nil
        }
        switch item {
        case .received(let seq): return push(type, number: seq, of: seq)
        case .responded(let seq): return push(type, number: seq + 1, of: seq)
        case .step(let number, let seq, _): return push(type, number: number, of: seq)
        case .other(let event):
            guard let data = data(of: event.kind) else { return nil }
            return ServerSentEvent(name: type.rawValue, id: event.after, data: data)
        }
    }

    private func push(_ type: EventType, number: UInt64, of seq: UInt64) -> ServerSentEvent? {
        guard let record = subject.journal.push(seq: seq) else {
            // It was there a moment ago.
            return .gap(number...number)
        }
        if let condition = filter.condition {
            guard
                Candidate.with(
                    record,
                    in: subject.context,
                    StepBudget(Candidate.largestAlone),
                    { condition.holds(for: $0) }
                )
            else { return nil }
        }
        let shape = ShownPush(record, in: subject)
        return ServerSentEvent(
            name: type.rawValue,
            id: number,
            data: filter.fields == .full ? shape.json : shape.summary
        )
    }

    /// What there is to say now of what an event is about; `nil` when there is nothing any more.
    private func data(of kind: WorldEvent.Kind) -> JSONValue? {
        switch kind {
        case .deviceChanged(let id):
            guard let device = try? subject.world.devices.device(.id(id)) else {
                return ["id": .string(DeviceReferenceText.text(id)), "forgotten": true]
            }
            return APIObject<DeviceShape>(device, in: subject, showsBadge: false).json
        case .feedbackAdded(let token):
            return subject.world.devices.feedback(of: token).map { APIObject<FeedbackShape>($0).json }
        case .faultFired(let number, let push):
            return [
                "fault": .string(FaultIDText.text(FaultID(number: number))),
                "push": JSONValue(push.map { subject.pushID($0) }),
            ]
        case .connectionOpened(let id), .connectionClosed(let id):
            return subject.journal.connection(id).map { APIObject<ConnectionShape>($0).json }
        case .clockChanged: return APIObject<ClockShape>(subject.world).json
        case .reset(let report): return APIObject<ResetShape>(report).json
        case .marked(let number):
            return subject.world.mark(number: number).map { APIObject<MarkShape>($0).json }
        }
    }
}

extension ServerSentEvent {
    /// Events with these numbers are not kept any more, or some of them.
    static func gap(_ lost: ClosedRange<UInt64>) -> ServerSentEvent {
        ServerSentEvent(
            name: gapName,
            data: ["from": JSONValue(lost.lowerBound), "to": JSONValue(lost.upperBound)]
        )
    }
}
