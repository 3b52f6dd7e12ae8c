package final class NamespaceShape: Shape {
    package static let definition = Definition(NamespaceShape(), "Namespace")
    package let api = Member<String>("The URL of its API.")
    package let apns = Member<String?>("The URL to push to; null without a listener of its own.")
    package let epoch = Member<UInt64>("The number of resets, plus one.")
    package let idleSeconds = Member<Double?>("null for the default namespace.")
    package let listeners = Member<[APIObject<ListenerShape>]>()
    package let name = Member<String>(.namespaceName)
    package let pushes = Member<UInt64>("The number of pushes received.")
    package let seq = Member<UInt64>("The number of the newest event.")
    package let ttlSeconds = Member<Double?>("null for as long as the server runs.")
}

package final class NamespaceListShape: Shape {
    package static let definition = Definition(NamespaceListShape(), "NamespaceList")
    package let namespaces = Member<[APIObject<NamespaceShape>]>()
}
