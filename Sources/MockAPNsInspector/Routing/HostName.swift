internal import NIOCore

/// A host as a `Host` header or an `Origin` names it, without its port, in the one form in which it is compared.
///
/// An address is parsed as an address, never compared by its beginning: `127.0.0.1.example.com` is a name.
enum HostName: Hashable, Sendable {
    case name(String)
    case address(String)

    /// Reads `host`, `host:port`, `[::1]` or `[::1]:port`.
    init?(authority: some StringProtocol) {
        var host = Substring(authority)
        var port = Substring()
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return nil }
            port = host[host.index(after: end)...]
            host = host[host.index(after: host.startIndex)..<end]
            guard host.contains(":") else { return nil }
        } else if let colon = host.firstIndex(of: ":") {
            port = host[colon...]
            host = host[..<colon]
        }
        if !port.isEmpty {
            guard port.first == ":", UInt16(port.dropFirst()) != nil,
                port.dropFirst().utf8.allSatisfy({ $0 &- 0x30 < 10 })
            else { return nil }
        }
        self.init(host: host)
    }

    /// Reads a host that has no port; an IPv6 address stands without brackets.
    init?(host: some StringProtocol) {
        if let address = try? SocketAddress(ipAddress: String(host), port: 0), let text = address.ipAddress {
            // A socket that listens for both families shows an IPv4 address in IPv6 clothes.
            let mapped = "::ffff:"
            let isMapped = text.hasPrefix(mapped) && text.contains(".")
            self = .address(isMapped ? String(text.dropFirst(mapped.count)) : text)
            return
        }
        guard !host.isEmpty,
            host.utf8.allSatisfy({ byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            })
        else { return nil }
        self = .name(host.lowercased())
    }

    /// Whether only this machine can be meant.
    var isLoopback: Bool {
        switch self {
        case .name(let name): name == "localhost"
        case .address(let text): text == "::1" || text.split(separator: ".").first == "127"
        }
    }

    /// Whether the address stands for every address of the machine.
    var isWildcard: Bool { self == .address("0.0.0.0") || self == .address("::") }
}
