#if os(Linux)
import CMockAPNsIntercept
import Foundation
import TestSupport
import Testing

@testable import mock_apns

/// Questions of a command, passed on to a name server of the test.
@Suite(.serialized) struct RelayTests {
    /// The relay of this process, which has one at most.
    private static let isRunning: Bool = {
        let rows = UnsafeMutableBufferPointer<mockapns_intercept_name>.allocate(capacity: 1)
        rows[0] = mockapns_intercept_name(name: strdup("api.push.apple.com"), address: 0x7fc5_0001)
        guard mockapns_intercept_relay_open(rows.baseAddress, 1) else { return false }
        Thread.detachNewThread { mockapns_intercept_relay_run(nil) }
        return true
    }()

    private let resolver: Socket
    private let other = Question(name: "other.example.com", rest: Question.extended).packet

    init() throws {
        try #require(Self.isRunning)
        resolver = try Socket.datagrams()
    }

    /// The relay's port for a name server.
    private func port(_ server: Int, ipv6: Bool = false) -> Int {
        Int(LoopbackAddress(port: server, ipv6: ipv6).with { mockapns_intercept_relay_port($0, Int($1)) })
    }

    @Test(arguments: [false, true])
    func `a question is passed on as it is, and its answer too, from the address that was asked`(_ ipv6: Bool) throws {
        let server = try Socket.datagrams(ipv6: ipv6)
        let relay = port(server.port, ipv6: ipv6)
        #expect(relay != 0 && port(server.port, ipv6: ipv6) == relay)
        #expect(resolver.send(other, to: relay))
        let asked = try server.receivePacket()
        #expect(asked.bytes == other)
        // Larger than questions may be, and nothing that a resolver would understand.
        let reply = (0..<9_000).map { UInt8($0 % 251) }
        #expect(server.send(reply, to: asked.port, ipv6: ipv6))
        let answer = try resolver.receivePacket()
        #expect(answer.bytes == reply && answer.port == relay)
    }

    @Test func `Apple's hosts are answered without the server, and what is not a question is passed on`() throws {
        let server = try Socket.datagrams()
        let relay = port(server.port)
        #expect(resolver.send(Question(name: "api.push.apple.com").packet, to: relay))
        #expect(try resolver.receivePacket().bytes.suffix(4) == [127, 197, 0, 1])
        for bytes in [Array("not a question".utf8), [7], [UInt8](repeating: 0xff, count: 20_000)] {
            #expect(resolver.send(bytes, to: relay))
            // The first that arrives: the server was not asked for Apple's host.
            #expect(try server.receivePacket().bytes == bytes)
        }
    }

    @Test func `answers in another order find who asked`() throws {
        let server = try Socket.datagrams()
        let relay = port(server.port)
        let resolvers = try (0..<100).map { _ in try Socket.datagrams() }
        for (index, resolver) in resolvers.enumerated() { #expect(resolver.send([UInt8(index)] + other, to: relay)) }
        let asked = try resolvers.map { _ in try server.receivePacket() }
        for question in asked.reversed() { #expect(server.send([question.bytes[0], 1], to: question.port)) }
        for (index, resolver) in resolvers.enumerated() {
            #expect(try resolver.receivePacket().bytes == [UInt8(index), 1])
        }
    }

    @Test func `more questions than can wait leave the latest`() throws {
        let server = try Socket.datagrams()
        let relay = port(server.port)
        var latest: (bytes: [UInt8], port: Int) = ([], 0)
        for number in 0..<300 {
            #expect(resolver.send([UInt8(number & 0xff), UInt8(number >> 8)] + other, to: relay))
            latest = try server.receivePacket()
        }
        #expect(server.send(latest.bytes, to: latest.port))
        #expect(try resolver.receivePacket().bytes == [UInt8(299 & 0xff), 1] + other)
    }

    @Test func `a server that cannot be reached is a failure at once`() throws {
        // Nothing listens there any more.
        let port = port(try Socket.datagrams().port)
        #expect(resolver.send(other, to: port))
        let answer = try resolver.receivePacket().bytes
        #expect(answer.prefix(4) == [0xab, 0xcd, 0x81, 0x82])
        #expect(answer.dropFirst(12) == Question(name: "other.example.com").asked[...])
        // Apple's hosts are known nevertheless.
        #expect(resolver.send(Question(name: "api.push.apple.com").packet, to: port))
        #expect(try resolver.receivePacket().bytes.suffix(4) == [127, 197, 0, 1])
    }

    @Test func `an address that is too large has no relay`() {
        var address = sockaddr_storage()
        let size = MemoryLayout<sockaddr_storage>.size + 1
        let port = withUnsafeBytes(of: &address) { mockapns_intercept_relay_port($0.baseAddress, size) }
        #expect(port == 0)
    }
}
#endif
