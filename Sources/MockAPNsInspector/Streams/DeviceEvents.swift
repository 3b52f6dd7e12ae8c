internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// What reaches devices while a client is connected as them: pushes, and what happens to their Live Activities.
final class DeviceEvents: EventSource {
    let opening: ServerSentEvent?

    private let link: DeviceLink
    private let subject: InspectedServer
    /// For a client of many devices, whose events name theirs.
    private let fields: PushFields?
    private let numbers = NIOLockedValueBox(ArrivalNumbers())

    /// The events of one device.
    init(_ link: DeviceLink, of device: Device, in subject: InspectedServer) {
        (self.link, self.subject, fields) = (link, subject, nil)
        let device = APIObject<DeviceShape>(ShownDevice(device, in: subject.shown))
        opening = ServerSentEvent(name: "connected", data: device.json)
    }

    /// The events of many devices, each of which names its device.
    init(_ link: DeviceLink, _ fields: PushFields, in subject: InspectedServer) {
        (self.link, self.subject, self.fields) = (link, subject, fields)
        opening = ServerSentEvent(name: "connected", data: APIObject<DevicesConnectedShape>(link.count).json)
    }

    /// Arrivals rendered at a time: while these are sent, the link keeps the others.
    private var most: Int {
        switch fields {
        case nil: 8
        case .full?: 32
        case .summary?: 200
        }
    }

    func next() async -> EventBatch? {
        let arrivals = await link.next(most)
        guard !arrivals.isEmpty else { return nil }
        var events: [ServerSentEvent] = []
        for arrival in arrivals {
            let missed = numbers.withLockedValue { $0.missed(before: arrival.number) }
            if missed > 0 {
                events.append(ServerSentEvent(name: ServerSentEvent.gapName, data: ["missed": JSONValue(missed)]))
            }
            events.append(event(arrival))
        }
        return EventBatch(events)
    }

    private func event(_ arrival: DeviceLink.Arrival) -> ServerSentEvent {
        switch arrival.content {
        case .push(let push):
            let json = json(push)
            guard fields != nil else { return ServerSentEvent(name: "push", id: push.seq, data: json) }
            let object = APIObject<DeviceArrivalShape>((arrival.device, arrival.label, json))
            return ServerSentEvent(name: "push", id: push.seq, data: object.json)
        case .activity(let step):
            return ServerSentEvent(
                name: EventType(step.kind).rawValue, data: APIObject<ActivityEventShape>((step, subject.shown)).json)
        }
    }

    private func json(_ push: PushRecord) -> JSONValue {
        let shown = ShownPush(push, in: subject.shown)
        // A Live Activity has taken or ignored the push since it arrived.
        let newest = shown.facts.deliveredType == .liveactivity ? subject.journal.push(seq: push.seq) : nil
        let latest = newest.map { ShownPush($0, in: subject.shown) } ?? shown
        return fields == .summary ? latest.summary : latest.json
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
