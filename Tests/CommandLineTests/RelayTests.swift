#if os(Linux)
import CMockAPNsIntercept
import Foundation
import Testing

@testable import mock_apns

/// Questions of a command, passed on to a name server of the test.
@Suite(.serialized) struct RelayTests {
    /// A socket of UDP on 127.0.0.1, or ::1.
    private final class Socket {
        let descriptor: Int32
        let port: UInt16

        init(ipv6: Bool = false) throws {
            let descriptor = socket(ipv6 ? AF_INET6 : AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            let bound = Address(port: 0, ipv6: ipv6).with { bind(descriptor, $0, $1) }
            var own = sockaddr_in6()
            var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
            _ = withUnsafeMutableBytes(of: &own) { bytes in
                getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
            }
            self.descriptor = descriptor
            port = UInt16(bigEndian: own.sin6_port)
            try #require(bound == 0)
        }

        deinit { close(descriptor) }

        func send(_ bytes: [UInt8], to port: UInt16, ipv6: Bool = false) {
            let count = Address(port: port, ipv6: ipv6).with { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
            #expect(count == bytes.count)
        }

        /// The next packet and the port it comes from.
        func receive() throws -> (bytes: [UInt8], port: UInt16) {
            var bytes = [UInt8](repeating: 0, count: 65_535)
            var from = sockaddr_in6()
            var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
            let count = withUnsafeMutableBytes(of: &from) { from in
                recvfrom(
                    descriptor, &bytes, bytes.count, 0, from.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
            }
            try #require(count >= 0)
            return (Array(bytes.prefix(count)), UInt16(bigEndian: from.sin6_port))
        }
    }

    /// An address of this machine, for either protocol: the port is at the same place.
    private struct Address {
        private var address = sockaddr_in6()
        private let size: socklen_t

        init(port: UInt16, ipv6: Bool = false) {
            if ipv6 {
                address.sin6_family = sa_family_t(AF_INET6)
                address.sin6_addr = in6addr_loopback
                address.sin6_port = port.bigEndian
                size = socklen_t(MemoryLayout<sockaddr_in6>.size)
            } else {
                var ipv4 = sockaddr_in()
                ipv4.sin_family = sa_family_t(AF_INET)
                ipv4.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
                ipv4.sin_port = port.bigEndian
                size = socklen_t(MemoryLayout<sockaddr_in>.size)
                withUnsafeMutableBytes(of: &address) { target in
                    withUnsafeBytes(of: ipv4) { target.copyMemory(from: $0) }
                }
            }
        }

        func with<Result>(_ body: (UnsafePointer<sockaddr>?, socklen_t) -> Result) -> Result {
            withUnsafeBytes(of: address) { body($0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size) }
        }
    }

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
        resolver = try Socket()
    }

    /// The relay's port for a name server.
    private func port(_ server: UInt16, ipv6: Bool = false) -> UInt16 {
        Address(port: server, ipv6: ipv6).with { mockapns_intercept_relay_port($0, Int($1)) }
    }

    @Test(arguments: [false, true])
    func `a question is passed on as it is, and its answer too, from the address that was asked`(_ ipv6: Bool) throws {
        let server = try Socket(ipv6: ipv6)
        let relay = port(server.port, ipv6: ipv6)
        #expect(relay != 0 && port(server.port, ipv6: ipv6) == relay)
        resolver.send(other, to: relay)
        let asked = try server.receive()
        #expect(asked.bytes == other)
        // Larger than questions may be, and nothing that a resolver would understand.
        let reply = (0..<9_000).map { UInt8($0 % 251) }
        server.send(reply, to: asked.port, ipv6: ipv6)
        let answer = try resolver.receive()
        #expect(answer.bytes == reply && answer.port == relay)
    }

    @Test func `Apple's hosts are answered without the server, and what is not a question is passed on`() throws {
        let server = try Socket()
        let relay = port(server.port)
        resolver.send(Question(name: "api.push.apple.com").packet, to: relay)
        #expect(try resolver.receive().bytes.suffix(4) == [127, 197, 0, 1])
        for bytes in [Array("not a question".utf8), [7], [UInt8](repeating: 0xff, count: 20_000)] {
            resolver.send(bytes, to: relay)
            // The first that arrives: the server was not asked for Apple's host.
            #expect(try server.receive().bytes == bytes)
        }
    }

    @Test func `answers in another order find who asked`() throws {
        let server = try Socket()
        let relay = port(server.port)
        let resolvers = try (0..<100).map { _ in try Socket() }
        for (index, resolver) in resolvers.enumerated() { resolver.send([UInt8(index)] + other, to: relay) }
        let asked = try resolvers.map { _ in try server.receive() }
        for question in asked.reversed() { server.send([question.bytes[0], 1], to: question.port) }
        for (index, resolver) in resolvers.enumerated() { #expect(try resolver.receive().bytes == [UInt8(index), 1]) }
    }

    @Test func `more questions than can wait leave the latest`() throws {
        let server = try Socket()
        let relay = port(server.port)
        var latest: (bytes: [UInt8], port: UInt16) = ([], 0)
        for number in 0..<300 {
            resolver.send([UInt8(number & 0xff), UInt8(number >> 8)] + other, to: relay)
            latest = try server.receive()
        }
        server.send(latest.bytes, to: latest.port)
        #expect(try resolver.receive().bytes == [UInt8(299 & 0xff), 1] + other)
    }

    @Test func `a server that cannot be reached is a failure at once`() throws {
        // Nothing listens there any more.
        let port = port(try Socket().port)
        resolver.send(other, to: port)
        let answer = try resolver.receive().bytes
        #expect(answer.prefix(4) == [0xab, 0xcd, 0x81, 0x82])
        #expect(answer.dropFirst(12) == Question(name: "other.example.com").asked[...])
        // Apple's hosts are known nevertheless.
        resolver.send(Question(name: "api.push.apple.com").packet, to: port)
        #expect(try resolver.receive().bytes.suffix(4) == [127, 197, 0, 1])
    }

    @Test func `an address that is too large has no relay`() {
        var address = sockaddr_storage()
        let size = MemoryLayout<sockaddr_storage>.size + 1
        let port = withUnsafeBytes(of: &address) { mockapns_intercept_relay_port($0.baseAddress, size) }
        #expect(port == 0)
    }
}
#endif
