package import MockAPNs
package import MockAPNsWorld

package final class NamespaceShape: Shape {
    /// `host` is the host name that the client used for the API.
    package typealias Source = (namespace: Namespace, extent: Journal.Extent, host: String?)
    package static let definition = Definition(NamespaceShape(), "Namespace")
    package let api = Member<String>("The URL of its API.") { shown in
        (shown.host.map { "http://\($0)" } ?? "") + "/api/v1"
            + (shown.namespace.isStandard ? "" : "/namespaces/\(shown.namespace.name)")
    }
    package let apns = Member<String?>("The URL to push to; null without a listener of its own.") {
        $0.namespace.listeners.first?.url
    }
    package let epoch = Member<UInt64>("The number of resets, plus one.") { $0.extent.epoch }
    package let idleSeconds = Member<Double?>("null for the default namespace.") {
        $0.namespace.isStandard ? nil : seconds($0.namespace.idleTime)
    }
    package let listeners = Member<[APIObject<ListenerShape>]> { $0.namespace.listeners.map { APIObject($0) } }
    package let name = Member<String>(.namespaceName) { $0.namespace.name }
    package let pushes = Member<UInt64>("The number of pushes received.") {
        $0.namespace.world.journal.counters.received
    }
    package let seq = Member<UInt64>("The number of the newest event.") { $0.extent.lastSeq }
    package let ttlSeconds = Member<Double?>("null for as long as the server runs.") { $0.namespace.ttl.map(seconds) }

    package static func object(_ namespace: Namespace, host: String?) -> APIObject<NamespaceShape> {
        APIObject((namespace, namespace.world.journal.extent, host))
    }

    private static func seconds(_ duration: Duration) -> Double { (duration / .milliseconds(1)).rounded(.down) / 1_000 }
}

package final class NamespaceListShape: Shape {
    package typealias Source = (namespaces: [Namespace], host: String?)
    package static let definition = Definition(NamespaceListShape(), "NamespaceList")
    package let namespaces = Member<[APIObject<NamespaceShape>]> { list in
        list.namespaces.map { NamespaceShape.object($0, host: list.host) }
    }
}
