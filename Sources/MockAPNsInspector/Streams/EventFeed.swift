internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers
internal import Synchronization

/// The events of a world, for one client.
///
/// Only the client's position is stored: a slow client gets what the journal still has, and a gap for the rest.
final class EventFeed: EventSource {
    struct Filter: Sendable {
        /// Empty for all.
        var types: Set<EventType> = []
        /// For pushes; other events are not affected.
        var condition: Condition?
        var fields = PushFields.full
        /// The most events in a second.
        var maxRate: Int?
        /// Whether the stream ends after the events that have happened before it began.
        var isPast = false
    }

    /// Events read at a time: a stream has up to two such pages in memory, and a whole push may be large.
    private var most: Int { filter.fields == .full ? 8 : 50 }

    let opening: ServerSentEvent? = nil
    let ending = "complete"

    private let filter: Filter
    private let subject: InspectedServer
    private let cursor: NIOLockedValueBox<EventCursor>
    private let pace: NIOLockedValueBox<EventPace>?
    /// The number of changes that the last `poll` has seen; the largest number if it may not have seen all of them.
    private let seen = Atomic<UInt64>(.max)
    /// Where the stream ends.
    private let end: EventCursor?

    /// Starts after an event, or with the next one; `window` is the second of `maxRate`.
    init(_ filter: Filter, after seq: UInt64?, in subject: InspectedServer, window: Duration = .seconds(1)) {
        self.filter = filter
        self.subject = subject
        cursor = NIOLockedValueBox(subject.world.eventCursor(after: seq))
        end = filter.isPast ? subject.world.eventCursor() : nil
        pace = filter.maxRate.map { NIOLockedValueBox(EventPace(most: $0, window: window)) }
        subject.pushes.watch.begin()
    }

    func poll() async -> EventPoll {
        // Until a page is empty there may be more, without another change.
        seen.store(.max, ordering: .relaxed)
        while !Task.isCancelled {
            if let end, cursor.withLockedValue({ $0.distance(to: end) }) == 0 { return .over }
            if let gap = await paced() { return .events(EventBatch([gap])) }
            guard !Task.isCancelled else { break }
            // Before the page, so that no change is missed in between.
            let changes = subject.pushes.watch.changes
            let page = await page(min(most, pace?.withLockedValue(\.left) ?? most))
            if !page.batch.events.isEmpty {
                pace?.withLockedValue { $0.reported(page.batch.events.count) }
                return .events(page.batch)
            }
            guard page.isEmpty else { continue }
            // What has left the journal since may have been the last.
            guard end == nil else { return .over }
            seen.store(changes, ordering: .relaxed)
            return .nothing
        }
        return .over
    }

    func whenReady(_ call: @escaping @Sendable () -> Void) {
        subject.pushes.watch.whenChanged(after: seen.load(ordering: .relaxed), for: ObjectIdentifier(self), call)
    }

    /// The next page, with pushes that have left the memory since their events happened.
    private func page(_ limit: Int) async -> EventShelf.Page {
        let start = cursor.withLockedValue(\.self)
        let page = pageInMemory(limit)
        guard !page.older.isEmpty, subject.journal.isKept else { return page }
        var older: [UInt64: PushRecord] = [:]
        do throws(HistoryFailure) {
            for push in try await subject.journal.storedPushes(page.older) { older[push.seq] = push }
        } catch {
            // The stream goes on with a gap, as without a store.
            return page
        }
        let whole = read(from: start, limit, older)
        cursor.withLockedValue { $0 = whole.next }
        return whole
    }

    /// The next page, shared with other streams unless there is a condition.
    private func pageInMemory(_ limit: Int) -> EventShelf.Page {
        cursor.withLockedValue { cursor in
            let start = cursor
            let page =
                filter.condition == nil
                ? subject.eventShelf.page(for: (start, limit, filter.types, filter.fields)) { read(from: start, limit) }
                : read(from: start, limit)
            cursor = page.next
            return page
        }
    }

    private func read(from start: EventCursor, _ limit: Int, _ older: [UInt64: PushRecord] = [:]) -> EventShelf.Page {
        let page = subject.world.events(from: start, limit: limit)
        let gap = page.lost.map { [ServerSentEvent.gap($0)] } ?? []
        var missing: [UInt64] = []
        let events = page.items.compactMap { event($0, older, &missing) }
        return (EventBatch(gap + events), page.cursor, page.items.isEmpty, missing)
    }

    func close() {
        subject.pushes.watch.forget(ObjectIdentifier(self))
        subject.pushes.watch.end()
    }

    /// Waits if the client has reached its `maxRate`.
    ///
    /// Returns a gap, and continues after it, if the events meanwhile exceed what the next window allows.
    private func paced() async -> ServerSentEvent? {
        guard let pace, let pause = pace.withLockedValue({ $0.pause(at: .now) }) else { return nil }
        // Cancelled otherwise.
        guard (try? await Task.sleep(until: pause, clock: .continuous)) != nil else { return nil }
        let newest = subject.world.eventCursor()
        return cursor.withLockedValue { cursor in
            guard cursor.distance(to: newest) > UInt64(filter.maxRate ?? .max) else { return nil }
            defer { cursor = newest }
            return .gap(min(cursor.seq + 1, newest.seq)...newest.seq)
        }
    }

