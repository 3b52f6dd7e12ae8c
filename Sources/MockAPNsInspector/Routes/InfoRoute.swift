internal import FoundationEssentials
internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// What the server is, where it listens, and how it is set up.
enum InfoRoute {
    /// `GET /api/v1/info`.
    static func info(_ call: Route.Call) throws(Problem) -> APIResponse {
        let subject = call.subject
        let authority = subject.certificateAuthority
        return .json([
            "version": .string(subject.facts.version),
            "label": JSONValue(subject.facts.label),
            "commit": JSONValue(subject.facts.commit),
            "pid": JSONValue(ProcessInfo.processInfo.processIdentifier),
            "startedAt": .string(subject.startedAt.rfc3339),
            "uptimeSeconds": .number(subject.uptimeSeconds),
            "listeners": .array(subject.namespace.listeners.map(listener)),
            "api": JSONValue(call.request.localPort.map { subject.apiURL(port: $0) }),
            "caFile": JSONValue(authority?.file),
            "caFingerprint": JSONValue(authority?.fingerprint),
            "developmentKey": subject.developmentKey.map { key in
                [
                    "keyId": .string(key.keyID), "teamId": .string(key.teamID),
                    "path": JSONValue(key.path),
                ]
            } ?? .null,
            "config": config(subject.facts.settings),
            "limits": limits(subject),
            // As text: a number of 64 bits loses digits in JavaScript.
            "seed": .string(String(subject.server.seed)),
            "namespaces": .array(subject.server.namespaces.all.map { .string($0.name) }),
            "counters": counters(subject.journal),
            "journal": JournalShape.json(subject.journal.extent),
        ])
    }

    static func listener(_ listener: MockAPNsServer.Listener) -> JSONValue {
        [
            "url": .string(listener.url),
            "environment": .string(listener.address.environment.name),
            "secure": .bool(listener.address.isSecure),
        ]
    }

    /// Settings by name; the values of a repeated flag stand in one text.
    private static func config(_ settings: [Inspector.Facts.Setting]) -> JSONValue {
        var values: [String: [String]] = [:]
        var sources: [String: String] = [:]
        for setting in settings {
            values[setting.name, default: []].append(setting.value)
            sources[setting.name] = setting.source
        }
        return .object(
            values.reduce(into: [:]) { members, setting in
                members[setting.key] = [
                    "value": .string(setting.value.joined(separator: ", ")),
                    "source": JSONValue(sources[setting.key]),
                ]
            }
        )
    }

    private static func limits(_ subject: InspectedServer) -> JSONValue {
        let payloads = PushType.allCases.map { ($0.name, JSONValue($0.row.payloadLimit)) }
        return [
            "journalRecords": JSONValue(subject.journal.capacity.records),
            "journalBytes": JSONValue(subject.journal.capacity.bytes),
            "payloadBytes": .object(Dictionary(payloads) { first, _ in first }),
            "apiBodyBytes": JSONValue(API.largestBody),
        ]
    }

    private static func counters(_ journal: Journal) -> JSONValue {
        let counters = journal.counters
        let connections = journal.connections
        return [
            "pushesReceived": JSONValue(counters.received),
            "pushesAccepted": JSONValue(counters.accepted),
            "pushesRejected": JSONValue(counters.rejected),
            "connectionsOpen": JSONValue(connections.count { $0.closedAt == nil }),
            "connectionsTotal": JSONValue(journal.connectionCount),
        ]
    }
}
