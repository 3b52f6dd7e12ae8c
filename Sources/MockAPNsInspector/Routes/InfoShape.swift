internal import FoundationEssentials
internal import MockAPNs
package import MockAPNsAPI
package import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsWorld

package final class InfoShape: Shape {
    package typealias Source = (subject: InspectedServer, port: Int?, data: KeptData?)
    package static let definition = Definition(InfoShape(), "Info")
    package let api = Member<String?> { info in info.port.map { info.subject.apiURL(port: $0) } }
    package let caFile = Member<String?> { $0.subject.certificateAuthority?.file }
    package let caFingerprint = Member<String?> { $0.subject.certificateAuthority?.fingerprint }
    package let channelListeners = Member<[APIObject<ListenerShape>]>(
        "The addresses that only serve channel management."
    ) { $0.subject.namespace.channelListeners.map { APIObject($0) } }
    package let commit = Member<String?> { $0.subject.facts.commit }
    /// The values of a repeated option are joined.
    package let config = Member<[String: APIObject<Setting>]> {
        Dictionary(grouping: $0.subject.facts.settings, by: \.name).mapValues { APIObject($0) }
    }
    package let counters = Member<[String: UInt64]> { info in
        let (journal, counters) = (info.subject.journal, info.subject.journal.counters)
        return [
            "pushesReceived": counters.received, "pushesAccepted": counters.accepted,
            "pushesRejected": counters.rejected,
            "connectionsOpen": UInt64(journal.connections.count { $0.closedAt == nil }),
            "connectionsTotal": UInt64(journal.connectionCount),
        ]
    }
    package let data = Member<APIObject<Data>?>("What --data keeps; null in memory.") { $0.data.map { APIObject($0) } }
    package let developmentKey = Member<APIObject<DevelopmentKey>?> { $0.subject.developmentKey.map { APIObject($0) } }
    package let journal = Member<APIObject<JournalShape>> { APIObject($0.subject.journal.extent) }
    package let label = Member<String?> { $0.subject.facts.label }
    package let limits = Member<APIObject<Limits>> { APIObject($0.subject) }
    package let listeners = Member<[APIObject<ListenerShape>]> {
        ($0.subject.namespace.listeners + $0.subject.namespace.binaryListeners).map { APIObject($0) }
    }
    package let namespaces = Member<[String]> { $0.subject.server.namespaces.all.map(\.name) }
    package let pid = Member<Int> { _ in Int(ProcessInfo.processInfo.processIdentifier) }
    package let seed = Member<String>("A string, because numbers lose digits in JavaScript.") {
        String($0.subject.server.seed)
    }
    package let startedAt = Member<String>(.time) { $0.subject.startedAt.rfc3339 }
    package let uptimeSeconds = Member<Double> { $0.subject.uptimeSeconds }
    package let version = Member<String> { $0.subject.facts.version }

    package final class Setting: Shape {
        package typealias Source = [InspectorFacts.Setting]
        package static let definition = Definition(Setting())
        package let source = Member<String> { $0.last?.source ?? "" }
        package let value = Member<String> { $0.map(\.value).joined(separator: ", ") }
    }

    package final class Data: Shape {
        package typealias Source = KeptData
        package static let definition = Definition(Data())
        package let oldestAt = Member<String?>(.time) {
            $0.extent?.firstReceivedAt.map { Timestamp(microseconds: $0).rfc3339 }
        }
        package let problem = Member<String?>(
            "Why changes cannot be kept at the moment, or why lists miss pushes that are kept."
        ) { $0.problem }
        package let pushes = Member<Int>("The number of pushes, also of those in memory.") { $0.extent?.count ?? 0 }
        package let replica = Member<UInt64?>("The number of this server among those that share the world.") {
            $0.replica
        }
        package let replicas = Member<[APIObject<Replica>]>("The servers that share the world.") {
            $0.replicas.map { APIObject($0) }
        }
    }

    package final class Replica: Shape {
        package typealias Source = ReplicaStatus
        package static let definition = Definition(Replica())
        package let address = Member<String> { $0.address }
        package let name = Member<String> { $0.name }
        package let number = Member<UInt64> { $0.number }
        package let position = Member<UInt64>("How far it has applied the log, as of a second ago.") { $0.position }
        package let version = Member<String> { $0.version }
    }

    package final class DevelopmentKey: Shape {
        package typealias Source = InspectorFacts.Key
        package static let definition = Definition(DevelopmentKey())
        package let keyId = Member<String> { $0.keyID }
        package let path = Member<String?> { $0.path }
        package let teamId = Member<String> { $0.teamID }
    }

    package final class Limits: Shape {
        package typealias Source = InspectedServer
        package static let definition = Definition(Limits())
        package let apiBodyBytes = Member<Int> { _ in Route.largestBody }
        package let journalBytes = Member<Int> { $0.journal.capacity.bytes }
        package let journalRecords = Member<Int> { $0.journal.capacity.records }
        package let payloadBytes = Member<[String: Int]> { _ in
            Dictionary(uniqueKeysWithValues: PushType.allCases.map { ($0.name, $0.row.payloadLimit) })
        }
    }
}

/// What `--data` keeps of a namespace.
package struct KeptData: Sendable {
    fileprivate var extent: HistoryExtent?
    fileprivate var problem: String?
    fileprivate let replica: UInt64?
    fileprivate var replicas: [ReplicaStatus] = []

    /// `nil` for a world that is only in memory.
    init?(of subject: InspectedServer) async {
        guard let keeper = subject.namespace.keeper else { return nil }
        let server = subject.server.replica
        replica = server?.number
        var failure: String?
        do throws(HistoryFailure) { extent = try await subject.journal.olderExtent() } catch {
            failure = error.description
        }
        do throws(StoreError) { replicas = try await server?.all() ?? [] } catch {
            failure = failure ?? error.description
        }
        let known = keeper.trouble ?? server?.turns.listFailure ?? keeper.readFailure
        problem = (known ?? keeper.backgroundFailure)?.description ?? failure
    }
}
