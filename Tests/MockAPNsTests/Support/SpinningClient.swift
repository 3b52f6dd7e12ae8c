import Foundation

/// A client that asks its socket without pause, so that it hears an answer within microseconds.
///
/// A client on an event loop is woken later, by when a server that does things in the wrong order has put
/// them right. Blocks its thread.
struct SpinningClient: ~Copyable {
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    private let socket: Int32
    private var heard: ArraySlice<UInt8> = []
    private var nextStream: Int32 = 1

    /// Connects and exchanges prefaces.
    init(port: Int) throws {
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
        try say(FrameCoder.greeting)
    }

    deinit { close(socket) }

    /// Sends a push and waits for the end of its answer.
    ///
    /// - Returns: what `look` said the moment the last bytes of the answer had arrived.
    mutating func send<Result>(_ push: Push, _ look: () -> Result) throws -> Result {
        let stream = nextStream
        nextStream += 2
        let headers = HeaderCompression.encode(push.fields)
        try say(
            FrameCoder.encode(.headers, flags: 4, stream: stream, payload: headers)
                + FrameCoder.encode(.data, flags: 1, stream: stream, payload: Array(push.body.utf8)))
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count > 0 else {
                guard count < 0, errno == EAGAIN || errno == EINTR else {
                    throw Failure(call: "recv", code: count == 0 ? 0 : errno)
                }
                sched_yield()
                continue
            }
            let seen = look()
            heard += bytes[..<count]
            var isAnswered = false
            while let frame = FrameCoder.take(from: &heard) {
                if frame.stream == stream, frame.kind == .headers || frame.kind == .data {
                    isAnswered = isAnswered || frame.hasEndStream
                }
                if frame.kind == .settings, !frame.isAcknowledgement { try say(FrameCoder.encode(.settings, flags: 1)) }
            }
            if isAnswered { return seen }
        }
    }

    private func say(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { throw Failure(call: "send", code: errno) }
            rest = rest.dropFirst(count)
        }
    }
}
