package import MockAPNs
package import MockAPNsQuery
package import MockAPNsRules
package import MockAPNsWorld

extension APIObject<ClockShape> {
    package init(_ world: World) {
        let reading = world.clock.read()
        // While the clock runs, its offset to the system's clock does not change.
        let (mode, offset) =
            switch world.clock.mode {
            case .running(let offset): (ClockShape.Mode.real, offset)
            case .stopped: (ClockShape.Mode.frozen, reading.world.microseconds(since: reading.system))
            }
        self.init()
        self.mode = mode.rawValue
        self.nextDue = world.nextDue?.rfc3339
        self.now = reading.world.rfc3339
        self.offsetSeconds = Double(offset) / 1_000_000
    }
}

extension APIObject<JournalShape> {
    package init(_ extent: Journal.Extent) {
        self.init()
        self.epoch = extent.epoch
        self.evicted = UInt64(extent.evicted)
        self.firstSeq = extent.firstSeq
        self.lastSeq = extent.lastSeq
    }
}

/// The environments that a key or certificate is for; the names are part of the API.
package enum KeyScope: String, CaseIterable {
    case sandbox
    case production
    case both

    /// The only environment; `nil` for both.
    package var environment: Environment? { Environment(rawValue: rawValue) }
}

extension APIObject<KeyShape> {
    /// A key; its private half is never shown.
    package init(_ entry: KeyRing.Entry) {
        self.init()
        self.environment = entry.key.environment?.rawValue ?? KeyScope.both.rawValue
        self.keyId = entry.key.keyID
        self.origin = entry.isFromStart ? "start" : "api"
        self.publicKey = entry.publicKeyPEM
        self.teamId = entry.key.teamID
        self.topics = entry.key.topics?.sorted()
    }
}

extension APIObject<FeedbackShape> {
    package init(_ entry: FeedbackEntry) {
        self.init()
        self.cause = entry.cause.rawValue
        self.device = entry.label
        self.lastReportedAt = entry.lastReportedAt?.rfc3339
        self.readAt = entry.readAt?.rfc3339
        self.pushesAfterFirst410 = UInt64(entry.pushesAfterFirstReport)
        self.reported410 = UInt64(entry.reported)
        self.token = entry.token.hex
        self.topic = entry.topic
        self.unregisteredAt = entry.unregisteredAt.rfc3339
    }
}

extension APIObject<ResetShape> {
    /// Events have neither the number of changed settings nor what became of connections.
    package init(_ report: ResetReport, settings: Int? = nil, connections: String? = nil) {
        self.init()
        var cleared = Dictionary(uniqueKeysWithValues: report.cleared.map { ($0.key.rawValue, $0.value) })
        cleared["settings"] = settings
        self.cleared = cleared
        self.connections = connections
        self.epoch = report.epoch
        self.seq = report.seq
    }
}

extension APIObject<NamespaceShape> {
    /// A namespace, with the URL of its API under the host name that the client used.
    package init(_ namespace: Namespace, host: String?) {
        let extent = namespace.world.journal.extent
        let host = host.map { "http://\($0)" } ?? ""
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

    private static func seconds(_ duration: Duration) -> Double { (duration / .milliseconds(1)).rounded(.down) / 1_000 }
}

extension APIObject<ListenerShape> {
    package init(_ listener: BoundListener) {
        self.init()
        self.environment = listener.address.environment.rawValue
        self.interface = listener.address.interface.rawValue
        self.secure = listener.address.isSecure
        self.url = listener.url
    }
}

extension APIObject<ConnectionShape> {
    package init(_ connection: ConnectionRecord, in context: PushContext) {
        self.init()
        self.closeCode = connection.closeCode
        self.closeDetail = connection.closeDetail
        self.closeHint = connection.closeHint
        self.closedAt = connection.closedAt?.rfc3339
        self.environment = connection.environment.rawValue
        // The registered name of the code; its number if it has no name.
        self.goAwayCode = connection.goAwayCode.map { HTTP2Code(rawValue: $0)?.name ?? String($0) }
        self.goAways = UInt64(connection.goAways)
        self.id = ConnectionID(connection.id).text
        self.interface = connection.interface.rawValue
        self.lints = context.lints(ofConnection: connection.id).map(APIObject<LintShape>.init)
        self.openedAt = connection.openedAt.rfc3339
        self.pushes = UInt64(connection.pushes)
        self.remote = connection.remoteAddress
        self.state = connection.closedAt == nil ? "open" : "closed"
        self.streams = UInt64(connection.streams)
        self.tls = APIObject<TLSShape>(connection)
    }
}

extension APIObject<TLSShape> {
    /// The result of the TLS handshake; `nil` for clear text, and if there was no handshake.
    package init?(_ connection: ConnectionRecord) {
        guard let version = connection.tlsVersion else { return nil }
        self.init()
        self.alpn = connection.applicationProtocol
        self.clientCertificate = connection.clientCertificate.map {
            APIObject<ClientCertificateShape>($0, in: connection.environment)
        }
        self.sni = connection.serverName
        self.version = version
    }
}

extension APIObject<ClientCertificateShape> {
    /// A certificate that a client has shown in an environment; `nil` for an issued one.
    package init(_ certificate: ClientCertificate, in environment: Environment?) {
        self.init()
        let problem = certificate.problem(in: environment ?? certificate.environments.first ?? .sandbox)
        self.authenticated = problem == nil
        self.environments = Environment.allCases.filter(certificate.environments.contains).map(\.rawValue)
        self.issuer = certificate.issuer
        self.notAfter = Self.text(certificate.notAfter)
        self.notBefore = Self.text(certificate.notBefore)
        self.onlyTopic = certificate.onlyTopic
        self.problem = problem
        self.serial = certificate.serial
        self.standing = certificate.standing.rawValue
        self.subject = certificate.subject
        self.topics = certificate.topics.sorted()
    }

    /// A time in seconds; `nil` for one outside the calendar.
    private static func text(_ seconds: Int64?) -> String? {
        guard let seconds, (0...Int64(Timestamp.lastWritableSecond)).contains(seconds) else { return nil }
        return Timestamp(seconds: seconds).rfc3339
    }
}
