import TestSupport
import Testing

@testable import MockAPNsRules

/// The frames of the binary interface as values.
@Suite struct GatewayParserTests {
    private static let token = [UInt8](0..<32)
    private static let payload = Array(#"{"aps":{"alert":"Hi"}}"#.utf8)

    /// A frame, and what it says.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var command: UInt8 = 2
        var identifier: UInt32?
        var expiration: UInt32?
        var priority: UInt8?
        var problem: GatewayStatus?
        /// What is sent for the problem; `nil` for what follows from `problem` and `identifier`.
        var packet: [UInt8]?

        var testDescription: String { name }
    }

    private static let requests = [
        Case(name: "command 0 (simple)", bytes: GatewayFrame.simple(token: token, payload: payload), command: 0),
        Case(
            name: "command 1 (enhanced)",
            bytes: GatewayFrame.enhanced(identifier: 7, expiry: 1_700_000_000, token: token, payload: payload),
            command: 1, identifier: 7, expiration: 1_700_000_000),
        Case(
            name: "command 2 (framed), every item",
            bytes: GatewayFrame.framed(token: token, payload: payload, identifier: 0xffff_ffff, expiry: 1, priority: 5),
            identifier: .max, expiration: 1, priority: 5),
        Case(name: "command 2 without optional items", bytes: GatewayFrame.framed(token: token, payload: payload)),
        Case(
            name: "items in another order",
            bytes: GatewayFrame.framed([(5, [10]), (4, [0, 0, 0, 0]), (2, payload), (3, [0, 0, 0, 9]), (1, token)]),
            identifier: 9, expiration: 0, priority: 10),
        Case(
            name: "payload of 2048 bytes",
            bytes: GatewayFrame.framed(token: token, payload: [UInt8](repeating: 0x20, count: 2_048))),
    ]

    private static let problems = [
        Case(
            name: "2: no item 1", bytes: GatewayFrame.framed(payload: payload, identifier: 7), identifier: 7,
            problem: .missingDeviceToken),
        Case(
            name: "2: token of length 0", bytes: GatewayFrame.enhanced(identifier: 7, token: [], payload: payload),
            command: 1, identifier: 7, expiration: 0, problem: .missingDeviceToken),
        Case(name: "2: an empty frame", bytes: GatewayFrame.framed([]), problem: .missingDeviceToken),
        Case(
            name: "4: no item 2", bytes: GatewayFrame.framed(token: token, identifier: 7), identifier: 7,
            problem: .missingPayload),
        Case(
            name: "4: payload of length 0", bytes: GatewayFrame.framed(token: token, payload: [], identifier: 7),
            identifier: 7, problem: .missingPayload),
        Case(
            name: "5: token of 31 bytes",
            bytes: GatewayFrame.framed(token: [UInt8](0..<31), payload: payload, identifier: 7), identifier: 7,
            problem: .invalidTokenSize),
        Case(
            name: "5: token over 100 bytes",
            bytes: GatewayFrame.framed(token: [UInt8](repeating: 1, count: 65_535), payload: payload, identifier: 7),
            identifier: 7, problem: .invalidTokenSize),
        Case(
            name: "7: payload over the limit",
            bytes: GatewayFrame.enhanced(identifier: 7, token: token, payload: [UInt8](repeating: 0x20, count: 2_049)),
            command: 1, identifier: 7, expiration: 0, problem: .invalidPayloadSize),
        Case(
            name: "command 0: no packet", bytes: GatewayFrame.simple(token: [], payload: payload), command: 0,
            problem: .missingDeviceToken, packet: []),
        Case(name: "128: command 3", bytes: [3], command: 3, problem: .protocolError),
        Case(
            name: "128: an HTTP request", bytes: [0x50], command: 0x50, problem: .protocolError,
            packet: GatewayFrame.packet(128, 0)),
        Case(name: "128: frame of 4 GiB", bytes: [2, 255, 255, 255, 255], problem: .protocolError),
        Case(
            name: "128: item 6", bytes: [2, 0, 0, 0, 10, 3, 0, 4, 0, 0, 0, 7, 6, 0, 0], identifier: 7,
            problem: .protocolError),
        Case(
            name: "128: item 3 repeated", bytes: [2, 0, 0, 0, 14, 3, 0, 4, 0, 0, 0, 7, 3, 0, 4], identifier: 7,
            problem: .protocolError),
        Case(
            name: "128: item 1 repeated",
            bytes: GatewayFrame.framed([(3, [0, 0, 0, 7]), (1, token), (1, token), (2, payload)]), identifier: 7,
            problem: .protocolError),
        Case(
            name: "128: item 2 repeated",
            bytes: GatewayFrame.framed([(3, [0, 0, 0, 7]), (2, payload), (2, payload), (1, token)]), identifier: 7,
            problem: .protocolError),
        Case(name: "128: item 4 of 3 bytes", bytes: [2, 0, 0, 0, 6, 4, 0, 3], problem: .protocolError),
        Case(name: "128: item 3 of 3 bytes", bytes: [2, 0, 0, 0, 6, 3, 0, 3], problem: .protocolError),
        Case(name: "128: item 5 of 2 bytes", bytes: [2, 0, 0, 0, 5, 5, 0, 2], problem: .protocolError),
        Case(name: "128: item past the end", bytes: [2, 0, 0, 0, 5, 2, 0, 3], problem: .protocolError),
        Case(
            name: "128: half an item", bytes: [2, 0, 0, 0, 9, 3, 0, 4, 0, 0, 0, 7], identifier: 7,
            problem: .protocolError),
    ]

