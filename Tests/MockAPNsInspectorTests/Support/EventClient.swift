import Foundation
import MockAPNsFormats

@testable import MockAPNsInspector

/// A client of a stream of events, which takes the stream apart itself.
actor EventClient {
    /// What stands between two empty lines.
    enum Block: Equatable {
        case event(String, id: String?, data: JSONValue?)
        case comment(String)
    }

    /// The head of the answer.
    let head: String
    private var connection: HeldConnection?
    /// What has arrived and is not taken apart yet.
    private var chunks: Data
    private var text = Data()
    /// Whether the server has said that nothing more will come.
    private(set) var isComplete = false
    /// Whether the server has said that the stream is open; no block tells of that.
    private(set) var isGreeted = false

    /// Asks for a stream, and waits for the head of the answer; for one that reads late, little can be on the way.
    init(_ target: String, port: Int, headers: [String] = [], readsLate: Bool = false) async throws {
        let connection = try await HeldConnection.open(port: port, receiveBuffer: readsLate ? 16_384 : nil)
        let lines = ["GET \(target) HTTP/1.1", "Host: localhost"] + headers
        try await connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        let begin = try await connection.read(until: "\r\n\r\n")
        guard let end = begin.range(of: "\r\n\r\n") else { throw HTTPClient.Failure("no head: '\(begin)'") }
        head = String(begin[..<end.upperBound])
        chunks = Data(begin[end.upperBound...].utf8)
        self.connection = connection
    }

    /// The next event or comment; `nil` at the end, in whatever way it came.
    func next() async throws -> Block? {
        while true {
            try takeChunks()
            while let block = takeBlock() {
                guard block == .comment(": open"), !isGreeted else { return block }
                isGreeted = true
            }
            guard !isComplete, let connection, let bytes = try await connection.readSome() else { return nil }
            chunks += bytes
        }
    }

    /// The next event, without the comments before it.
    func nextEvent() async throws -> Block? {
        while let block = try await next() { if case .event = block { return block } }
        return nil
    }

    /// Closes the connection.
    func leave(_ way: HeldConnection.Departure = .close) {
        connection?.depart(way)
        if way != .halfClose { connection = nil }
    }

    private func takeBlock() -> Block? {
        guard let end = text.range(of: Data("\n\n".utf8)) else { return nil }
        let lines = String(decoding: text[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\n")
        text = Data(text[end.upperBound...])
        if let first = lines.first, first.hasPrefix(":") { return .comment(first) }
        func field(_ name: String) -> String? {
            lines.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
        }
        let data = field("data").flatMap { JSONParser.value(of: Array($0.utf8)) }
        return .event(field("event") ?? "", id: field("id"), data: data)
    }

    private func takeChunks() throws {
        while let line = chunks.range(of: Data("\r\n".utf8)) {
            let digits = String(decoding: chunks[..<line.lowerBound], as: UTF8.self)
            guard let size = Int(digits, radix: 16) else {
                throw HTTPClient.Failure("'\(digits)' is no size of a chunk")
            }
            let end = line.upperBound + size
            guard chunks.endIndex >= end + 2 else { return }
            text += chunks[line.upperBound..<end]
            chunks = Data(chunks[(end + 2)...])
            if size == 0 { isComplete = true }
        }
    }
}
