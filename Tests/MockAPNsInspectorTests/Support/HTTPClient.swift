import Foundation
import MockAPNsFormats
import TestSupport

@testable import MockAPNsInspector

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
        let connection = try Socket(to: port)
        // A server may answer, and close, before it has read a body that is too large.
        connection.send(request)
        return try connection.rest()
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

extension Socket {
    /// What has arrived; `nil` at the end.
    fileprivate func next() throws -> [UInt8]? {
        do {
            let bytes = try receive()
            return bytes.isEmpty ? nil : bytes
        } catch let error as Failure where error.code == ECONNRESET { return nil }
    }

    /// Everything until the server ends the connection, in whatever way.
    fileprivate func rest() throws -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = try next() { all += bytes }
        return all
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

    private let socket: Socket

    private init(_ socket: Socket) { self.socket = socket }

    /// Connects; the operating system keeps `receiveBuffer` bytes for who does not read.
    static func open(port: Int, receiveBuffer: Int32? = nil) async throws -> HeldConnection {
        let options = receiveBuffer.map { [SO_RCVBUF: $0] } ?? [:]
        return HeldConnection(try await onOwnThread { try Socket(to: port, options: options) })
    }

    /// Returns whether the connection still takes input.
    @discardableResult func send(_ text: String) async throws -> Bool {
        try await onOwnThread { [socket] in socket.send(Array(text.utf8)) }
    }

    /// Reads until `end` has come, and a little of what follows.
    func read(until end: String) async throws -> String {
        try await onOwnThread { [socket] in
            var text = ""
            while !text.contains(end), let bytes = try socket.next() { text += String(decoding: bytes, as: UTF8.self) }
            return text
        }
    }

    /// What arrives next; `nil` at the end.
    func readSome() async throws -> [UInt8]? { try await onOwnThread { [socket] in try socket.next() } }

    /// Prepares to leave, or half leaves; the descriptor itself goes with the object.
    func depart(_ way: Departure) {
        switch way {
        case .close: break
        case .halfClose: socket.endOutput()
        case .reset: socket.resetAtEnd()
        }
    }

    /// Reads until the server ends the connection, in whatever way.
    func readToEnd() async throws -> String {
        try await onOwnThread { [socket] in String(decoding: try socket.rest(), as: UTF8.self) }
    }
}
