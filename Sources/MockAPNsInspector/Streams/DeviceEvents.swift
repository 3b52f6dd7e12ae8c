internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The pushes that reach a device while a client is connected as this device.
final class DeviceEvents: EventSource {
    let opening: [ServerSentEvent]
    let end = ServerSentEvent.End.forgotten

    private let link: DeviceLink
    private let subject: InspectedServer
    private let numbers = NIOLockedValueBox(ArrivalNumbers())

    init(_ link: DeviceLink, in subject: InspectedServer) {
        self.link = link
        self.subject = subject
        opening = [
            ServerSentEvent(name: "connected", data: APIObject<DeviceShape>(link.device, in: subject).json)
        ]
    }

    func next() async -> EventBatch? {
        var iterator = link.arrivals.makeAsyncIterator()
        guard let arrival = await iterator.next() else { return nil }
        let push = ServerSentEvent(
            name: "push",
            id: arrival.push.seq,
            data: ShownPush(arrival.push, in: subject).json
        )
        let missed = numbers.withLockedValue { $0.missed(before: arrival.number) }
        return EventBatch(missed == 0 ? [push] : [.gap(missed), push])
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

extension ServerSentEvent {
    /// Events were dropped because the client did not read them.
    static func gap(_ missed: UInt64) -> ServerSentEvent {
        ServerSentEvent(name: gapName, data: ["missed": JSONValue(missed)])
    }
}
