internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The pushes that reach a device while a client is connected as this device.
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
        let push = ServerSentEvent(
            name: "push", id: arrival.push.seq, data: ShownPush(arrival.push, in: subject.shown).json)
        let missed = numbers.withLockedValue { $0.missed(before: arrival.number) }
        guard missed > 0 else { return EventBatch([push]) }
        let gap = ServerSentEvent(name: ServerSentEvent.gapName, data: ["missed": JSONValue(missed)])
        return EventBatch([gap, push])
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
