import Foundation
import TestSupport

/// A server that responds to each request with scripted bytes, and records the requests.
final class FakeAPI: @unchecked Sendable {
    /// A request.
    struct Asked: Equatable {
        let method: String
        let target: String
        let body: String
    }

    /// One response: pieces sent one after the other, then the connection is closed.
    struct Script {
        var pieces: [String]
        /// Whether the connection stays open until the client closes it.
        var waits = false

        /// A JSON document.
        static func json(_ body: String, status: Int = 200) -> Script {
            let type = status < 400 ? "application/json" : "application/problem+json"
            return Script(pieces: [
                "HTTP/1.1 \(status) X\r\ncontent-type: \(type)\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)"
            ])
        }

        /// No content.
        static let empty = Script(pieces: ["HTTP/1.1 204 No Content\r\n\r\n"])

        /// An event stream, cut into pieces.
        static func events(_ pieces: [String], waits: Bool = false) -> Script {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
            let chunks = pieces.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }
            return Script(pieces: [head] + chunks, waits: waits)
        }
    }

    let port: Int
    var url: String { "http://127.0.0.1:\(port)" }

    private let lock = NSLock()
    private var scripts: [Script]
    private var requests: [Asked] = []
    private var heads: [String] = []

    init(_ scripts: [Script]) throws {
        self.scripts = scripts
        let listener = try Socket.listening()
        port = listener.port
        Thread.detachNewThread { self.serve(listener) }
    }

    /// The requests so far.
    var asked: [Asked] { lock.withLock { requests } }

    /// The headers of the requests so far, in lower case.
    var headers: [String] { lock.withLock { heads } }

    private func serve(_ listener: Socket) {
        while let script = lock.withLock({ scripts.isEmpty ? nil : scripts.removeFirst() }) {
            guard let connection = try? listener.accept() else { break }
            if let (asked, head) = Self.request(from: connection) {
                lock.withLock {
                    requests.append(asked)
                    heads.append(head.lowercased())
                }
            }
            for piece in script.pieces { connection.send(Array(piece.utf8)) }
            if script.waits { while !Self.read(connection).isEmpty {} }
            // Ends the sending side first: closing with unread bytes would reset the connection.
            connection.endOutput()
            while !Self.read(connection).isEmpty {}
        }
    }

    private static func request(from connection: Socket) -> (Asked, String)? {
        var text = ""
        while true {
            let end = text.range(of: "\r\n\r\n")
            if let end {
                let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
                let length = lines.compactMap { line in
                    line.lowercased().hasPrefix("content-length: ") ? Int(line.dropFirst(16)) : nil
                }.first
                let body = text[end.upperBound...]
                if body.utf8.count >= length ?? 0 {
                    let words = lines[0].split(separator: " ").map(String.init)
                    let asked = Asked(method: words[0], target: words[1], body: String(body))
                    return (asked, String(text[..<end.lowerBound]))
                }
            }
            let bytes = read(connection)
            if bytes.isEmpty { return nil }
            text += String(decoding: bytes, as: UTF8.self)
        }
    }

    private static func read(_ connection: Socket) -> [UInt8] { (try? connection.receive()) ?? [] }
}
