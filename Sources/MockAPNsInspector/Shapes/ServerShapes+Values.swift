internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsRules
internal import MockAPNsWorld

extension APIObject<ClockShape> {
    /// The clock of a world.
    init(_ world: World) {
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
    /// The contents of a journal.
    init(_ extent: Journal.Extent) {
        self.init()
        self.epoch = extent.epoch
        self.evicted = UInt64(extent.evicted)
        self.firstSeq = extent.firstSeq
        self.lastSeq = extent.lastSeq
    }
}

/// The environments that a key or certificate is for; the names are part of the API.
enum KeyScope: String, CaseIterable {
    case sandbox
    case production
    case both

    /// The only environment; `nil` for both.
    var environment: Environment? { Environment(name: rawValue) }
}

extension APIObject<KeyShape> {
    /// A key; its private half is never shown.
    init(_ entry: KeyRing.Entry) {
        self.init()
        self.environment = entry.key.environment?.name ?? KeyScope.both.rawValue
        self.keyId = entry.key.keyID
        self.origin = entry.isFromStart ? "start" : "api"
        self.publicKey = entry.publicKeyPEM
        self.teamId = entry.key.teamID
        self.topics = entry.key.topics?.sorted()
    }
}

extension APIObject<FeedbackShape> {
    /// An entry of the feedback list.
    init(_ entry: FeedbackEntry) {
        self.init()
        self.cause = entry.cause.rawValue
        self.device = entry.label
        self.lastReportedAt = entry.lastReportedAt?.rfc3339
        self.pushesAfterFirst410 = UInt64(entry.pushesAfterFirstReport)
        self.reported410 = UInt64(entry.reported)
        self.token = entry.token.hex
        self.topic = entry.topic
        self.unregisteredAt = entry.unregisteredAt.rfc3339
    }
}

extension APIObject<ResetShape> {
    /// What a reset cleared.
    ///
    /// - Parameters:
    ///   - report: what the world cleared.
    ///   - settings: the number of changed settings; `nil` if it was not counted.
    ///   - connections: whether the connections are still open; `nil` in events, which do not say.
    init(_ report: ResetReport, settings: Int? = nil, connections: String? = nil) {
        self.init()
        self.cleared = [
            "pushes": report.pushes, "devices": report.devices, "feedback": report.feedback,
            "faults": report.faults, "keys": report.keys, "strings": report.strings,
            "categories": report.categories, "settings": settings,
        ].compactMapValues { $0.map { Int($0) } }
        self.connections = connections
        self.epoch = report.epoch
        self.seq = report.seq
    }
}

extension APIObject<NamespaceShape> {
    /// A namespace, with the URL of its API under the host name that the client used.
    init(_ namespace: Namespace, host: String?) {
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
