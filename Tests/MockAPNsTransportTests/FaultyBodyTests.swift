import MockAPNsRules
import NIOCore
import Testing

@testable import MockAPNsTransport

/// Bodies that are slow, cut short, no JSON or too long.
@Suite struct FaultyBodyTests {
    private let body = "{\"reason\":\"BadDeviceToken\"}"

    private func client(_ fault: WireFault, isAccepted: Bool = false, settings: [Frame.Setting] = []) throws -> Client {
        let client = try Client(greets: false)
        client.recorder.answer = isAccepted ? .accepted : .rejected(400, "BadDeviceToken")
        client.recorder.faults[1] = fault
        try client.greet(settings)
        try client.send(.headers(1, .push()))
        return client
    }

    private func expectAlive(_ client: Client) throws {
        client.recorder.answer = .accepted
        try client.expectAlive(stream: 3)
    }

    // MARK: What it consists of

    @Test(arguments: [false, true]) func `a body can be left out`(isAccepted: Bool) throws {
        let client = try client(WireFault(body: .empty), isAccepted: isAccepted)
        try client.expect(.headers(1, .status(isAccepted ? 200 : 400)))
        try expectAlive(client)
    }

    @Test func `a body can be cut short`() throws {
        let client = try client(WireFault(body: .truncated))
        try client.expect(
            .headers(1, .status(400, Frame.Field("content-length", "\(body.utf8.count)")), end: false),
            .data(1, String(body.prefix(body.utf8.count / 2))))
        try expectAlive(client)
    }

    @Test func `an empty body can be cut short`() throws {
        let client = try client(WireFault(body: .truncated), isAccepted: true)
        try client.expect(.headers(1, .status(200, Frame.Field("content-length", "2")), end: false), .data(1, "{"))
        try expectAlive(client)
    }

    @Test(arguments: [false, true]) func `a body can be replaced by text that is not JSON`(isAccepted: Bool) throws {
        let client = try client(WireFault(body: .malformed), isAccepted: isAccepted)
        try client.expect(
            .headers(1, .status(isAccepted ? 200 : 400), end: false),
            .data(1, "<!DOCTYPE html><title>Bad Gateway</title><h1>This is not JSON</h1>"))
        try expectAlive(client)
    }

    /// A mebibyte, of which the client's window takes no more than it does of any body.
    @Test(arguments: [false, true]) func `a body can be 1 MiB, limited only by the client's window`(
        isAccepted: Bool
    ) throws {
        let client = try client(WireFault(body: .huge), isAccepted: isAccepted)
        try client.expect(.headers(1, .status(isAccepted ? 200 : 400), end: false))
        var bytes: [UInt8] = []
        var isEnded = false
        for round in 0..<20 where !isEnded {
            var count = 0
            while case .data(1, let more, let isLast) = try client.next() {
                count += more.count
                bytes += more
                isEnded = isLast
            }
            try #require(count == min(65_535, (1 << 20) - round * 65_535))
            // Somebody who reads on is not cut off for being slow.
            client.advance(.seconds(20))
            if !isEnded { try client.send(.windowUpdate(0, by: 65_535), .windowUpdate(1, by: 65_535)) }
        }
        #expect(isEnded)
        let json = Array((isAccepted ? "{}" : body).utf8)
        // Compared outside: a report of how they differ would take for ever.
        let isWhole = bytes == json + [UInt8](repeating: 0x20, count: (1 << 20) - json.count)
        #expect(isWhole)
        try client.send(.windowUpdate(0, by: 65_535))
        try expectAlive(client)
    }

    @Test func `a client that does not read a huge body is disconnected`() throws {
        let client = try client(WireFault(body: .huge))
        _ = try client.rest()
        client.advance(.seconds(31))
        try client.expectGoAway(.flowControlError)
        try client.expectClosed(.stalled)
    }

    // MARK: How fast it comes

