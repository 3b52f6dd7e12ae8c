import TestSupport
import Testing

@testable import MockAPNsRules

/// Checks that are not repeated for the same headers give the same verdicts as if they were.
@Suite struct StableCheckTests {
    @Test(arguments: 0..<20) func `skipping stable checks changes no verdict`(seed: UInt64) {
        var random = Generator(seed: seed)
        var (full, short) = (Judge(), Judge(remembers: true))
        var (editions, versions) = (Numbers(), Numbers())
        var scenario = Scenario()
        var accepted = 0
        for _ in 0..<200 {
            scenario = random.chance(oneIn: 3) ? Fault.scenario([random.pick(Fault.inOrder)]) : Scenario()
            scenario.now = Timestamp(seconds: 1_754_402_113 + Int64(random.number(0...7_200)))
            let edition = editions["\(scenario.options) \(scenario.refusal?.name ?? "") \(scenario.token)"]
            let headers = scenario.request.headers.map { header in
                [":path", "apns-id", "user-agent"].contains(header.name) ? header.name : "\(header)"
            }
            let expected = full.verdict(on: scenario, edition, versions["\(headers)"])
            let verdict = short.verdict(on: scenario, edition, versions["\(headers)"])
            #expect(verdict.verdict == expected.verdict, "\(scenario)")
            #expect(verdict.verification == expected.verification)
            #expect(verdict.keyID == expected.keyID)
            accepted += expected.verdict.reason == nil ? 1 : 0
        }
        #expect(accepted > 20 && short.asked < full.asked)
    }

    /// With a certificate the same holds: the checks of its headers are left out, and nothing asks for a token.
    @Test func `skipping stable checks changes no verdict on a connection with a certificate`() {
        let authority = FakeAuthority()
        let devices = FakeDevices(environment: .sandbox)
        var situation = Situation(
            environment: .sandbox, certificate: .standing(), authority: authority, devices: devices)
        #expect(situation.isAuthenticated)
        var other = PushRequest()
        other.set("apns-topic", "com.example.other")
        for (request, version, reason) in [
            (PushRequest(), 1, nil), (PushRequest(), 1, nil), (other, 2, Reason.topicDisallowed),
            (PushRequest(), 1, nil),
        ] {
            situation.begin(at: Scenario.start, options: RuleOptions())
            let verdict = request.withView(headerVersion: UInt64(version)) {
                Pipeline.standard.verdict(on: $0, in: &situation)
            }
            #expect(verdict.reason == reason)
            #expect(situation.verification == .certificate)
        }
        #expect(authority.asked.isEmpty)
    }

    /// Numbers texts in the order of their first occurrence, from 1.
    private struct Numbers {
        private var numbers: [String: UInt64] = [:]

        subscript(text: String) -> UInt64 {
            mutating get {
                let number = numbers[text] ?? UInt64(numbers.count + 1)
                numbers[text] = number
                return number
            }
        }
    }

    /// Judges the pushes of a connection.
    private struct Judge {
        private let authority = FakeAuthority()
        private let devices = FakeDevices(environment: .sandbox)
        private var situation: Situation
        private let remembers: Bool

        init(remembers: Bool = false) {
            self.remembers = remembers
            situation = Situation(environment: .sandbox, authority: authority, devices: devices)
        }

        /// How often a provider token was looked up.
        var asked: Int { authority.asked.count }

        mutating func verdict(
            on scenario: Scenario, _ edition: UInt64, _ headerVersion: UInt64
        ) -> (verdict: Verdict, verification: TokenVerification, keyID: String?) {
            authority.answer = scenario.token.credential
            devices.knowsAll = scenario.deviceIsKnown
            devices.registered = scenario.device.registered(in: .sandbox)
            devices.topic = scenario.device.topic
            devices.admitsAll = scenario.deviceHasRoom
            situation.begin(at: scenario.now, options: scenario.options, refusal: scenario.refusal, edition: edition)
            let verdict = scenario.request.withView(headerVersion: remembers ? headerVersion : 0) {
                Pipeline.standard.verdict(on: $0, in: &situation)
            }
            return (verdict, situation.verification, situation.credential?.key.keyID)
        }
    }
}
