internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsRules
internal import MockAPNsWorld

extension APIObject<NamespaceShape> {
    /// A namespace, with the URL of its API under the host name that the client used.
    init(_ namespace: Namespace, _ call: Route.Call) {
        let extent = namespace.world.journal.extent
        let host = call.request.hosts.first.map { "http://\($0)" } ?? ""
        self.init()
        self.api = host + "/api/v1" + (namespace.isStandard ? "" : "/namespaces/\(namespace.name)")
        self.apns = namespace.listeners.first?.url
        self.epoch = extent.epoch
        self.idleSeconds = namespace.isStandard ? nil : Self.seconds(namespace.idleTime)
        self.listeners = namespace.listeners.map(APIObject<ListenerShape>.init)
        self.name = namespace.name
        self.pushes = namespace.world.journal.counters.received
        self.seq = extent.lastSeq
        self.ttlSeconds = namespace.ttl.map(Self.seconds)
    }

    private static func seconds(_ duration: Duration) -> Double {
        (duration / .milliseconds(1)).rounded(.down) / 1_000
    }
}

extension APIObject<ListenerShape> {
    /// A listener.
    init(_ listener: MockAPNsServer.Listener) {
        self.init()
        self.environment = listener.address.environment.name
        self.secure = listener.address.isSecure
        self.url = listener.url
    }
}
