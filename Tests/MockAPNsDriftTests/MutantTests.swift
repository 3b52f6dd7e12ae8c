import MockAPNs
import MockAPNsRules
import MockAPNsTransport
import MockAPNsWorld
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import MockAPNsDrift

/// Services that differ from the mock in one thing: it is found by its own cases, and by no other.
struct MutantTests {
    /// The cases that the table names for an option.
    private static func cases(of option: String) -> [String] {
        DriftCatalogue.all.filter { item in item.choices.contains { $0.option == option } && item.need.isSent }.map(
            \.id)
    }

    private static let behaviors = Behavior.all.filter { DriftCatalogue.undecided[$0.name] == nil }.flatMap {
        behavior in behavior.values.dropFirst().map { "\(behavior.name)=\($0)" }
    }

    @Test(arguments: behaviors) func `each behavior is found by its own cases`(behavior: String) async throws {
        let result = try await Service().compare { try Behavior.choose(behavior, in: &$0) }
        let option = "--behavior \(behavior)"
        let expected = Self.cases(of: option)
        #expect(!expected.isEmpty && result.report.stopped == nil, "\(result.report.text)")
        #expect(result.report.differing.map(\.id) == expected, "\(result.report.text)")
        #expect(result.report.differing.allSatisfy { $0.options.contains(option) }, "\(result.report.text)")
        // Three scopes look the same with one team, one key and one address.
        let options = behavior.hasPrefix("token-update-scope") ? ["--behavior token-update-scope=key"] : [option]
        #expect(result.report.options == options)
    }

    /// The neighbours in the mock's order that a case decides.
    ///
    /// Two checks of one header cannot fail at once, and some check what no case can provoke.
    private static let neighbours: [[String]] = {
        let decided = Set(DriftCatalogue.all.flatMap(\.choices).map(\.option))
        let all = Set(decided.flatMap { $0.split(separator: " ").last?.split(separator: ",").map(String.init) ?? [] })
        let checks = Pipeline.standard.checks.map(\.id).filter(all.contains)
        return zip(checks, checks.dropFirst()).map { [$1, $0] }.filter { pair in
            decided.contains("--check-order \(pair.joined(separator: ","))")
        }
    }()

    @Test func `enough mutants are tried`() {
        #expect(Self.neighbours.count >= 13)
        #expect(Self.neighbours.count + Self.behaviors.count + Self.faults.count >= 40)
    }

    @Test(arguments: neighbours) func `each swapped pair of checks is found by its own cases`(
        pair: [String]
    ) async throws {
        let option = "--check-order \(pair.joined(separator: ","))"
        let result = try await Service().compare { $0.pipeline = try $0.pipeline.reordered(pair) }
        #expect(result.report.differing.map(\.id) == Self.cases(of: option), "\(option)\n\(result.report.text)")
        #expect(result.report.options == [option], "\(result.report.text)")
    }

    /// A difference that a fault makes in one case.
    struct Fault: CustomTestStringConvertible, Sendable {
        let name: String
        let id: String
        let action: FaultAction
        let differs: Set<String>
        var testDescription: String { "\(name) in \(id)" }
    }

    private static let faults: [Fault] = {
        func respond(_ reason: Reason, _ id: String, _ differs: Set<String>) -> Fault {
            Fault(name: reason.name, id: id, action: .respond(FaultAction.Response(reason)), differs: differs)
        }
        let same = FaultAction.Response(.badDeviceToken)
        var header = same
        header.headers = [FaultAction.Header("server", "example")]
        return [
            respond(.badTopic, "topic-absent", ["reason"]),
            respond(.unregistered, "unknown-device", ["status", "reason", "body"]),
            respond(.missingDeviceToken, "path-short-token", ["reason"]),
            respond(.payloadTooLarge, "body-accessory-4096", ["status", "reason"]),
            respond(.badPath, "type-voip", ["status", "reason"]), respond(.badPriority, "priority-1", ["reason"]),
            respond(.badMessageID, "id-lower", ["reason", "headers"]),
            respond(.internalServerError, "header-large", ["status", "reason"]),
            Fault(name: "a header", id: "expiration-zero", action: .respond(header), differs: ["headers"]),
            Fault(
                name: "no body", id: "collapse-64", action: .respond(FaultAction.Response(status: 400, reason: nil)),
                differs: ["reason", "body"]),
            Fault(
                name: "reset", id: "body-array", action: .resetStream(.internalError),
                differs: ["status", "reason", "headers", "body"]),
            Fault(
                name: "refused", id: "body-number", action: .resetStream(.refusedStream),
                differs: ["status", "reason", "headers", "body"]),
            Fault(
                name: "closed", id: "method-get", action: .connection(.rst),
                differs: ["status", "reason", "headers", "body", "connection"]),
        ]
    }()

    @Test(arguments: faults) func `a fault in one case is found by this case`(fault: Fault) async throws {
        // What the service counts before the case.
        let counts = NIOLockedValueBox<[Int]>([])
        let agreeing = try await Service().compare({ _ in }) { comparison, server in
            comparison.wait = { _ in
                let count = server.world.tally.pushes.reduce(0) { $0 + Int($1.count) }
                counts.withLockedValue { $0.append(count) }
            }
        }
        let index = try #require(agreeing.report.outcomes.firstIndex { $0.id == fault.id })
        let place = counts.withLockedValue { $0[index] }
        let result = try await Service().compare({ _ in }) { _, server in
            var trigger = FaultTrigger()
            trigger.skip = place
            trigger.times = 1
            _ = try server.world.faults.add(FaultDraft(when: trigger, action: fault.action))
        }
        #expect(result.report.differing.map(\.id) == [fault.id], "\(result.report.text)")
        #expect(result.report.differing.first.map { Set($0.differences) } == fault.differs, "\(result.report.text)")
        #expect(result.report.options.isEmpty && result.report.stopped == nil)
    }

    @Test func `a key of the other environment is one case`() async throws {
        var service = try Service()
        service.provider.keyEnvironment = .production
        let agreeing = try await service.compare()
        #expect(agreeing.report.agrees && agreeing.report.outcomes.map(\.id) == ["key-environment"])
        #expect(agreeing.report.outcomes.first?.mock.reason == "BadEnvironmentKeyInToken")
        let documented = try await service.compare { try Behavior.choose("environment-reason=documented", in: &$0) }
        #expect(documented.report.options == ["--behavior environment-reason=documented"])
    }

    /// The order of checks of a service is found whatever it is, and printed as one option.
    @Test func `a reversed order of all checks is found`() async throws {
        let checks = ["payload-size", "topic-present", "apns-priority", "apns-id", "device-token-present"]
        let result = try await Service().compare { $0.pipeline = try $0.pipeline.reordered(checks) }
        let order = try #require(result.report.options.first?.split(separator: " ").last)
        let applied = try Pipeline.standard.reordered(order.split(separator: ",").map(String.init))
        let again = try await Service().compare({ $0.pipeline = applied })
        #expect(again.report.differing.map(\.id) == result.report.differing.map(\.id), "\(order)")
        #expect(again.report.differing.map(\.service) == result.report.differing.map(\.service))
    }
}

extension DriftCase.Need? {
    /// Whether the service of these tests gets the case.
    fileprivate var isSent: Bool { self == nil || self == .encryption }
}
