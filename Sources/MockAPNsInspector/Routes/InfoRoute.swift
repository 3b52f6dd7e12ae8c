internal import FoundationEssentials
internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// What the server is, where it listens, and how it is set up.
enum InfoRoute {
    static func info(_ call: Route.Call) throws(Problem) -> APIResponse {
        let subject = call.subject
        let authority = subject.certificateAuthority
        let capacity = subject.journal.capacity
        return .json(
            APIObject<InfoShape> {
                $0.api = call.request.localPort.map { subject.apiURL(port: $0) }
                $0.caFile = authority?.file
                $0.caFingerprint = authority?.fingerprint
                $0.commit = subject.facts.commit
                $0.config = config(subject.facts.settings)
                $0.counters = counters(subject.journal)
                $0.developmentKey = subject.developmentKey.map { key in
                    APIObject<InfoShape.DevelopmentKey> {
                        $0.keyId = key.keyID
                        $0.path = key.path
                        $0.teamId = key.teamID
                    }
                }
                $0.journal = APIObject(subject.journal.extent)
                $0.label = subject.facts.label
                $0.limits = APIObject<InfoShape.Limits> {
                    $0.apiBodyBytes = Route.largestBody
                    $0.journalBytes = capacity.bytes
                    $0.journalRecords = capacity.records
                    $0.payloadBytes = Dictionary(
                        uniqueKeysWithValues: PushType.allCases.map { ($0.name, $0.row.payloadLimit) }
                    )
                }
                $0.listeners = subject.namespace.listeners.map(APIObject.init)
                $0.namespaces = subject.server.namespaces.all.map(\.name)
                $0.pid = Int(ProcessInfo.processInfo.processIdentifier)
                $0.seed = String(subject.server.seed)
                $0.startedAt = subject.startedAt.rfc3339
                $0.uptimeSeconds = subject.uptimeSeconds
                $0.version = subject.facts.version
            }
        )
    }

    /// Settings by name; the values of a repeated flag are joined.
    private static func config(
        _ settings: [InspectorFacts.Setting]
    ) -> [String: APIObject<InfoShape.Setting>] {
        Dictionary(grouping: settings, by: \.name).mapValues { settings in
            APIObject<InfoShape.Setting> {
                $0.source = settings.last?.source ?? ""
                $0.value = settings.map(\.value).joined(separator: ", ")
            }
        }
    }

    private static func counters(_ journal: Journal) -> [String: UInt64] {
        let counters = journal.counters
        return [
            "pushesReceived": counters.received,
            "pushesAccepted": counters.accepted,
            "pushesRejected": counters.rejected,
            "connectionsOpen": UInt64(journal.connections.count { $0.closedAt == nil }),
            "connectionsTotal": UInt64(journal.connectionCount),
        ]
    }
}
