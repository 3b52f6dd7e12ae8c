internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsRules
internal import NIOCore

struct InterceptCommand: AsyncParsableCommand {
    static let configuration = command(
        "Run a command whose connections to Apple's push hosts go to a running server.",
        usage: "mock-apns intercept [<options>] -- <command> [<argument> ...]",
        discussion: """
            As exec --intercept, for a server that runs already: all hosts and ports of Apple's push service lead to \
            its listeners with TLS. The command has the variables of exec and trusts the server. Linux only; the \
            limits are in docs/intercept.md.
            """, examples: "mock-apns intercept -- ./provider",
        "mock-apns intercept --api http://127.0.0.1:8197 --ns tests -- npm test")

    @OptionGroup var run: RunOptions

    @OptionGroup var api: APIOptions

    @Argument(parsing: .postTerminator, help: .value("command", "The command and its arguments, after --."))
    var command: [String] = []

    func run() async throws {
        let run = try CommandRun(command, example: "mock-apns intercept -- npm test")
        defer { run.scratch.remove() }
        let client = try api.client()
        let response = try await client.ask(APIRequest("GET", ["info"]))
        let (server, hasAuthority, key) = try response.decoded(as: InfoShape.self) { info in
            let key = info.developmentKey.map { Inspector.Facts.Key(keyID: $0.keyId, teamID: $0.teamId, path: $0.path) }
            return (ServedListeners(info, at: client.address), info.caFingerprint != nil, key)
        }
        var authority: String?
        if hasAuthority {
            let request = APIRequest("GET", ["ca.pem"]).with(\.accept, "*/*")
            authority = String(decoding: try await client.ask(request).body, as: UTF8.self)
        }
        let authorityFile = "\(run.scratch.path)/ca.pem"
        if let authority { try AtomicFile.save(authority.utf8, to: authorityFile, access: .everyone) }
        let code = try await run.run(
            ExecEnvironment(
                address: server.address, apiURL: client.address.url,
                authorityPath: authority.map { _ in authorityFile }, key: key, apiToken: client.token,
                namespace: client.namespace), trusting: self.run.trust == false ? nil : authority,
            through: Interception(
                HostRoutes(to: server.listeners), showsHostsFile: self.run.hostsFile, environment: run.environment))
        Interception.leave()
        if code != 0 { throw ExitCode(code) }
    }
}

/// The listeners of a server, as its API describes them.
struct ServedListeners {
    /// Where pushes go: the first address with TLS, or else the first.
    private(set) var address: ListenAddress?
    private(set) var listeners: [HostRoutes.Listener] = []

    /// Listeners at all interfaces are reached at the address of the API.
    init(_ info: APIObject<InfoShape>, at api: APIAddress) {
        let everywhere = Self.resolved(api.host)
        var addresses: [ListenAddress] = []
        for (listed, isForChannels) in info.listeners.map({ ($0, false) }) + info.channelListeners.map({ ($0, true) }) {
            guard let interface = ProviderInterface(rawValue: listed.interface),
                let environment = Environment(rawValue: listed.environment),
                let start = listed.url.firstRange(of: "://"),
                let parsed = try? ListenAddress(parsing: String(listed.url[start.upperBound...]))
            else { continue }
            let address = ListenAddress(
                host: parsed.host, port: parsed.port, isSecure: listed.secure, environment: environment,
                interface: interface)
            if interface == .http2, !isForChannels { addresses.append(address) }
            let host =
                HostRoutes.ipv4(address.host, everywhere: everywhere ?? 0x7f00_0001) ?? Self.resolved(address.host)
            guard address.isSecure, let host, let port = UInt16(exactly: address.port) else { continue }
            let offer = isForChannels ? .channels : interface.offer
            listeners.append(.init(offer: offer, environment: environment, host: host, port: port))
        }
        address = addresses.first(where: \.isSecure) ?? addresses.first
        if let host = address?.host, APIAddress.reachable(host) != host { address?.host = api.host }
    }

    /// The IPv4 address of a name; `nil` if it has none.
    private static func resolved(_ host: String) -> UInt32? {
        if let address = HostRoutes.ipv4(host) { return address }
        let found = try? SocketAddress.makeAddressResolvingHost(host, port: 0)
        if let address = found?.ipAddress.flatMap({ HostRoutes.ipv4($0) }) { return address }
        // It prefers IPv6, but a listener there may also have the address of IPv4.
        return host == "localhost" ? 0x7f00_0001 : nil
    }
}
