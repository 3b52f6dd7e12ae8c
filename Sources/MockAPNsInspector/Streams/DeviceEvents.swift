internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// What reaches a device while a client is connected as this device: pushes, and what happens to its Live Activities.
final class DeviceEvents: EventSource {
    let opening: ServerSentEvent?

    private let link: DeviceLink
    private let subject: InspectedServer
    private let numbers = NIOLockedValueBox(ArrivalNumbers())

    init(_ link: DeviceLink, in subject: InspectedServer) {
        self.link = link
        self.subject = subject
        let device = APIObject<DeviceShape>(ShownDevice(link.device, in: subject.shown))
        opening = ServerSentEvent(name: "connected", data: device.json)
    }

    func next() async -> EventBatch? {
        var iterator = link.arrivals.makeAsyncIterator()
        guard let arrival = await iterator.next() else { return nil }
        let event = event(arrival.content)
        let missed = numbers.withLockedValue { $0.missed(before: arrival.number) }
        guard missed > 0 else { return EventBatch([event]) }
        let gap = ServerSentEvent(name: ServerSentEvent.gapName, data: ["missed": JSONValue(missed)])
        return EventBatch([gap, event])
    }

    private func event(_ content: DeviceLink.Arrival.Content) -> ServerSentEvent {
        switch content {
        case .push(let push):
            let shown = ShownPush(push, in: subject.shown)
            // A Live Activity has taken or ignored the push since it arrived.
            let newest = shown.facts.deliveredType == .liveactivity ? subject.journal.push(seq: push.seq) : nil
            let json = newest.map { ShownPush($0, in: subject.shown).json } ?? shown.json
            return ServerSentEvent(name: "push", id: push.seq, data: json)
        case .activity(let step):
            return ServerSentEvent(
                name: EventType(step.kind).rawValue, data: APIObject<ActivityEventShape>((step, subject.shown)).json)
        }
    }

    func close() { link.close() }
}

/// Counts what a client has missed because it did not read.
struct ArrivalNumbers {
    private var last: UInt64 = 0

    mutating func missed(before number: UInt64) -> UInt64 {
        defer { last = number }
        return number > last ? number - last - 1 : 0
    }
}