    /// Returns an event; adds the number of its push to `missing` if it is neither in memory nor in `older`.
    private func event(
        _ item: EventPage.Item, _ older: [UInt64: PushRecord], _ missing: inout [UInt64]
    ) -> ServerSentEvent? {
        func push(_ type: EventType, number: UInt64, of seq: UInt64) -> ServerSentEvent? {
            if let record = subject.journal.push(seq: seq) ?? older[seq] {
                return self.push(type, number: number, record)
            }
            missing.append(seq)
            // It was evicted just now. A change of it is then no news.
            return type == .pushChanged || type == .pushForwarded ? nil : .gap(number...number)
        }
        guard let type = EventType(item), filter.types.isEmpty || filter.types.contains(type) else { return nil }
        switch item {
        case .received(let seq): return push(type, number: seq, of: seq)
        case .responded(let seq): return push(type, number: seq + 1, of: seq)
        case .step(let number, let seq, _): return push(type, number: number, of: seq)
        case .other(let event):
            switch event.kind {
            case .pushChanged(let seq), .pushForwarded(let seq): return push(type, number: event.after, of: seq)
            default: break
            }
            guard let data = data(of: event.kind) else { return nil }
            return ServerSentEvent(name: type.rawValue, id: event.after, data: data)
        }
    }

    private func push(_ type: EventType, number: UInt64, _ record: PushRecord) -> ServerSentEvent? {
        if let condition = filter.condition {
            let budget = StepBudget(Candidate.largestAlone)
            let holds = Candidate.with(record, in: subject.context, budget) { condition.holds(for: $0) }
            guard holds else { return nil }
        }
        let shape = ShownPush(record, in: subject.shown)
        return ServerSentEvent(
            name: type.rawValue, id: number, data: filter.fields == .full ? shape.json : shape.summary)
    }

    /// The current data about the subject of an event; `nil` if it no longer exists.
    private func data(of kind: WorldEvent.Kind) -> JSONValue? {
        switch kind {
        case .deviceChanged(let id):
            guard let device = try? subject.world.devices.device(.id(id)) else {
                return ["id": .string(DeviceReferenceText.text(id)), "forgotten": true]
            }
            return APIObject<DeviceShape>(ShownDevice(device, in: subject.shown, showsBadge: false)).json
        case .channelChanged(let id):
            guard let channel = subject.world.channels.channel(id, listing: 0) else {
                return ["id": .string(id.text), "forgotten": true]
            }
            let epoch = subject.journal.extent.epoch
            return APIObject<ChannelShape>((channel, epoch, showsSubscribers: false, activities: nil)).json
        case .feedbackAdded(let token):
            return subject.world.devices.feedback(of: token).map { APIObject<FeedbackShape>($0).json }
        case .faultFired(let number, let push):
            return [
                "fault": .string(FaultIDText.text(FaultID(number: number))),
                "push": JSONValue(push.map { subject.shown.pushID($0) }),
            ]
        case .connectionOpened(let id), .connectionClosed(let id):
            return subject.journal.connection(id).map { APIObject<ConnectionShape>(($0, subject.context)).json }
        case .clockChanged: return APIObject<ClockShape>(ShownClock(of: subject.world)).json
        case .appChanged(let app):
            let description = subject.world.apps[app]
            return description.map { APIObject<AppShape>(($0, app)).json } ?? [
                "topic": .string(app), "forgotten": true,
            ]
        case .savedPushesChanged: return ["count": JSONValue(subject.world.savedPushes.all.count)]
        // As a push.
        case .pushChanged, .pushForwarded: return nil
        case .reset(let report): return APIObject<ResetShape>((report, settings: nil, connections: nil)).json
        case .activityChanged(let step): return APIObject<ActivityEventShape>((step, subject.shown)).json
        case .marked(let number): return subject.world.mark(number: number).map { APIObject<MarkShape>($0).json }
        }
    }
}

extension ServerSentEvent {
    /// Some or all of the events with these numbers are no longer kept.
    static func gap(_ lost: ClosedRange<UInt64>) -> ServerSentEvent {
        ServerSentEvent(name: gapName, data: ["from": JSONValue(lost.lowerBound), "to": JSONValue(lost.upperBound)])
    }
}

/// Limits the events that a client gets in a window of time, with a pause until the next window.
struct EventPace: Sendable {
    let most: Int
    let window: Duration
    private var end: ContinuousClock.Instant?
    private var reported = 0

    init(most: Int, window: Duration) { (self.most, self.window) = (most, window) }

    /// The events before the next pause.
    var left: Int { max(0, most - reported) }

    mutating func reported(_ count: Int) { reported += count }

    /// When to continue; `nil` for at once.
    mutating func pause(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let end, now < end else {
            self.end = now + window
            reported = 0
            return nil
        }
        guard reported >= most else { return nil }
        self.end = nil
        reported = 0
        return end
    }
}
