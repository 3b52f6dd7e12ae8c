import Foundation
import MockAPNs
import MockAPNsCrypto
import MockAPNsFormats
import MockAPNsRules
import MockAPNsTransport
import MockAPNsUpstream
import MockAPNsWorld
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import MockAPNsDrift

/// How comparisons begin, go on and end.
struct ComparisonTests {
    @Test func `a server with the same options agrees`() async throws {
        for isSecure in [true, false] {
            var service = try Service()
            service.isSecure = isSecure
            let report = try await service.compare().report
            #expect(report.agrees && report.options.isEmpty, "\(report.text)")
            let cases = DriftCatalogue.cases(with: isSecure ? [.encryption] : [])
            #expect(report.outcomes.map(\.id) == cases.map(\.id))
            let requests = zip(cases, report.outcomes).filter { $0.0.probe == nil }
            #expect(
                requests.allSatisfy { $0.1.mock.status >= 400 || $0.1.mock.status == 0 }, "every request is refused")
        }
    }

    /// The reason that the table of defects gives for a check is the one that the mock gives.
    @Test func `each pair gets the reason of its first check`() async throws {
        let report = try await Service().compare().report
        for item in DriftCatalogue.all where item.checks.count == 2 {
            let outcome = try #require(report.outcomes.first { $0.id == item.id })
            let reason = item.checks.first.flatMap { DriftDefect.reasons[$0] }
            #expect(outcome.mock.reason == reason, "\(item.id)")
        }
    }

    @Test func `a device and a channel of the user are compared`() async throws {
        var service = try Service()
        service.provider.ownDeviceToken = Fixture.deviceToken
        let seen = NIOLockedValueBox<[String]>([])
        let result = try await service.compare({ _ in }) { comparison, server in
            comparison.makesChannel = true
            let wait = comparison.wait
            comparison.wait = { time in
                let channels = server.world.channels.all().channels.map { "\($0.id)" }
                seen.withLockedValue { $0 += channels }
                try await wait(time)
            }
        }
        let report = result.report
        #expect(report.agrees && result.channelsLeft.isEmpty, "\(report.text)")
        func status(_ id: String) -> Int? { report.outcomes.first { $0.id == id }?.service.status }
        #expect(status("device-accepted") == 200 && status("channel-create") == 201)
        #expect(status("channel-read") == 200 && status("channel-delete") == 204)
        #expect(status("channel-read-deleted") == 400)
        #expect(!seen.withLockedValue { $0 }.isEmpty, "the channel existed for a while")
    }

    /// A service may accept what the mock refuses: this one too has to be deleted, or is named if that fails.
    @Test func `a channel that nobody wanted is not forgotten`() async throws {
        let made = "bm90LXdhbnRlZC1oZXJlIQ=="
        let result = try await Service().compare({ _ in }) { comparison, server in
            comparison.makesChannel = true
            var response = FaultAction.Response(status: 201, reason: nil)
            response.headers = [FaultAction.Header("apns-channel-id", made)]
            let draft = PushCondition(text: "", condition: { request, _ in request.service == .channels })
            var trigger = FaultTrigger()
            trigger.times = 1
            _ = try server.world.faults.add(FaultDraft(match: draft, when: trigger, action: .respond(response)))
        }
        #expect(result.channelsLeft == [made], "\(result.report.text)")
        #expect(result.report.differing.map(\.id) == ["channel-create-empty"], "\(result.report.text)")
    }

    @Test func `a device token that is not valid gets one push`() async throws {
        let service = try Service()
        let seen = NIOLockedValueBox<[String]>([])
        let report = try await service.compare({ _ in }) { comparison, _ in
            var provider = service.provider
            provider.ownDeviceToken = Fixture.deviceToken
            var other = DriftComparison(provider, with: comparison.target)
            other.wait = comparison.wait
            comparison = other
            seen.withLockedValue { $0 = other.cases.filter { $0.need == .device }.map(\.id) }
        }.report
        #expect(seen.withLockedValue { $0.count } > 10)
        #expect(report.differing.map(\.id) == ["device-accepted"] && report.stopped == nil, "\(report.text)")
        #expect(report.outcomes.filter { $0.id.hasPrefix("device-") }.count == 1)
    }

    @Test func `a client certificate of the user is compared`() async throws {
        let service = try Service()
        let now = service.provider.now
        let issued = try ClientCertificateAuthority(now: now).issue(
            userID: service.provider.topic, commonName: "Apple Push Services: com.example.drift", extensions: [],
            now: now)
        let report = try await service.compare({ _ in }) { comparison, _ in
            comparison.certificatePEM = issued.certificatePEM + "\n" + issued.keyPEM
            try comparison.target.check(comparison.certificatePEM)
        }.report
        #expect(report.agrees, "\(report.text)")
        func reason(_ id: String) -> String? { report.outcomes.first { $0.id == "certificate-\(id)" }?.service.reason }
        #expect(reason("accepted") == "BadDeviceToken" && reason("token-word") == "BadDeviceToken")
        #expect(reason("topic-other") == "TopicDisallowed" && reason("liveactivity") == "TopicDisallowed")
    }

    @Test func `a channel is deleted when a comparison ends early`() async throws {
        let left = NIOLockedValueBox<Int?>(nil)
        let result = try await Service().compare({ _ in }) { comparison, server in
            comparison.makesChannel = true
            let wait = comparison.wait
            comparison.wait = { time in
                let count = server.world.channels.all().total
                if count > 0 { throw CancellationError() }
                left.withLockedValue { $0 = count }
                try await wait(time)
            }
            comparison.onEnd = { left.withLockedValue { $0 = server.world.channels.all().total } }
        }
        #expect(result.report.stopped != nil && result.channelsLeft.isEmpty)
        #expect(left.withLockedValue { $0 } == 0)
    }

    @Test func `a comparison stops at 429, and at the third answer that is missing`() async throws {
        let busy = try await Service().compare({ _ in }) { _, server in
            let draft = try FaultDraft(when: FaultTrigger(), action: .respond(FaultAction.Response(.tooManyRequests)))
            _ = try server.world.faults.add(draft)
        }.report
        let requests = busy.outcomes.filter { $0.id != "settings" && $0.id != "tls-version" && $0.id != "ping" }
        #expect(requests.count == 1 && busy.stopped?.contains("429") == true && !busy.agrees)
        for action in [FaultAction.connection(.rst), .connection(.fin), .resetStream(.internalError)] {
            let broken = try await Service().compare({ _ in }) { _, server in
                _ = try server.world.faults.add(FaultDraft(when: FaultTrigger(), action: action))
            }.report
            #expect(broken.differing.count == 3 && broken.stopped?.contains("3 times") == true, "\(broken.text)")
        }
    }

    @Test func `a comparison that stopped is continued`() async throws {
        let service = try Service()
        var first = try await service.compare({ _ in }) { comparison, _ in
            let count = NIOLockedValueBox(0)
            comparison.wait = { _ in
                let isEnough = count.withLockedValue { count in
                    count += 1
                    return count > 100
                }
                if isEnough { throw CancellationError() }
            }
        }.report
        #expect(first.stopped != nil && !first.agrees && first.outcomes.count == 100)
        first = try DriftReport(reading: first.json.text)
        let second = try await service.compare({ _ in }) { comparison, _ in
            comparison.earlier = first
            #expect(comparison.cases.count == DriftCatalogue.cases(with: [.encryption]).count - 100)
        }.report
        #expect(second.agrees, "\(second.text)")
        #expect(second.outcomes.map(\.id) == DriftCatalogue.cases(with: [.encryption]).map(\.id))
    }

    /// At most one request goes to the service between two waits, and each wait is as long as the pace.
    @Test func `the pace is kept`() async throws {
        let waits = NIOLockedValueBox<[(time: Duration, requests: Int)]>([])
        let report = try await Service().compare({ _ in }) { comparison, server in
            comparison.pace = .milliseconds(321)
            comparison.wait = { time in
                let count = server.world.tally.pushes.reduce(0) { $0 + Int($1.count) }
                waits.withLockedValue { $0.append((time, count)) }
            }
        }.report
        let all = waits.withLockedValue { $0 }
        #expect(all.count >= report.outcomes.count && all.allSatisfy { $0.time == .milliseconds(321) })
        #expect(zip(all, all.dropFirst()).allSatisfy { $1.requests - $0.requests <= 1 })
        #expect(all.last.map { $0.requests > 250 } == true)
    }

    /// What a service repeats of a request must not get into a report either.
    @Test func `a report has nothing that identifies anyone`() async throws {
        var service = try Service()
        service.provider.ownDeviceToken = Fixture.deviceToken
        var secrets = [
            "DRIFTKEY01", "DRIFTTEAM1", "com.example.drift", "5e5e5e", Fixture.deviceToken, "eyJ", "127.0.0.1",
            "localhost",
        ]
        let pem = service.provider.key.verifyingKey.publicKeyPEM
        secrets += pem.split(separator: "\n").dropFirst().dropLast().map { String($0.prefix(20)) }
        let result = try await service.compare({ try Behavior.choose("error-content-type=present", in: &$0) }) {
            comparison, server in
            comparison.makesChannel = true
            var response = FaultAction.Response(.badTopic)
            response.headers = [
                FaultAction.Header("x-\(Fixture.deviceToken)", "1"),
                FaultAction.Header("content-type", "DRIFTKEY01 eyJ"),
            ]
            var trigger = FaultTrigger()
            trigger.times = 5
            _ = try server.world.faults.add(FaultDraft(when: trigger, action: .respond(response)))
        }
        let text = String(decoding: result.report.json.text, as: UTF8.self)
        for secret in secrets { #expect(!text.contains(secret), "\(secret)") }
        let ids = try #require(result.report.outcomes.first { $0.id == "channel-create" }).service.headers
        #expect(ids.contains("apns-channel-id"), "without its value: \(ids)")
    }

    @Test func `a service that cannot be reached leaves an empty report`() async throws {
        let result = try await Service().compare({ _ in }) { comparison, _ in
            var target = DriftTarget(UpstreamAddress(host: "localhost", port: 1))
            target.options = .patient
            comparison = DriftComparison(comparison.provider, with: target)
            comparison.wait = { _ in }
        }
        #expect(result.problem?.code == .connect && result.report.outcomes.isEmpty)
        #expect(result.report.stopped == "no connection to the service: connect")
    }
}

