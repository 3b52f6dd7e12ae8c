/// The request for a tunnel, and the proxy's response.
struct ProxyTunnel {
    /// The most that a proxy's response may have before the tunnel begins.
    private static let limit = 16_384

    private let proxy: UpstreamProxy
    private let target: String
    private var received: [UInt8] = []

    init(_ proxy: UpstreamProxy, to address: UpstreamAddress) {
        self.proxy = proxy
        target = "\(address.host.contains(":") ? "[\(address.host)]" : address.host):\(address.port)"
    }

    /// The request (RFC 9110, section 9.3.6).
    var request: [UInt8] {
        let authorization = proxy.authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
        return Array("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(authorization)\r\n".utf8)
    }

    /// Takes bytes of the proxy; returns those after its response once the tunnel is open, `nil` before.
    mutating func receive(_ bytes: some Sequence<UInt8>) throws(UpstreamError) -> [UInt8]? {
        received += bytes
        let end = Array("\r\n\r\n".utf8)
        let prefix = received.prefix(Self.limit)
        guard let head = prefix.firstRange(of: end) else {
            guard received.count < Self.limit, received.starts(with: Array("HTTP/1.".utf8).prefix(received.count))
            else { throw problem("the proxy did not answer with HTTP/1.1") }
            return nil
        }
        let line = String(decoding: received.prefix { $0 != 0x0d }.prefix(100), as: UTF8.self)
        let words = line.split(separator: " ")
        guard line.hasPrefix("HTTP/1."), words.count >= 2, words[1].count == 3, let status = Int(words[1]) else {
            throw problem("the proxy did not answer with HTTP/1.1")
        }
        guard 200...299 ~= status else {
            let fix = status == 407 ? "put user and password into HTTPS_PROXY" : "check HTTPS_PROXY and NO_PROXY"
            throw UpstreamError(
                .proxy, "the proxy answered CONNECT \(target) with \(status)", expected: "200", fix: fix,
                isUnprocessed: true)
        }
        return Array(received[head.upperBound...])
    }

    private func problem(_ seen: String) -> UpstreamError {
        UpstreamError(.proxy, seen, expected: "200", fix: "check HTTPS_PROXY", isUnprocessed: true)
    }
}
