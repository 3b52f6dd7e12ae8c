internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// What reaches devices while a client is connected as them: pushes, and what happens to their Live Activities.
final class DeviceEvents: EventSource {
    private let link: DeviceLink
    private let subject: InspectedServer
    private let fields: PushFields
    /// For a client of many devices.
    private let namesDevices: Bool
    private let state: NIOLockedValueBox<(opening: ServerSentEvent?, numbers: ArrivalNumbers)>

    /// The events of one device.
    init(_ link: DeviceLink, of device: Device, _ fields: PushFields, in subject: InspectedServer) {
        (self.link, self.subject, self.fields, namesDevices) = (link, subject, fields, false)
        let device = APIObject<DeviceShape>(ShownDevice(device, in: subject.shown))
        state = NIOLockedValueBox((ServerSentEvent(name: "connected", data: device.json), ArrivalNumbers()))
    }

    /// The events of many devices, each of which names its device.
    init(_ link: DeviceLink, _ fields: PushFields, in subject: InspectedServer) {
        (self.link, self.subject, self.fields, namesDevices) = (link, subject, fields, true)
        let connected = APIObject<DevicesConnectedShape>(link.count)
        state = NIOLockedValueBox((ServerSentEvent(name: "connected", data: connected.json), ArrivalNumbers()))
    }

    /// Arrivals rendered at a time: while these are sent, the link keeps the others.
    private var most: Int {
        switch fields {
        case .full: namesDevices ? 32 : 8
        case .summary: namesDevices ? 200 : 50
        }
    }

    /// Not kept: it would take more memory than everything else of a quiet stream.
    var opening: ServerSentEvent? { state.withLockedValue { $0.opening.take() } }

    func poll() async -> EventPoll {
        guard let arrivals = link.take(most) else { return .over }
        guard !arrivals.isEmpty else { return .nothing }
        var events: [ServerSentEvent] = []
        for arrival in arrivals {
            let missed = state.withLockedValue { $0.numbers.missed(before: arrival.number) }
            if missed > 0 {
                events.append(ServerSentEvent(name: ServerSentEvent.gapName, data: ["missed": JSONValue(missed)]))
            }
            events.append(event(arrival))
        }
        return .events(EventBatch(events))
    }

    private func event(_ arrival: DeviceLink.Arrival) -> ServerSentEvent {
        switch arrival.content {
        case .push(let push):
            let json = json(push)
            guard namesDevices else { return ServerSentEvent(name: "push", id: push.seq, data: json) }
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

    func whenReady(_ call: @escaping @Sendable () -> Void) { link.whenReady(call) }

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
