import Foundation
import MockAPNsFormats
import TestSupport

@testable import MockAPNsInspector

#if canImport(Glibc)
import Glibc

private let streamSocket = Int32(SOCK_STREAM.rawValue)
private let quietly = Int32(MSG_NOSIGNAL)
private let connectSocket = Glibc.connect
#elseif canImport(Darwin)
import Darwin

private let streamSocket = SOCK_STREAM
private let quietly = Int32(0)
private let connectSocket = Darwin.connect
#endif

/// What a server sent back.
struct HTTPAnswer: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: String

    subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    /// What the body has at the end of a way through objects and arrays.
    func text(_ way: String...) -> String? { JSONParser.value(of: Array(body.utf8))?.text(way) }
}

/// A client that sends exactly the bytes it is told to, one request per connection.
enum HTTPClient {
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// Sends a request to 127.0.0.1 and reads until the server closes the connection.
    static func ask(
        _ target: String, port: Int, method: String = "GET", headers: [String] = [], body: [UInt8] = []
    ) async throws -> HTTPAnswer {
        var lines = ["\(method) \(target) HTTP/1.1", "Connection: close"] + headers
        if !headers.contains(where: { $0.lowercased().hasPrefix("host:") }) { lines.append("Host: 127.0.0.1:\(port)") }
        if !body.isEmpty { lines.append("Content-Length: \(body.count)") }
        let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
        return try await onOwnThread { try parse(exchange(request, port: port)) }
    }

    private static func exchange(_ request: [UInt8], port: Int) throws -> [UInt8] {
        let connection = try connect(port: port)
        defer { close(connection) }
        try write(request, to: connection)
        var answer: [UInt8] = []
        while let bytes = try read(from: connection) { answer += bytes }
        return answer
    }

    fileprivate static func connect(port: Int, receiveBuffer: Int32? = nil) throws -> Int32 {
        let connection = socket(AF_INET, streamSocket, 0)
        guard connection >= 0 else { throw Failure("socket: \(errno)") }
        LastResort.limit(connection)
        if var size = receiveBuffer {
            setsockopt(connection, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeBytes(of: &address) {
            connectSocket(connection, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size)
        }
        guard status == 0 else {
            let number = errno
            close(connection)
            throw Failure("connect: \(number)")
        }
        return connection
    }

    /// Returns whether the system has taken all of it.
    @discardableResult fileprivate static func write(_ bytes: [UInt8], to connection: Int32) throws -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { rest in
                LastResort.retrying { send(connection, rest.baseAddress, rest.count, quietly) }
            }
            // A server may answer, and close, before it has read a body that is too large.
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// What has arrived; `nil` at the end.
    fileprivate static func read(from connection: Int32) throws -> ArraySlice<UInt8>? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = LastResort.retrying { recv(connection, &buffer, buffer.count, 0) }
        if count < 0, errno == ECONNRESET { return nil }
        guard count >= 0 else { throw Failure("recv: \(errno)") }
        return count == 0 ? nil : buffer[..<count]
    }

    private static func parse(_ bytes: [UInt8]) throws -> HTTPAnswer {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { throw Failure("no head in '\(text)'") }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure("no status in '\(lines[0])'")
        }
        let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
        }
        return HTTPAnswer(status: status, headers: headers, body: String(text[end.upperBound...]))
    }
}

/// A connection that stays open until its end is read.
final class HeldConnection: Sendable {
    /// A way to leave.
    enum Departure: CaseIterable {
        /// Both directions, which happens when the object goes.
        case close
        /// At once, and with what is called a reset.
        case reset
        /// The direction to the server alone.
        case halfClose
    }

    private let connection: Int32

    private init(_ connection: Int32) { self.connection = connection }

    deinit { close(connection) }

    /// Connects; the operating system keeps `receiveBuffer` bytes for who does not read.
    static func open(port: Int, receiveBuffer: Int32? = nil) async throws -> HeldConnection {
        HeldConnection(try await onOwnThread { try HTTPClient.connect(port: port, receiveBuffer: receiveBuffer) })
    }

    /// Returns whether the connection still takes input.
    @discardableResult func send(_ text: String) async throws -> Bool {
        try await onOwnThread { [self] in try HTTPClient.write(Array(text.utf8), to: connection) }
    }

    /// Reads until `end` has come, and a little of what follows.
    func read(until end: String) async throws -> String {
        try await onOwnThread { [self] in
            var text = ""
            while !text.contains(end), let bytes = try HTTPClient.read(from: connection) {
                text += String(decoding: bytes, as: UTF8.self)
            }
            return text
        }
    }

    /// What arrives next; `nil` at the end.
    func readSome() async throws -> [UInt8]? {
        try await onOwnThread { [self] in try HTTPClient.read(from: connection).map(Array.init) }
    }

    /// Prepares to leave, or half leaves; the descriptor itself goes with the object.
    func depart(_ way: Departure) {
        switch way {
        case .close: break
        case .halfClose: shutdown(connection, Int32(SHUT_WR))
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }
    }

    /// Reads until the server ends the connection, in whatever way.
    func readToEnd() async throws -> String {
        try await onOwnThread { [self] in
            var all: [UInt8] = []
            while let bytes = try HTTPClient.read(from: connection) { all += bytes }
            return String(decoding: all, as: UTF8.self)
        }
    }
}
