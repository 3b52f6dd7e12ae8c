internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsWorld

/// A world of its own on the server.
struct NamespaceShape {
    private let namespace: Namespace
    private let call: Route.Call

    init(_ namespace: Namespace, _ call: Route.Call) {
        self.namespace = namespace
        self.call = call
    }

    var json: JSONValue {
        let extent = namespace.world.journal.extent
        return [
            "name": .string(namespace.name),
            "apns": JSONValue(namespace.listeners.first?.url),
            "listeners": .array(namespace.listeners.map(InfoRoute.listener)),
            "api": .string(api),
            "seq": JSONValue(extent.lastSeq),
            "epoch": JSONValue(extent.epoch),
            "pushes": JSONValue(namespace.world.journal.counters.received),
            "ttlSeconds": namespace.ttl.map(Self.seconds) ?? .null,
            "idleSeconds": namespace.isStandard ? .null : Self.seconds(namespace.idleTime),
        ]
    }

    /// Where the API of the namespace is, by the name that the client called the server.
    private var api: String {
        let host = call.request.hosts.first.map { "http://\($0)" } ?? ""
        return host + "/api/v1" + (namespace.isStandard ? "" : "/namespaces/\(namespace.name)")
    }

    private static func seconds(_ duration: Duration) -> JSONValue {
        let milliseconds = (duration / .milliseconds(1)).rounded(.down)
        return milliseconds.truncatingRemainder(dividingBy: 1_000) == 0
            ? .integer(Int64(milliseconds / 1_000)) : .number(milliseconds / 1_000)
    }
}
