internal import MockAPNs
internal import MockAPNsRules

/// Where Apple's push hosts lead: each has a loopback address of its own, whose ports go to listeners of the server.
struct HostRoutes {
    /// A listener with TLS, at an IPv4 address.
    struct Listener: Equatable {
        let offer: AppleHost.Offer
        let environment: Environment
        let host: UInt32
        let port: UInt16
    }

    struct Route: Equatable {
        let host: UInt32
        let port: UInt16
        let listener: Listener
    }

    /// 127.197.0.0: the addresses of the hosts follow it, in their order.
    private static let network: UInt32 = 0x7fc5_0000

    let routes: [Route]
    /// The hosts for pushes that lead nowhere: connections to them are refused.
    let missing: [AppleHost]

    /// Chooses the first listener for each host; one for pushes serves channel management, too.
    init(to listeners: [Listener]) {
        var (routes, missing): ([Route], [AppleHost]) = ([], [])
        for (index, host) in AppleHost.all.enumerated() {
            func listener(for offer: AppleHost.Offer) -> Listener? {
                listeners.first { $0.offer == offer && $0.environment == host.environment }
            }
            let found = listener(for: host.offer) ?? (host.offer == .channels ? listener(for: .pushes) : nil)
            if let found {
                routes += host.ports.map { Route(host: Self.address(index), port: $0, listener: found) }
            } else if host.offer == .pushes {
                missing.append(host)
            }
        }
        (self.routes, self.missing) = (routes, missing)
    }

    private static func address(_ index: Int) -> UInt32 { network + UInt32(index) + 1 }

    /// The hosts and their addresses.
    static var names: [(name: String, address: UInt32)] { AppleHost.all.enumerated().map { ($1.name, address($0)) } }

    /// The lines for `/etc/hosts`.
    static var hosts: String { names.map { "\(text(of: $0.address)) \($0.name)\n" }.joined() }

    /// The note on hosts that are refused; `nil` if there are none.
    var warning: String? {
        guard let environment = missing.first?.environment else { return nil }
        let names = missing.map(\.name).joined(separator: ", ")
        let query = environment == .sandbox ? "" : "?environment=\(environment.rawValue)"
        return "the server has no listener with TLS and an IPv4 address for \(environment.rawValue), so connections to"
            + " \(names) are refused; start it with another --apns-listen '127.0.0.1:0\(query)'"
    }

    /// An IPv4 address, or the one to connect to in place of one that means all interfaces; `nil` for another text.
    static func ipv4(_ text: String, everywhere: UInt32 = 0x7f00_0001) -> UInt32? {
        if ["0.0.0.0", "::", ""].contains(text) { return everywhere }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 4, !parts.contains(nil) else { return nil }
        return parts.reduce(0) { $0 << 8 | UInt32($1 ?? 0) }
    }

    private static func text(of address: UInt32) -> String {
        [24, 16, 8, 0].map { "\(address >> $0 & 0xff)" }.joined(separator: ".")
    }
}

extension HostRoutes {
    /// The listeners of a server in this process.
    init(to server: MockAPNsServer) {
        let bound =
            server.listeners.map { ($0, AppleHost.Offer.pushes) }
            + server.channelListeners.map { ($0, AppleHost.Offer.channels) }
            + server.binaryListeners.map { ($0, $0.address.interface.offer) }
        self.init(to: bound.compactMap { Listener($0.address, $1) })
    }

    /// Adds the listeners that a server needs so that every host leads to it, each at a free port.
    static func complete(_ configuration: inout Configuration) {
        for host in AppleHost.all {
            let addresses: WritableKeyPath<Configuration, [ListenAddress]> =
                switch host.offer {
                case .pushes: \.listeners
                case .channels: \.channelListeners
                case .gateway, .feedback: \.binaryListeners
                }
            let isServed = configuration[keyPath: addresses].contains { address in
                Listener(address, host.offer)?.environment == host.environment
                    && (host.offer == .pushes || host.offer == .channels || address.interface.offer == host.offer)
            }
            guard !isServed else { continue }
            configuration[keyPath: addresses].append(
                ListenAddress(
                    host: "127.0.0.1", port: 0, environment: host.environment, interface: host.offer.interface))
        }
    }
}

extension HostRoutes.Listener {
    /// `nil` without TLS or an IPv4 address.
    init?(_ address: ListenAddress, _ offer: AppleHost.Offer) {
        guard address.isSecure, let host = HostRoutes.ipv4(address.host), let port = UInt16(exactly: address.port)
        else { return nil }
        self.init(offer: offer, environment: address.environment, host: host, port: port)
    }
}

extension AppleHost.Offer {
    /// The interface of a listener for it.
    fileprivate var interface: ProviderInterface {
        switch self {
        case .pushes, .channels: .http2
        case .gateway: .gateway
        case .feedback: .feedback
        }
    }
}

extension ProviderInterface {
    /// What a listener with this interface offers.
    var offer: AppleHost.Offer {
        switch self {
        case .http2: .pushes
        case .gateway: .gateway
        case .feedback: .feedback
        }
    }
}
