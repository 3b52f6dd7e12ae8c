internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// Metrics for Prometheus, of the server with all its namespaces; no label has a token or a topic.
enum MetricsRoute {
    /// What a server among others does with the log that they share.
    private static func add(_ replica: Replica, to text: inout MetricsText) {
        let statistics = replica.turns.statistics
        text.add(
            "mock_apns_replica_info", "The server among those that share its worlds.",
            [([("replica", String(replica.number)), ("name", replica.name)], 1)])
        text.add("mock_apns_log_position", "How far the log is applied.", Int(clamping: replica.turns.position))
        text.add("mock_apns_turns_total", "Turns that have written something.", statistics.turns)
        text.add(
            "mock_apns_log_changes_total", "Changes that were applied, by who has made them.",
            [([("by", "this")], statistics.written), ([("by", "others")], statistics.followed)])
        text.add("mock_apns_turns_unsure_total", "Turns whose end had to be looked up.", statistics.inDoubt)
        text.add("mock_apns_worlds_rebuilt_total", "Worlds that were read again.", statistics.rebuilt)
    }

    static func metrics(_ call: Route.Call) throws(Problem) -> APIResponse {
        let subject = call.subject
        let worlds = subject.server.namespaces.all.map(\.world)
        let tally = subject.server.namespaces.tally
        var query = DeviceQuery()
        query.limit = 1
        query.isOnline = true
        let devices = worlds.map { $0.devices.devices(query) }
        let online = devices.reduce(0) { $0 + $1.matched }
        let offline = devices.reduce(0) { $0 + $1.total } - online

        var text = MetricsText()
        text.add(
            "mock_apns_build_info", "The running version.",
            [([("version", subject.facts.version), ("commit", subject.facts.commit ?? "unknown")], 1)])
        if let replica = subject.server.replica { add(replica, to: &text) }
        text.add(
            "mock_apns_pushes_received_total", "Pushes, by push type, outcome and reason.",
            tally.pushes.map { pushes in
                let outcome = pushes.isAccepted ? "accepted" : "rejected"
                let reason = pushes.reason?.name ?? ""
                return ([("push_type", pushes.pushType), ("outcome", outcome), ("reason", reason)], pushes.count)
            })
        text.add("mock_apns_pushes_evicted_total", "Pushes evicted from the journal.", tally.evicted)
        text.add(
            "mock_apns_push_duration_seconds", "Time from the end of a request to its response.", tally.duration,
            MetricsText.millionths)
        text.add("mock_apns_payload_size_bytes", "Size of the bodies of pushes.", tally.payload) { String($0) }
        text.add(
            "mock_apns_pushes_stored", "Notifications stored for a device.", worlds.reduce(0) { $0 + $1.gauges.stored })
        text.add(
            "mock_apns_deliveries_total", "Notifications that reached a state, by state.",
            tally.deliveries.map { ([("state", $0.state)], $0.count) })
        text.add(
            "mock_apns_devices", "Simulated devices.",
            [([("state", "online")], online), ([("state", "offline")], offline)])
        text.add(
            "mock_apns_faults_fired_total", "Faults that fired, by action.",
            zip(FaultAction.names, tally.faults).map { ([("action", $0)], $1) })
        text.add(
            "mock_apns_connections", "Open connections to the APNs side.",
            worlds.reduce(0) { $0 + $1.gauges.connections })
        text.add("mock_apns_connections_total", "Connections opened.", tally.connections)
        text.add(
            "mock_apns_connections_refused_total", "Connections closed because there were too many.",
            tally.refusedConnections)
        text.add(
            "mock_apns_tls_handshakes_total", "TLS handshakes.",
            [([("result", "ok")], tally.handshakes), ([("result", "failed")], tally.failedHandshakes)])
        text.add(
            "mock_apns_goaway_sent_total", "GOAWAY frames sent, by code.",
            tally.goAways.enumerated().filter { $1 > 0 }.map { code, count in
                ([("code", HTTP2Code(rawValue: UInt32(code))?.name ?? "other")], count)
            })
        let forwards = worlds.map(\.forwards.counts)
        text.add(
            "mock_apns_forwarded_total", "Pushes forwarded to another push service, by what became of them.",
            [
                ([("outcome", "same")], forwards.reduce(0) { $0 + $1.answered - $1.differing }),
                ([("outcome", "differs")], forwards.reduce(0) { $0 + $1.differing }),
                ([("outcome", "failed")], forwards.reduce(0) { $0 + $1.failed }),
                ([("outcome", "dropped")], forwards.reduce(0) { $0 + $1.dropped }),
            ])
        text.add("mock_apns_forward_queue", "Pushes that wait to be forwarded.", forwards.reduce(0) { $0 + $1.waiting })
        text.add("mock_apns_waits_in_flight", "API requests that wait for pushes.", subject.pushes.waits.count)
        text.add("mock_apns_sse_clients", "Clients of event streams.", subject.eventClients.count)
        text.add(
            "process_start_time_seconds", "When the process started, in seconds since 1970.",
            [([], MetricsText.millionths(subject.startedAt.microseconds))])
        return .text(text.text, as: MetricsText.contentType)
    }
}

/// Metrics in the text format of Prometheus.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/
struct MetricsText {
    typealias Labels = [(name: String, value: String)]

    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    mutating func add<Value: CustomStringConvertible>(
        _ name: String, _ help: String, _ values: [(labels: Labels, value: Value)]
    ) {
        // By the conventions of Prometheus, only counters have this suffix.
        head(name, name.hasSuffix("_total") ? "counter" : "gauge", help)
        for (labels, value) in values { line(name, labels, value.description) }
    }

    mutating func add(_ name: String, _ help: String, _ value: some BinaryInteger) {
        add(name, help, [([], value.description)])
    }

    /// `number` writes the bounds and the sum.
    mutating func add(_ name: String, _ help: String, _ histogram: Histogram, _ number: (Int64) -> String) {
        head(name, "histogram", help)
        var total: UInt64 = 0
        for (bound, count) in zip(histogram.bounds.map(number) + ["+Inf"], histogram.counts) {
            total += count
            line(name + "_bucket", [("le", bound)], String(total))
        }
        line(name + "_sum", [], number(histogram.sum))
        line(name + "_count", [], String(total))
    }

    private mutating func head(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(type)\n"
    }

    private mutating func line(_ name: String, _ labels: Labels, _ value: String) {
        let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value).replacing("\"", with: "\\\""))\"" }
        text += name + (list.isEmpty ? "" : "{\(list.joined(separator: ","))}") + " \(value)\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    /// Returns a number of millionths as an exact decimal number: `0.0025`.
    static func millionths(_ value: Int64) -> String {
        let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        var digits = String(rest)
        digits = String(repeating: "0", count: 6 - digits.utf8.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return (value < 0 ? "-" : "") + String(whole) + (digits.isEmpty ? "" : "." + digits)
    }
}
