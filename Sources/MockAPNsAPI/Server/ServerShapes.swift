package import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsRules
package import MockAPNsWorld

package final class ListenerShape: Shape {
    package typealias Source = BoundListener
    package static let definition = Definition(ListenerShape(), "Listener")
    package let environment = Member<String>(.environment) { $0.address.environment.rawValue }
    package let interface = Member<String>(.interface) { $0.address.interface.rawValue }
    package let secure = Member<Bool> { $0.address.isSecure }
    package let url = Member<String> { $0.url }
}

package final class AliveShape: Shape {
    package typealias Source = Void
    package static let definition = Definition(AliveShape(), "Alive")
    package let alive = Member<Bool>(.constant(true)) { _ in true }
}

package final class ReadyShape: Shape {
    package typealias Source = [BoundListenerShape.Source]
    package static let definition = Definition(ReadyShape(), "Ready")
    package let listeners = Member<[APIObject<BoundListenerShape>]> { $0.map { APIObject($0) } }
    package let ready = Member<Bool>(.constant(true)) { _ in true }
}

package final class BoundListenerShape: Shape {
    package typealias Source = (name: String, isBound: Bool)
    package static let definition = Definition(BoundListenerShape())
    package let bound = Member<Bool> { $0.isBound }
    package let name = Member<String> { $0.name }
}

package final class SequenceShape: Shape {
    package typealias Source = Journal.Extent
    package static let definition = Definition(SequenceShape(), "Seq")
    package let epoch = Member<UInt64> { $0.epoch }
    package let seq = Member<UInt64> { $0.lastSeq }
}

package final class DigestShape: Shape {
    package typealias Source = (digest: String, lastSeq: UInt64)
    package static let definition = Definition(DigestShape(), "StateDigest")
    package let digest = Member<String>("SHA-256, in hex.") { $0.digest }
    package let lastSeq = Member<UInt64>("The number of the newest event.") { $0.lastSeq }
}

package final class ResetShape: Shape {
    /// Events have neither the number of changed settings nor what became of connections.
    package typealias Source = (report: ResetReport, settings: Int?, connections: String?)
    package static let definition = Definition(ResetShape(), "ResetDone")
    package let cleared = Member<[String: Int]> { reset in
        var cleared = Dictionary(uniqueKeysWithValues: reset.report.cleared.map { ($0.key.rawValue, $0.value) })
        cleared["settings"] = reset.settings
        return cleared
    }
    package let connections = OptionalMember<String>(.words(["open", "closed"]), "Left out in events.") {
        $0.connections
    }
    package let epoch = Member<UInt64> { $0.report.epoch }
    package let seq = Member<UInt64> { $0.report.seq }
}

package final class StoppingShape: Shape {
    package typealias Source = Void
    package static let definition = Definition(StoppingShape(), "Stopping")
    package let stopping = Member<Bool>(.constant(true)) { _ in true }
}
