import MockAPNs
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// Numbers for Prometheus, read by a parser that takes nothing amiss.
struct MetricsTests {
    /// The samples of the text format, by name and labels; fails where the text is not of that format.
    private func samples(_ response: APIResponse) throws -> [String: Double] {
        let text = String(decoding: response.bytes, as: UTF8.self)
        #expect(text.hasSuffix("\n"))
        var samples: [String: Double] = [:]
        var (helped, typed): (Set<String>, [String: String]) = ([], [:])
        var family = ""
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            if let help = line.wholeMatch(of: /# HELP ([a-z_]+) (.+)/) {
                family = String(help.1)
                #expect(helped.insert(family).inserted, "\(family) stands twice")
            } else if let type = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge|histogram)/) {
                #expect(String(type.1) == family)
                typed[family] = String(type.2)
            } else if let sample = line.wholeMatch(
                of: /([a-z_]+)(\{[a-z_]+="[^"\\]*"(?:,[a-z_]+="[^"\\]*")*\})? (-?[0-9]+(?:\.[0-9]+)?)/)
            {
                let name = String(sample.1)
                let isPart =
                    typed[family] == "histogram" && ["_bucket", "_sum", "_count"].contains { name == family + $0 }
                #expect(isPart || name == family, "\(line) stands below \(family)")
                if typed[family] == "counter" { #expect(name.hasSuffix("_total"), "\(name)") }
                let key = name + (sample.2.map(String.init) ?? "")
                #expect(samples[key] == nil, "\(key) stands twice")
                samples[key] = Double(sample.3)
            } else {
                Issue.record("'\(line)' is no line of the format")
            }
        }
        return samples
    }

    private static let connection = ConnectionRecord(
        id: 1, remoteAddress: "", environment: .sandbox, openedAt: Fixture.now)

    private static let names = [
        "mock_apns_build_info", "mock_apns_pushes_received_total", "mock_apns_pushes_stored",
        "mock_apns_pushes_evicted_total", "mock_apns_deliveries_total", "mock_apns_devices", "mock_apns_connections",
        "mock_apns_connections_total", "mock_apns_connections_refused_total", "mock_apns_tls_handshakes_total",
        "mock_apns_goaway_sent_total", "mock_apns_faults_fired_total", "mock_apns_push_duration_seconds",
        "mock_apns_payload_size_bytes", "mock_apns_forwarded_total", "mock_apns_forward_queue",
        "mock_apns_waits_in_flight", "mock_apns_sse_clients", "process_start_time_seconds",
    ]

    @Test func `every metric is there from the start`() async throws {
        try await withFixture { fixture in
            let answer = await fixture.get("/metrics")
            #expect(answer.contentType == "text/plain; version=0.0.4; charset=utf-8")
            let text = String(decoding: answer.bytes, as: UTF8.self)
            for name in Self.names { #expect(text.contains("# TYPE \(name) "), "\(name)") }
            let samples = try samples(answer)
            #expect(samples[#"mock_apns_build_info{version="1.2.3",commit="unknown"}"#] == 1)
            for action in FaultAction.names {
                #expect(samples["mock_apns_faults_fired_total{action=\"\(action)\"}"] == 0, "\(action)")
            }
            #expect(samples["mock_apns_push_duration_seconds_count"] == 0)
            #expect((samples["process_start_time_seconds"] ?? 0) > 1_700_000_000)
        }
    }

    @Test func `pushes are counted by push type, outcome and reason, and no reset takes them away`() async throws {
        try await withFixture(configure: { $0.journal.records = 3 }) { fixture in
            fixture.publish(PushDraft(), PushDraft())
            fixture.publish(
                PushDraft().setting("apns-push-type", to: nil), PushDraft().setting("apns-topic", to: nil),
                PushDraft().setting("apns-push-type", to: "nonsense"))
            var large = PushDraft()
            large.problem = ("too large", 413)
            large.body = []
            large.bodyLength = 9_999
            fixture.publish(large)
            _ = await fixture.send("POST", "/api/v1/reset")
            let samples = try samples(await fixture.get("/metrics"))
            func count(_ type: String, _ outcome: String, _ reason: String) -> Double? {
                samples[
                    "mock_apns_pushes_received_total{push_type=\"\(type)\",outcome=\"\(outcome)\",reason=\"\(reason)\"}"
                ]
            }
            #expect(count("alert", "accepted", "") == 2)
            #expect(count("none", "accepted", "") == 1)
            #expect(count("alert", "rejected", "MissingTopic") == 1)
            #expect(count("other", "rejected", "InvalidPushType") == 1)
            #expect(count("alert", "rejected", "") == 1)
            #expect(samples.keys.count { $0.hasPrefix("mock_apns_pushes_received_total") } == 5)
            // The large one takes the place of none: what the transport refuses has room of its own.
            #expect(samples["mock_apns_pushes_evicted_total"] == 2)
            #expect(samples[#"mock_apns_deliveries_total{state="delivered"}"#] == 3)
            #expect(samples[#"mock_apns_push_duration_seconds_bucket{le="0.0005"}"#] == 0)
            #expect(samples[#"mock_apns_push_duration_seconds_bucket{le="0.001"}"#] == 6)
            #expect(samples[#"mock_apns_push_duration_seconds_bucket{le="+Inf"}"#] == 6)
            #expect(samples["mock_apns_push_duration_seconds_sum"] == 0.0048)
            #expect(samples["mock_apns_push_duration_seconds_count"] == 6)
            #expect(samples[#"mock_apns_payload_size_bytes_bucket{le="64"}"#] == 5)
            #expect(samples[#"mock_apns_payload_size_bytes_bucket{le="5120"}"#] == 5)
            #expect(samples[#"mock_apns_payload_size_bytes_bucket{le="+Inf"}"#] == 6)
            #expect(samples["mock_apns_payload_size_bytes_sum"] == 10_219.0)
        }
    }

    @Test func `the commit is shown if it is known`() async throws {
        try await withFixture(facts: Inspector.Facts(version: "1", commit: "abc123")) { fixture in
            let samples = try samples(await fixture.get("/metrics"))
            #expect(samples[#"mock_apns_build_info{version="1",commit="abc123"}"#] == 1)
            #expect(await fixture.get("/api/v1/info").text("commit") == "abc123")
        }
    }

    @Test func `fired faults are counted by action, across removal and reset`() async throws {
        try await withFixture { fixture in
            let faults = fixture.server.world.faults
            func fire(_ action: FaultAction, _ times: Int) throws {
                let fault = try faults.add(FaultDraft(action: action))
                let plan = try #require(fixture.server.world.ruleset.faults)
                for _ in 0..<times { #expect(plan.firing(accepting: Self.connection, at: Fixture.now) != nil) }
                try faults.remove(fault.id)
            }
            try fire(.handshake(.refuse), 2)
            try fire(.handshake(.wrongHost), 1)
            var settings = FaultAction.SettingsFrame()
            settings.maxConcurrentStreams = 1
            try fire(.settings(settings), 3)
            let all = await fixture.send("POST", "/api/v1/reset")
            #expect(all.status == 200)
            let samples = try samples(await fixture.get("/metrics"))
            #expect(samples[#"mock_apns_faults_fired_total{action="handshake"}"#] == 3)
            #expect(samples[#"mock_apns_faults_fired_total{action="settings"}"#] == 3)
            #expect(samples[#"mock_apns_faults_fired_total{action="respond"}"#] == 0)
        }
    }

    @Test func `a fault that is switched off and on goes on being counted`() async throws {
        try await withFixture { fixture in
            let faults = fixture.server.world.faults
            let connection = Self.connection
            let fault = try faults.add(FaultDraft(action: .handshake(.refuse)))
            for isEnabled in [nil, false, true] {
                var change = Faults.Change()
                change.isEnabled = isEnabled
                _ = try faults.change(fault.id, change)
                _ = fixture.server.world.ruleset.faults?.firing(accepting: connection, at: Fixture.now)
            }
            var other = Faults.Change()
            other.action = .handshake(.wrongHost)
            _ = try faults.change(fault.id, other)
            _ = fixture.server.world.ruleset.faults?.firing(accepting: connection, at: Fixture.now)
            let samples = try samples(await fixture.get("/metrics"))
            #expect(samples[#"mock_apns_faults_fired_total{action="handshake"}"#] == 3)
        }
    }

    /// A counter that fell when a namespace goes would look to Prometheus like a server that began anew.
    @Test func `metrics count all namespaces, including removed ones`() async throws {
        try await withFixture { fixture in
            let server = fixture.server
            for name in ["a", "b"] {
                let space = try await server.namespaces.add(.init(name: name))
                _ = try space.world.devices.add(DeviceDraft(label: nil, isOnline: name == "a", registrations: []))
                fixture.publish([PushDraft(), PushDraft()], in: space)
                space.world.noteGoAway(code: 0, on: 1)
            }
            fixture.publish(PushDraft())
            let received = #"mock_apns_pushes_received_total{push_type="alert",outcome="accepted",reason=""}"#
            let before = try samples(await fixture.get("/metrics"))
            #expect(before[received] == 5)
            #expect(before["mock_apns_payload_size_bytes_count"] == 5)
            #expect(before[#"mock_apns_goaway_sent_total{code="NO_ERROR"}"#] == 2)
            // Each of the three has a device that a push made.
            #expect(before[#"mock_apns_devices{state="online"}"#] == 4)
            #expect(before[#"mock_apns_devices{state="offline"}"#] == 1)
            #expect(await server.namespaces.remove("b"))
            let after = try samples(await fixture.get("/metrics"))
            #expect(after[received] == 5)
            #expect(after["mock_apns_payload_size_bytes_count"] == 5)
            #expect(after[#"mock_apns_goaway_sent_total{code="NO_ERROR"}"#] == 2)
            #expect(after[#"mock_apns_devices{state="offline"}"#] == 0)
        }
    }

    @Test func `waits in every namespace are counted`() async throws {
        try await withFixture { fixture in
            _ = try await fixture.server.namespaces.add(.init(name: "a"))
            async let answer = fixture.get("/api/v1/namespaces/a/pushes?wait=60s")
            let wanted = "mock_apns_waits_in_flight 1\n"
            await eventually { String(decoding: await fixture.get("/metrics").bytes, as: UTF8.self).contains(wanted) }
            let space = try #require(fixture.server.namespaces["a"])
            fixture.publish([PushDraft()], in: space)
            #expect(await answer.text("satisfied") == "true")
        }
    }

    @Test func `devices, storage and connections have their current numbers`() async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            let device =
                #"{"state":"offline","registrations":[{"token":"\#(Fixture.token)","topic":"com.example.app"}]}"#
            _ = await fixture.send("POST", "/api/v1/devices", device)
            _ = await fixture.send("POST", "/api/v1/devices", "{}")
            fixture.publish(PushDraft(), PushDraft())
            fixture.open(1)
            let closed = fixture.open(2, tls: false)
            fixture.journal.connectionClosed(closed, at: Fixture.now, code: "x", detail: "y")
            let failures: [(id: UInt64, kind: Journal.ConnectionFailure)] = [(3, .handshake), (4, .refused)]
            for failure in failures {
                fixture.journal.connectionClosed(
                    ConnectionRecord(id: failure.id, remoteAddress: "", environment: .sandbox, openedAt: Fixture.now),
                    at: Fixture.now, code: "tls-failure", detail: "", as: failure.kind)
            }
            fixture.server.world.noteGoAway(code: 11, on: 1)
            fixture.server.world.noteGoAway(code: 4_000, on: 1)
            let samples = try samples(await fixture.get("/metrics"))
            for (name, value) in [
                (#"mock_apns_devices{state="online"}"#, 1.0), (#"mock_apns_devices{state="offline"}"#, 1),
                ("mock_apns_pushes_stored", 1), (#"mock_apns_deliveries_total{state="stored-device-offline"}"#, 2),
                (#"mock_apns_deliveries_total{state="discarded-collapsed"}"#, 1), ("mock_apns_connections", 1),
                ("mock_apns_connections_total", 2), ("mock_apns_connections_refused_total", 1),
                (#"mock_apns_tls_handshakes_total{result="ok"}"#, 1),
                (#"mock_apns_tls_handshakes_total{result="failed"}"#, 1),
                (#"mock_apns_goaway_sent_total{code="ENHANCE_YOUR_CALM"}"#, 1),
                (#"mock_apns_goaway_sent_total{code="other"}"#, 1), ("mock_apns_sse_clients", 0),
                ("mock_apns_waits_in_flight", 0),
            ] { #expect(samples[name] == value, "\(name)") }
        }
    }

    @Test func `open streams are counted, but not as waits`() async throws {
        try await withInspector { _, _, port in
            func sample(_ name: String) async throws -> String? {
                let text = try await HTTPClient.ask("/metrics", port: port).body
                return text.split(separator: "\n").first { $0.hasPrefix(name + " ") }.map(String.init)
            }
            let client = try await EventClient("/api/v1/events", port: port)
            #expect(try await sample("mock_apns_sse_clients") == "mock_apns_sse_clients 1")
            #expect(try await sample("mock_apns_waits_in_flight") == "mock_apns_waits_in_flight 0")
            await client.leave()
        }
    }

    @Test(arguments: [(0, "0"), (100, "0.0001"), (2_500, "0.0025"), (1_000_000, "1"), (-1_500_000, "-1.5")])
    func `millionths are written exactly`(value: Int64, text: String) { #expect(MetricsText.millionths(value) == text) }

    @Test func `a value equal to a bucket's bound is in that bucket`() {
        var histogram = Histogram(bounds: [10, 20])
        for value: Int64 in [0, 10, 11, 20, 21] { histogram.note(value) }
        #expect(histogram.counts == [2, 2, 1])
        #expect(histogram.sum == 62)
        #expect(histogram.count == 5)
    }

    @Test func `labels and help texts are escaped to stay on one line`() {
        var text = MetricsText()
        text.add("a_total", "b\\\nc", [([("d", "e\"\\\nf")], "1")])
        #expect(text.text == "# HELP a_total b\\\\\\nc\n# TYPE a_total counter\na_total{d=\"e\\\"\\\\\\nf\"} 1\n")
    }
}
