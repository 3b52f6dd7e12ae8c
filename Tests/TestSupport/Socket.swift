import Foundation

#if canImport(Glibc)
private let streamType = Int32(SOCK_STREAM.rawValue)
private let datagramType = Int32(SOCK_DGRAM.rawValue)
private let quietly = Int32(MSG_NOSIGNAL)
#else
private let streamType = SOCK_STREAM
private let datagramType = SOCK_DGRAM
private let quietly: Int32 = 0
#endif

/// A port of this machine, as system calls take it.
public struct LoopbackAddress {
    /// Room for both protocols: the port is at the same place.
    private var storage = sockaddr_in6()
    private var size = socklen_t(MemoryLayout<sockaddr_in6>.size)

    /// The address of a port of 127.0.0.1 or ::1.
    public init(port: Int, ipv6: Bool = false) {
        storage.sin6_family = sa_family_t(AF_INET6)
        storage.sin6_addr = in6addr_loopback
        storage.sin6_port = in_port_t(port).bigEndian
        guard !ipv6 else { return }
        var ipv4 = sockaddr_in()
        ipv4.sin_family = sa_family_t(AF_INET)
        ipv4.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        ipv4.sin_port = in_port_t(port).bigEndian
        withUnsafeMutableBytes(of: &storage) { target in withUnsafeBytes(of: ipv4) { target.copyMemory(from: $0) } }
        size = socklen_t(MemoryLayout<sockaddr_in>.size)
    }

    /// The address that a system call writes, and what the call returns.
    static func read(_ call: (UnsafeMutablePointer<sockaddr>?, inout socklen_t) -> Int) -> (port: Int, result: Int) {
        var storage = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutableBytes(of: &storage) {
            call($0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
        }
        return (Int(in_port_t(bigEndian: storage.sin6_port)), result)
    }

    /// Calls `use` with the address and its size.
    public func with<Result>(_ use: (UnsafePointer<sockaddr>?, socklen_t) -> Result) -> Result {
        withUnsafeBytes(of: storage) { use($0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size) }
    }
}

/// A blocking socket on this machine, for tests that need to know exactly which bytes are sent and how it ends.
///
/// Its calls block, so make them in `onOwnThread`. Waiting ends by `LastResort`.
public final class Socket: Sendable {
    /// The failure of a system call.
    public struct Failure: Error, CustomStringConvertible {
        /// The name of the call.
        public let call: String
        /// Its `errno`.
        public let code = errno

        /// The failure of a call that has just returned.
        public init(_ call: String) { self.call = call }

        /// The call and its `errno`.
        public var description: String { "\(call): \(code)" }
    }

    /// What the operating system calls it.
    public let descriptor: Int32

    private init(taking descriptor: Int32) {
        self.descriptor = descriptor
        LastResort.limit(descriptor)
    }

    private convenience init(_ type: Int32, ipv6: Bool = false) throws {
        let descriptor = Foundation.socket(ipv6 ? AF_INET6 : AF_INET, type, 0)
        guard descriptor >= 0 else { throw Failure("socket") }
        self.init(taking: descriptor)
    }

    /// Connects to a port over TCP; `options` of the socket, such as `SO_RCVBUF`, are set before.
    public convenience init(to port: Int, options: [Int32: Int32] = [:]) throws {
        try self.init(streamType)
        for (name, value) in options { set(name, to: value) }
        let status = LoopbackAddress(port: port).with { Foundation.connect(descriptor, $0, $1) }
        guard status == 0 else { throw Failure("connect") }
    }

    /// A socket that waits for connections at a free port.
    public static func listening() throws -> Socket { try bound(streamType, ipv6: false) }

    /// A socket of UDP at a free port.
    public static func datagrams(ipv6: Bool = false) throws -> Socket { try bound(datagramType, ipv6: ipv6) }

    private static func bound(_ type: Int32, ipv6: Bool) throws -> Socket {
        let socket = try Socket(type, ipv6: ipv6)
        let status = LoopbackAddress(port: 0, ipv6: ipv6).with { Foundation.bind(socket.descriptor, $0, $1) }
        guard status == 0, type != streamType || Foundation.listen(socket.descriptor, 16) == 0 else {
            throw Failure("bind")
        }
        return socket
    }

    deinit { Foundation.close(descriptor) }

    /// The own port.
    public var port: Int { LoopbackAddress.read { Int(getsockname(descriptor, $0, &$1)) }.port }

    /// Sets an option.
    public func set(_ option: Int32, to value: Int32, level: Int32 = SOL_SOCKET) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Waits for the next connection, without a limit.
    public func accept() throws -> Socket {
        while true {
            let accepted = Foundation.accept(descriptor, nil, nil)
            if accepted >= 0 { return Socket(taking: accepted) }
            guard errno == EAGAIN || errno == EINTR else { throw Failure("accept") }
        }
    }

    /// Sends bytes; `false` when the other side does not take all of them.
    @discardableResult public func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { rest in
                LastResort.retrying { Foundation.send(descriptor, rest.baseAddress, rest.count, quietly) }
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends a packet to a port; `false` when it was not sent.
    public func send(_ bytes: [UInt8], to port: Int, ipv6: Bool = false) -> Bool {
        LoopbackAddress(port: port, ipv6: ipv6).with { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
            == bytes.count
    }

    /// Waits for bytes; none at the end.
    public func receive() throws -> [UInt8] {
        let bytes = Self.bytes { room in LastResort.retrying { recv(descriptor, room.baseAddress, room.count, 0) } }
        guard let bytes else { throw Failure("recv") }
        return bytes
    }

    /// What has arrived already; `nil` as long as nothing has.
    ///
    /// - Throws: `Failure` also at the end.
    public func poll() throws -> [UInt8]? {
        errno = 0
        let bytes = Self.bytes { recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
        if bytes == nil, errno == EAGAIN || errno == EINTR { return nil }
        guard let bytes, !bytes.isEmpty else { throw Failure("recv") }
        return bytes
    }

    /// Waits for a packet, which comes from a port.
    public func receivePacket() throws -> (bytes: [UInt8], port: Int) {
        var port = 0
        let bytes = Self.bytes { room in
            let (from, count) = LoopbackAddress.read { address, size in
                LastResort.retrying { recvfrom(descriptor, room.baseAddress, room.count, 0, address, &size) }
            }
            port = from
            return count
        }
        guard let bytes else { throw Failure("recvfrom") }
        return (bytes, port)
    }

    /// The bytes that a system call writes; `nil` when it fails.
    private static func bytes(_ call: (UnsafeMutableBufferPointer<UInt8>) -> Int) -> [UInt8]? {
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { room, count in
            let result = call(room)
            isRead = result >= 0
            count = max(result, 0)
        }
        return isRead ? bytes : nil
    }

    /// Ends the direction to the other side.
    public func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends both directions.
    public func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Makes the end of the socket a reset.
    public func resetAtEnd() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
}