/// Reports as files.
struct ReportTests {
    private func report(_ change: @escaping Service.Change) async throws -> DriftReport {
        try await Service().compare(change).report
    }

    @Test func `a report is read as it was written`() async throws {
        let report = try await report { try Behavior.choose("apns-id-case=lower", in: &$0) }
        #expect(try DriftReport(reading: report.json.text) == report)
    }

    @Test(arguments: [
        ("{", "JSON"), ("[]", "report"), (#"{"format":1}"#, "report"),
        (#"{"format":2,"upstream":"other","cases":[]}"#, "format 2"),
        (#"{"format":1,"upstream":"example.com","cases":[]}"#, "unknown upstream"),
        (#"{"format":1,"upstream":"other","cases":[{}]}"#, "without an id"),
        (#"{"format":1,"upstream":"other","cases":[{"id":"ping","mock":1}]}"#, "two answers"),
    ]) func `what is no report is refused`(text: String, words: String) {
        let error = #expect(throws: DriftReport.Invalid.self) { try DriftReport(reading: Array(text.utf8)) }
        #expect(error?.description.contains(words) == true)
    }

    /// The options of a report are printed for a shell.
    @Test func `options come from the table, whatever a report says`() throws {
        let answer = #"{"status":400,"reason":"$(id)","headers":["`id`"],"body":"reason"}"#
        let text = """
            {"format":1,"upstream":"other","stopped":null,"cases":[
            {"id":"id-upper","mock":\(answer),"service":\(answer),"options":["; rm -rf /"]},
            {"id":"not-known","mock":\(answer),"service":\(answer),"options":["; rm -rf /"]}]}
            """
        let report = try DriftReport(reading: Array(text.utf8))
        #expect(report.options.isEmpty && report.outcomes.count == 1)
        #expect(report.outcomes.first?.service.reason == "??id?")
    }
}
