import Foundation

#if canImport(Glibc)
import Glibc

private let streamSocket = Int32(SOCK_STREAM.rawValue)
private let quietly = Int32(MSG_NOSIGNAL)
private let bindSocket = Glibc.bind
#elseif canImport(Darwin)
import Darwin

private let streamSocket = SOCK_STREAM
private let quietly = Int32(0)
private let bindSocket = Darwin.bind
#endif

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

    private let listener: Int32
    private let lock = NSLock()
    private var scripts: [Script]
    private var requests: [Asked] = []
    private var heads: [String] = []

    init(_ scripts: [Script]) throws {
        self.scripts = scripts
        listener = socket(AF_INET, streamSocket, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let status = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
            let name = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard bindSocket(listener, name, size) == 0, listen(listener, 16) == 0, let name else { return -1 }
            return getsockname(listener, name, &size)
        }
        guard status == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { self.serve() }
    }

    /// The requests so far.
    var asked: [Asked] { lock.withLock { requests } }

    /// The headers of the requests so far, in lower case.
    var headers: [String] { lock.withLock { heads } }

    private func serve() {
        while let script = lock.withLock({ scripts.isEmpty ? nil : scripts.removeFirst() }) {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            if let (asked, head) = Self.request(from: connection) {
                lock.withLock {
                    requests.append(asked)
                    heads.append(head.lowercased())
                }
            }
            for piece in script.pieces { Self.send(piece, to: connection) }
            if script.waits { while !Self.read(connection).isEmpty {} }
            // Shuts down the sending side first: closing with unread bytes would reset the connection.
            shutdown(connection, Int32(SHUT_WR))
            while !Self.read(connection).isEmpty {}
            close(connection)
        }
        close(listener)
    }

    private static func request(from connection: Int32) -> (Asked, String)? {
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

    private static func read(_ connection: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(connection, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes[..<count]) : []
    }

    private static func send(_ text: String, to connection: Int32) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { rest in
                Foundation.send(connection, rest.baseAddress, rest.count, quietly)
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}
