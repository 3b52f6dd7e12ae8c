import Foundation
import TestSupport

/// A client that writes all of its pushes before it reads the answers, and gives up at the first error of its socket.
///
/// That is how an answer gets lost when the server closes a socket too early: a client on an event loop reads what
/// has come before it looks at an error. Blocks its thread.
///
/// `@unchecked Sendable`: one thread at a time uses it.
final class LateReader: @unchecked Sendable {
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    private let socket: Int32
    private var heard: ArraySlice<UInt8> = []
    private var decoder = HeaderCompression.Decoder()
    private var nextStream: Int32 = 1
    /// The statuses read, by stream.
    private(set) var statuses: [Int32: String] = [:]
    /// The lowest stream that a GOAWAY has called the last.
    private(set) var last = Int32.max

    /// Connects and sends one push, whose answer lets the server take many streams.
    init(port: Int, _ push: Push) throws {
        #if canImport(Darwin)
        let stream = SOCK_STREAM
        #else
        let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        socket = Foundation.socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(call: "connect", code: errno) }
        // So small that the server must read for the client to go on writing.
        var buffer: Int32 = 8_192
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
        LastResort.limit(socket)
        try write(FrameCoder.greeting + FrameCoder.encode(.settings, flags: 1) + request(push))
        while statuses[1] == nil { guard try read() else { throw Failure(call: "recv", code: 0) } }
        // The second SETTINGS may come with the answer or after it.
        try write(FrameCoder.encode(.settings, flags: 1))
    }

    deinit { close(socket) }

    /// Writes the pushes, then reads until the server ends the connection.
    ///
    /// - Returns: whether the end came in good order.
    func send(_ pushes: [Push]) throws -> Bool {
        // The server waits for the client's end.
        defer { shutdown(socket, Int32(SHUT_RDWR)) }
        do {
            for push in pushes { try write(request(push)) }
            while try read() {}
            return true
        } catch is Failure { return false }
    }

    private func request(_ push: Push) -> [UInt8] {
        let stream = nextStream
        nextStream += 2
        let headers = HeaderCompression.encode(push.fields)
        return FrameCoder.encode(.headers, flags: 4, stream: stream, payload: headers)
            + FrameCoder.encode(.data, flags: 1, stream: stream, payload: Array(push.body.utf8))
    }

    private func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            // NIO has SIGPIPE ignored.
            let count = rest.withUnsafeBytes { rest in
                LastResort.retrying { Foundation.send(socket, rest.baseAddress, rest.count, 0) }
            }
            guard count > 0 else { throw Failure(call: "send", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Takes in what has come; `false` at the end.
    private func read() throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = LastResort.retrying { recv(socket, &bytes, bytes.count, 0) }
        guard count >= 0 else { throw Failure(call: "recv", code: errno) }
        heard += bytes[..<count]
        while let frame = FrameCoder.take(from: &heard) {
            if frame.kind == .headers {
                let fields = try decoder.decode(frame.payload)
                statuses[frame.stream] = fields.first { $0.name == ":status" }?.value
            } else if frame.kind == .goAway {
                last = min(last, Int32(bitPattern: frame.number(at: 0)))
            }
        }
        return count > 0
    }
}
