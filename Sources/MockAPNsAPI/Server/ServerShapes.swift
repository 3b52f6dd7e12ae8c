internal import MockAPNsFormats

package final class InfoShape: Shape {
    package static let definition = Definition(InfoShape(), "Info")
    package let api = Member<String?>()
    package let caFile = Member<String?>()
    package let caFingerprint = Member<String?>()
    package let channelListeners = Member<[APIObject<ListenerShape>]>(
        "The addresses that only serve channel management.")
    package let commit = Member<String?>()
    package let config = Member<[String: APIObject<Setting>]>()
    package let counters = Member<[String: UInt64]>()
    package let data = Member<APIObject<Data>?>("What --data keeps; null in memory.")
    package let developmentKey = Member<APIObject<DevelopmentKey>?>()
    package let journal = Member<APIObject<JournalShape>>()
    package let label = Member<String?>()
    package let limits = Member<APIObject<Limits>>()
    package let listeners = Member<[APIObject<ListenerShape>]>()
    package let namespaces = Member<[String]>()
    package let pid = Member<Int>()
    package let seed = Member<String>("A string, because numbers lose digits in JavaScript.")
    package let startedAt = Member<String>(.time)
    package let uptimeSeconds = Member<Double>()
    package let version = Member<String>()

    package final class Setting: Shape {
        package static let definition = Definition(Setting())
        package let source = Member<String>()
        package let value = Member<String>()
    }

    package final class Data: Shape {
        package static let definition = Definition(Data())
        package let oldestAt = Member<String?>(.time)
        package let problem = Member<String?>(
            "Why changes cannot be kept at the moment, or why lists miss pushes that are kept.")
        package let pushes = Member<Int>("The number of pushes, also of those in memory.")
        package let replica = Member<UInt64?>("The number of this server among those that share the world.")
        package let replicas = Member<[APIObject<Replica>]>("The servers that share the world.")
    }

    package final class Replica: Shape {
        package static let definition = Definition(Replica())
        package let address = Member<String>()
        package let name = Member<String>()
        package let number = Member<UInt64>()
        package let position = Member<UInt64>("How far it has applied the log, as of a second ago.")
        package let version = Member<String>()
    }

    package final class DevelopmentKey: Shape {
        package static let definition = Definition(DevelopmentKey())
        package let keyId = Member<String>()
        package let path = Member<String?>()
        package let teamId = Member<String>()
    }

    package final class Limits: Shape {
        package static let definition = Definition(Limits())
        package let apiBodyBytes = Member<Int>()
        package let journalBytes = Member<Int>()
        package let journalRecords = Member<Int>()
        package let payloadBytes = Member<[String: Int]>()
    }
}

package final class ListenerShape: Shape {
    package static let definition = Definition(ListenerShape(), "Listener")
    package let environment = Member<String>(.environment)
    package let interface = Member<String>(.interface)
    package let secure = Member<Bool>()
    package let url = Member<String>()
}

package final class AliveShape: Shape {
    package static let definition = Definition(AliveShape(), "Alive")
    package let alive = Member<Bool>(.constant(true))
}

package final class ReadyShape: Shape {
    package static let definition = Definition(ReadyShape(), "Ready")
    package let listeners = Member<[APIObject<BoundListenerShape>]>()
    package let ready = Member<Bool>(.constant(true))
}

package final class BoundListenerShape: Shape {
    package static let definition = Definition(BoundListenerShape())
    package let bound = Member<Bool>()
    package let name = Member<String>()
}

package final class SequenceShape: Shape {
    package static let definition = Definition(SequenceShape(), "Seq")
    package let epoch = Member<UInt64>()
    package let seq = Member<UInt64>()
}

package final class DigestShape: Shape {
    package static let definition = Definition(DigestShape(), "StateDigest")
    package let digest = Member<String>("SHA-256, in hex.")
    package let lastSeq = Member<UInt64>("The number of the newest event.")
}

package final class ResetShape: Shape {
    package static let definition = Definition(ResetShape(), "ResetDone")
    package let cleared = Member<[String: Int]>()
    package let connections = OptionalMember<String>(.words(["open", "closed"]), "Left out in events.")
    package let epoch = Member<UInt64>()
    package let seq = Member<UInt64>()
}

package final class StoppingShape: Shape {
    package static let definition = Definition(StoppingShape(), "Stopping")
    package let stopping = Member<Bool>(.constant(true))
}