    /// `:status` and 400 are ten bytes, which is a second.
    @Test func `a body can be sent byte by byte at a rate`() throws {
        let client = try client(WireFault(bytesPerSecond: 10))
        client.advance(.milliseconds(999))
        try client.expectSilence()
        client.advance(.milliseconds(1))
        try client.expect(.headers(1, .status(400), end: false))
        let last = body.utf8.count - 1
        for (place, byte) in body.utf8.enumerated() {
            client.advance(.milliseconds(99))
            try client.expectSilence()
            client.advance(.milliseconds(1))
            try client.expect(.data(1, [byte], end: place == last))
        }
        try expectAlive(client)
    }

    @Test func `a rate above one byte per tick sends several bytes at a time`() throws {
        let client = try client(WireFault(bytesPerSecond: 100))
        client.advance(.milliseconds(100))
        try client.expect(.headers(1, .status(400), end: false))
        client.advance(.milliseconds(100))
        try client.expect(.data(1, String(body.prefix(10)), end: false))
        client.advance(.milliseconds(100))
        try client.expect(.data(1, String(body.dropFirst(10).prefix(10)), end: false))
        client.advance(.milliseconds(100))
        try client.expect(.data(1, String(body.dropFirst(20))))
        try expectAlive(client)
    }

    /// Longer than anybody may leave answers unread, which nobody does here.
    @Test func `a rate can be below a byte per second`() throws {
        let client = try client(WireFault(bytesPerSecond: 1, headers: [FaultAction.Header("retry-after", "30")]))
        client.advance(.seconds(22))
        try client.expectSilence()
        client.advance(.seconds(1))
        try client.expect(.headers(1, .status(400, Frame.Field("retry-after", "30")), end: false))
        client.advance(.seconds(Int64(body.utf8.count)))
        #expect(try client.rest().count == body.utf8.count)
        try expectAlive(client)
    }

    @Test func `an answer without a body can be slow`() throws {
        let client = try client(WireFault(delay: .seconds(5), bytesPerSecond: 5), isAccepted: true)
        client.advance(.milliseconds(6_999))
        try client.expectSilence()
        client.advance(.milliseconds(1))
        try client.expect(.headers(1, .status(200)))
        try expectAlive(client)
    }

    @Test(arguments: [Int.max, 1_000_000_000]) func `a rate above the size of the body sends it at once`(
        rate: Int
    ) throws {
        let client = try client(WireFault(bytesPerSecond: rate))
        client.advance(.seconds(1))
        try client.expect(.headers(1, .status(400), end: false), .data(1, body))
        try expectAlive(client)
    }

    @Test func `a slow body does not exceed the client's window`() throws {
        let client = try client(WireFault(bytesPerSecond: 10), settings: [Frame.Setting(4, 3)])
        client.advance(.seconds(5))
        try client.expect(
            .headers(1, .status(400), end: false), .data(1, "{", end: false), .data(1, "\"", end: false),
            .data(1, "r", end: false))
        try client.expectSilence()
        try client.send(.windowUpdate(1, by: 100))
        try client.expect(.data(1, "e", end: false))
        client.advance(.seconds(31))
        #expect(try client.rest().count == body.utf8.count - 4)
        try expectAlive(client)
    }

    @Test func `a client that never opens its window is disconnected`() throws {
        let client = try client(WireFault(bytesPerSecond: 10), settings: [Frame.Setting(4, 3)])
        client.advance(.seconds(30))
        #expect(client.channel.isActive)
        client.advance(.seconds(5))
        _ = try client.rest()
        try client.expectClosed(.stalled)
    }

    @Test func `a slow body ends with its stream`() throws {
        let client = try client(WireFault(bytesPerSecond: 10))
        client.advance(.seconds(2))
        #expect(try client.rest().count == 11)
        try client.send(.reset(1, .cancel))
        #expect(client.loop.streams.inUse == 0)
        client.advance(.seconds(30))
        try client.expectSilence()
        try expectAlive(client)
    }

    @Test func `a body can be slow and cut short`() throws {
        let client = try client(WireFault(bytesPerSecond: 1_000, body: .truncated))
        client.advance(.seconds(1))
        try client.expect(
            .headers(1, .status(400, Frame.Field("content-length", "\(body.utf8.count)")), end: false),
            .data(1, String(body.prefix(body.utf8.count / 2))))
        try expectAlive(client)
    }
}