    /// All notifications of a stream that arrives in these pieces.
    private static func parse(_ pieces: [[UInt8]]) -> [GatewayNotification] {
        var parser = GatewayParser()
        return pieces.flatMap { piece in
            piece.withUnsafeBufferPointer { piece in
                var rest = piece
                var found: [GatewayNotification] = []
                while let next = parser.next(&rest) { found.append(next) }
                #expect(rest.isEmpty || parser.hasFailed)
                return found
            }
        }
    }

    @Test(arguments: requests + problems) func `a frame is read with its fields, or refused with its problem`(
        _ frame: Case
    ) throws {
        let all = Self.parse([frame.bytes])
        try #require(all.count == 1)
        let notification = all[0]
        #expect(notification.command == frame.command)
        #expect(notification.identifier == frame.identifier)
        #expect(notification.expiration == frame.expiration)
        #expect(notification.priority == frame.priority)
        #expect(notification.problem == frame.problem)
        guard let problem = frame.problem else {
            #expect(notification.token == Self.token)
            #expect(notification.payload.count == notification.payloadLength)
            return
        }
        let packet = frame.packet ?? GatewayFrame.packet(problem.rawValue, Int(frame.identifier ?? 0))
        #expect(notification.packet(problem) == packet)
        #expect((notification.violation != nil) == (problem == .protocolError))
    }

    @Test(arguments: requests + problems) func `a frame is read the same in pieces of any size`(_ frame: Case) {
        let whole = Self.parse([frame.bytes])
        let lengths = frame.bytes.count < 3_000 ? Array(0...frame.bytes.count) : [1, 8, 100, 65_000]
        for length in lengths {
            #expect(Self.parse([Array(frame.bytes.prefix(length)), Array(frame.bytes.dropFirst(length))]) == whole)
        }
        #expect(Self.parse(frame.bytes.map { [$0] }) == whole)
    }

    @Test func `several frames in one buffer are read in order`() {
        let bytes = Self.requests.flatMap(\.bytes)
        let all = Self.parse([bytes])
        #expect(all.map(\.command) == Self.requests.map(\.command))
        #expect(all.map(\.identifier) == Self.requests.map(\.identifier))
        #expect(all.allSatisfy { $0.problem == nil })
    }

    @Test func `reading goes on after a well-formed frame with an invalid notification`() {
        let bad = GatewayFrame.framed(token: [1], payload: [], identifier: 1)
        let good = GatewayFrame.simple(token: Self.token, payload: Self.payload)
        #expect(Self.parse([bad + good]).count == 2)
    }

    @Test func `nothing is read after an invalid frame`() {
        let good = GatewayFrame.simple(token: Self.token, payload: Self.payload)
        #expect(Self.parse([[9] + good]).count == 1)
    }

    @Test func `a claimed length costs nothing`() {
        let claims: [[UInt8]] = [
            [0, 255, 255], [1, 0, 0, 0, 1, 0, 0, 0, 0, 255, 255], [2, 0, 4, 255, 255, 1, 255, 255],
        ]
        for claim in claims {
            var parser = GatewayParser()
            for bytes in [claim] + Array(repeating: [UInt8](repeating: 7, count: 1_000), count: 60) {
                bytes.withUnsafeBufferPointer {
                    var rest = $0
                    #expect(parser.next(&rest) == nil)
                }
            }
            let kept = parser.fail(because: "too slow")
            #expect(kept?.token.count == 100 && kept?.token.capacity ?? 0 < 4_096)
            #expect(kept?.problem == .protocolError)
        }
    }

    @Test func `the end of the connection between frames is not an error`() {
        var parser = GatewayParser()
        #expect(parser.fail(because: "too slow") == nil)
        GatewayFrame.simple(token: Self.token, payload: Self.payload).withUnsafeBufferPointer {
            var rest = $0
            #expect(parser.next(&rest) != nil)
        }
        #expect(!parser.isInFrame && parser.fail(because: "too slow") == nil)
    }

    @Test func `random bytes fail or wait for more`() {
        var generator = Generator(seed: 10)
        for _ in 0..<2_000 {
            let bytes = generator.bytes(0...300)
            let whole = Self.parse([bytes])
            #expect(Self.parse(bytes.map { [$0] }) == whole)
            #expect(whole.dropLast().allSatisfy { $0.violation == nil })
            #expect(whole.allSatisfy { $0.token.count <= 100 && $0.payload.count <= 2_048 })
        }
    }
}
