internal import MockAPNs
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// The server that the API shows, with what is known of it.
///
/// A class, though nothing of it changes: it is handed to everything that is shown, and has too many parts to copy.
final class InspectedServer: Sendable {
    /// The namespace that is shown, as searches and verifications see it.
    let pushes: VerifiedNamespace
    let facts: InspectorFacts
    let readiness: Readiness
    /// The host that the API listens on.
    let apiHost: String
    /// Stops the server, where that may be asked for.
    let onShutdown: (@Sendable () -> Void)?
    /// Whether there is a page to look at it.
    let showsPage: Bool
    /// When the API was set up, on the system's clock.
    let startedAt: Timestamp
    /// The checks that pushes go through.
    ///
    /// Fixed for the server's lifetime.
    let checkTexts: CheckTexts
    /// What was said elsewhere of the pushes that were imported.
    let imports = ImportBook()
    /// What people wrote beside pushes.
    let notes = NoteBook()
    /// Who sends the pushes that the API is asked to send.
    let provider = OwnProvider()
    /// The clients of event streams.
    let eventClients = ClientCount()
    /// What event streams share.
    let eventShelf = EventShelf()
    private let started: ContinuousClock.Instant

    init(
        server: MockAPNsServer,
        facts: InspectorFacts,
        readiness: Readiness,
        apiHost: String,
        onShutdown: (@Sendable () -> Void)? = nil,
        showsPage: Bool = true
    ) {
        pushes = VerifiedNamespace(of: server)
        self.facts = facts
        self.readiness = readiness
        self.apiHost = apiHost
        self.onShutdown = onShutdown
        self.showsPage = showsPage
        startedAt = server.world.clock.read().system
        checkTexts = CheckTexts(server.world.ruleset.pipeline)
        started = .now
    }

    /// Shows another namespace of the same server.
    init(_ other: InspectedServer, namespace: Namespace) {
        pushes = other.pushes.other(namespace)
        (facts, readiness) = (other.facts, other.readiness)
        (apiHost, onShutdown, showsPage) = (other.apiHost, other.onShutdown, other.showsPage)
        (startedAt, started) = (other.startedAt, other.started)
        checkTexts = CheckTexts(namespace.world.ruleset.pipeline)
    }

    var server: MockAPNsServer { pushes.server }

    var namespace: Namespace { pushes.namespace }

    /// What conditions and lints may look at.
    var context: PushContext { pushes.context }

    /// Wakes requests that wait for pushes.
    var watch: PushWatch { pushes.watch }

    /// Counts the requests that wait for pushes, in all namespaces.
    var waits: ClientCount { pushes.waits }

    var world: World { namespace.world }

    var journal: Journal { world.journal }

    /// The id of the push of this number.
    func pushID(_ seq: UInt64) -> String { PushID(epoch: journal.extent.epoch, seq: seq).text }

    /// How long the API has been there; clocks that are set meanwhile do not change it.
    var uptimeSeconds: Double {
        (started.duration(to: .now) / .milliseconds(1)).rounded() / 1_000
    }

    /// The URL of the API, where it listens on `port`.
    func apiURL(port: Int) -> String {
        "http://" + (apiHost.contains(":") ? "[\(apiHost)]" : apiHost) + ":\(port)"
    }

    /// The certificate that clients have to trust; `nil` when the server shows one that somebody else issued.
    var certificateAuthority: InspectorFacts.CertificateAuthority? {
        facts.certificateAuthority
            ?? server.certificateAuthorityPEM.map { InspectorFacts.CertificateAuthority(pem: $0) }
    }

    /// The key for a first push; `nil` when there are only keys of the user's own.
    var developmentKey: InspectorFacts.Key? {
        facts.developmentKey
            ?? server.developmentKey.map { InspectorFacts.Key(keyID: $0.keyID, teamID: $0.teamID) }
    }
}
