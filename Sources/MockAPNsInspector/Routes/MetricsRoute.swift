internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// Metrics for Prometheus, of the server with all its namespaces; no label has a token or a topic.
enum MetricsRoute {
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
            "mock_apns_build_info",
            .gauge,
            "The running version.",
            [([("version", subject.facts.version), ("commit", subject.facts.commit ?? "unknown")], 1)]
        )
        text.add(
            "mock_apns_pushes_received_total",
            .counter,
            "Pushes, by push type, outcome and reason.",
            tally.pushes.map { pushes in
                let outcome = pushes.isAccepted ? "accepted" : "rejected"
                let reason = pushes.reason?.name ?? ""
                return (
                    [("push_type", pushes.pushType), ("outcome", outcome), ("reason", reason)], pushes.count
                )
            }
        )
        text.add(
            "mock_apns_pushes_evicted_total",
            .counter,
            "Pushes evicted from the journal.",
            tally.evicted
        )
        text.add(
            "mock_apns_push_duration_seconds",
            "Time from the end of a request to its response.",
            tally.duration,
            MetricsText.millionths
        )
        text.add("mock_apns_payload_size_bytes", "Size of the bodies of pushes.", tally.payload) {
            String($0)
        }
        text.add(
            "mock_apns_pushes_stored",
            .gauge,
            "Notifications stored for a device.",
            worlds.reduce(0) { $0 + $1.gauges.stored }
        )
        text.add(
            "mock_apns_deliveries_total",
            .counter,
            "Notifications that reached a state, by state.",
            tally.deliveries.map { ([("state", $0.state)], $0.count) }
        )
        text.add(
            "mock_apns_devices",
            .gauge,
            "Simulated devices.",
            [([("state", "online")], online), ([("state", "offline")], offline)]
        )
        text.add(
            "mock_apns_faults_fired_total",
            .counter,
            "Faults that fired, by action.",
            zip(FaultAction.names, tally.faults).map { ([("action", $0)], $1) }
        )
        text.add(
            "mock_apns_connections",
            .gauge,
            "Open connections to the APNs side.",
            worlds.reduce(0) { $0 + $1.gauges.connections }
        )
        text.add("mock_apns_connections_total", .counter, "Connections opened.", tally.connections)
        text.add(
            "mock_apns_connections_refused_total",
            .counter,
            "Connections closed because there were too many.",
            tally.refusedConnections
        )
        text.add(
            "mock_apns_tls_handshakes_total",
            .counter,
            "TLS handshakes.",
            [([("result", "ok")], tally.handshakes), ([("result", "failed")], tally.failedHandshakes)]
        )
        text.add(
            "mock_apns_goaway_sent_total",
            .counter,
            "GOAWAY frames sent, by code.",
            tally.goAways.enumerated().filter { $1 > 0 }.map { code, count in
                ([("code", HTTP2Code(rawValue: UInt32(code))?.name ?? "other")], count)
            }
        )
        text.add(
            "mock_apns_waits_in_flight",
            .gauge,
            "API requests that wait for pushes.",
            subject.waits.count
        )
        text.add("mock_apns_sse_clients", .gauge, "Clients of event streams.", subject.eventClients.count)
        text.add(
            "process_start_time_seconds",
            .gauge,
            "When the process started, in seconds since 1970.",
            [([], MetricsText.millionths(subject.startedAt.microseconds))]
        )
        return APIResponse(contentType: MetricsText.contentType, body: .bytes(Array(text.text.utf8)))
    }
}

/// Metrics in the text format of Prometheus.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/
struct MetricsText {
    enum Kind {
        case counter
        case gauge
        case histogram
    }

    typealias Labels = [(name: String, value: String)]

    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    mutating func add<Value: CustomStringConvertible>(
        _ name: String,
        _ kind: Kind,
        _ help: String,
        _ values: [(labels: Labels, value: Value)]
    ) {
        text += "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(kind)\n"
        for (labels, value) in values { line(name, labels, value.description) }
    }

    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: some BinaryInteger) {
        add(name, kind, help, [([], value.description)])
    }

    /// `number` writes the bounds and the sum.
    mutating func add(
        _ name: String,
        _ help: String,
        _ histogram: Histogram,
        _ number: (Int64) -> String
    ) {
        add(name, .histogram, help, [(labels: Labels, value: String)]())
        var total: UInt64 = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            total += count
            line(name + "_bucket", [("le", number(bound))], String(total))
        }
        total = histogram.counts.reduce(0, +)
        line(name + "_bucket", [("le", "+Inf")], String(total))
        line(name + "_sum", [], number(histogram.sum))
        line(name + "_count", [], String(total))
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
