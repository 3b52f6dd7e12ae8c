internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// A namespace that the API shows, with the facts about its server.
///
/// A class although it is immutable: it is passed around, and has too many parts to copy.
package final class InspectedServer: Sendable {
    let pushes: VerifiedNamespace
    let shown: ShownNamespace
    let facts: InspectorFacts
    let readiness: Readiness
    /// The host that the API listens on.
    let apiHost: String
    /// Stops the server; `nil` if requests may not.
    let onShutdown: (@Sendable () -> Void)?
    let showsPage: Bool
    /// On the system's clock.
    let startedAt: Timestamp
    let provider = OwnProvider()
    let eventClients = ClientCount()
    let eventShelf = EventShelf()
    private let started: ContinuousClock.Instant

    init(
        server: MockAPNsServer, facts: InspectorFacts, readiness: Readiness, apiHost: String,
        onShutdown: (@Sendable () -> Void)? = nil, showsPage: Bool = true
    ) {
        pushes = VerifiedNamespace(of: server)
        shown = ShownNamespace(pushes.context, name: pushes.namespace.name, listeners: server.listeners)
        self.facts = facts
        self.readiness = readiness
        self.apiHost = apiHost
        self.onShutdown = onShutdown
        self.showsPage = showsPage
        startedAt = server.world.clock.read().system
        started = .now
    }

    /// Shows another namespace of the same server.
    init(_ other: InspectedServer, namespace: Namespace) {
        pushes = other.pushes.other(namespace)
        shown = ShownNamespace(pushes.context, name: namespace.name, listeners: other.server.listeners)
        (facts, readiness) = (other.facts, other.readiness)
        (apiHost, onShutdown, showsPage) = (other.apiHost, other.onShutdown, other.showsPage)
        (startedAt, started) = (other.startedAt, other.started)
    }

    var server: MockAPNsServer { pushes.server }

    var namespace: Namespace { pushes.namespace }

    var context: PushContext { pushes.context }

    var world: World { namespace.world }

    var journal: Journal { world.journal }

    /// Independent of clocks that are set.
    var uptimeSeconds: Double { (started.duration(to: .now) / .milliseconds(1)).rounded() / 1_000 }

    func apiURL(port: Int) -> String { "http://" + (apiHost.contains(":") ? "[\(apiHost)]" : apiHost) + ":\(port)" }

    /// The authority that clients have to trust; `nil` if the user provided the server's certificate.
    var certificateAuthority: InspectorFacts.CertificateAuthority? {
        facts.certificateAuthority
            ?? server.certificateAuthorityPEM.map { InspectorFacts.CertificateAuthority(pem: $0) }
    }

    /// The key for a first push; `nil` if there are only the user's keys.
    var developmentKey: InspectorFacts.Key? {
        facts.developmentKey ?? server.developmentKey.map { InspectorFacts.Key(keyID: $0.keyID, teamID: $0.teamID) }
    }
}
