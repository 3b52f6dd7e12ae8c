internal import MockAPNs
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// Numbers for Prometheus, of the whole server with all its namespaces; none has a token or a topic in a label.
enum MetricsRoute {
    static func metrics(_ call: Route.Call) throws(Problem) -> APIResponse {
        let subject = call.subject
        let worlds = subject.server.namespaces.all.map(\.world)
        let tally = subject.server.namespaces.tally
        var text = MetricsText()
        text.add(
            "mock_apns_build_info",
            .gauge,
            "The version that runs.",
            [([("version", subject.facts.version), ("commit", subject.facts.commit ?? "unknown")], "1")]
        )
        addPushes(tally, to: &text)
        addDevices(worlds, tally, to: &text)
        text.add(
            "mock_apns_faults_fired_total",
            .counter,
            "How often faults fired, by what they do.",
            zip(FaultAction.names, tally.faults).map { ([("action", $0)], String($1)) }
        )
        addConnections(worlds, tally, to: &text)
        text.add(
            "mock_apns_waits_in_flight",
            .gauge,
            "Requests to the API that wait for pushes.",
            subject.waits.count
        )
        text.add(
            "mock_apns_sse_clients",
            .gauge,
            "Clients of event streams, those that are devices included.",
            subject.eventClients.count
        )
        text.add(
            "process_start_time_seconds",
            .gauge,
            "When the process started, in seconds since 1970.",
            [([], MetricsText.millionths(subject.startedAt.microseconds))]
        )
        return APIResponse(contentType: MetricsText.contentType, body: .bytes(Array(text.text.utf8)))
    }

    private static func addPushes(_ tally: Tally, to text: inout MetricsText) {
        text.add(
            "mock_apns_pushes_received_total",
            .counter,
            "Pushes, by push type, outcome and reason.",
            tally.pushes.map { pushes in
                (
                    [
                        ("push_type", pushes.pushType),
                        ("outcome", pushes.isAccepted ? "accepted" : "rejected"),
                        ("reason", pushes.reason?.name ?? ""),
                    ],
                    String(pushes.count)
                )
            }
        )
        text.add(
            "mock_apns_pushes_evicted_total",
            .counter,
            "Pushes that the journal dropped to make room.",
            tally.evicted
        )
        text.add(
            "mock_apns_push_duration_seconds",
            "From the end of a request to its answer.",
            bounds: tally.duration.bounds,
            counts: tally.duration.counts,
            sum: tally.duration.sum,
            isInMillionths: true
        )
        text.add(
            "mock_apns_payload_size_bytes",
            "The bodies of pushes.",
            bounds: tally.payload.bounds,
            counts: tally.payload.counts,
            sum: tally.payload.sum,
            isInMillionths: false
        )
    }

    private static func addDevices(_ worlds: [World], _ tally: Tally, to text: inout MetricsText) {
        text.add(
            "mock_apns_pushes_stored",
            .gauge,
            "Notifications that wait for a device.",
            worlds.reduce(0) { $0 + $1.gauges.stored }
        )
        text.add(
            "mock_apns_deliveries_total",
            .counter,
            "How often a notification came into each state.",
            tally.deliveries.map { ([("state", $0.state)], String($0.count)) }
        )
        var query = DeviceQuery()
        query.limit = 1
        query.isOnline = true
        let pages = worlds.map { $0.devices.devices(query) }
        let online = pages.reduce(0) { $0 + $1.matched }
        text.add(
            "mock_apns_devices",
            .gauge,
            "Simulated devices.",
            [
                ([("state", "online")], String(online)),
                ([("state", "offline")], String(pages.reduce(0) { $0 + $1.total } - online)),
            ]
        )
    }

    private static func addConnections(_ worlds: [World], _ tally: Tally, to text: inout MetricsText) {
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
            [
                ([("result", "ok")], String(tally.handshakes)),
                ([("result", "failed")], String(tally.failedHandshakes)),
            ]
        )
        text.add(
            "mock_apns_goaway_sent_total",
            .counter,
            "GOAWAY frames sent, by their code.",
            tally.goAways.enumerated().filter { $1 > 0 }.map { code, count in
                ([("code", HTTP2Code(rawValue: UInt32(code))?.name ?? "other")], String(count))
            }
        )
    }
}
