import Synchronization
import TestSupport
import Testing

@testable import MockAPNsTesting

/// Expectations that fail: `withKnownIssue` is here to look at the issue that a failure records, not to hide one.
@Suite(.mockAPNs) struct ExpectationTests {
    private let apns = APNsMock.current

    @Test func `a failure has the report of the nearest push, at the caller's line`() async throws {
        let phone = try await apns.addPhone(topic: "com.example.app")
        try await Provider(apns).send(title: "Order shiped", to: phone.token)
        let line = #line + 1
        let issue = try await issue { try await apns.expect(.to(phone), .title("Order shipped"), within: .zero) }
        let location = try #require(issue.sourceLocation)
        #expect(location.line == line)
        #expect(location.fileID == #fileID)
        let report = issue.comments.map(\.rawValue).joined()
        #expect(report.hasPrefix("Expected at least 1 push, found 0"))
        #expect(report.contains("Order shiped"))
        #expect(report.contains("2/3"))
        // A server in this process has no page unless it was asked for.
        #expect(!report.contains("page: "))
        let page = try await apns.page()
        let linked = try await self.issue { try await apns.expect(.title("Order shipped"), within: .zero) }
        #expect(linked.comments.map(\.rawValue).joined().hasSuffix("\npage: \(page)"))
    }

    @Test func `a failed expectation keeps its namespace, and so its page`() async throws {
        let server = try await apns.page()
        for fails in [true, false] {
            var page = ""
            try await apns.withNamespace { apns in
                page = try await apns.page()
                guard fails else { return }
                let issue = try await issue { try await apns.expect(.title("Order shipped"), within: .zero) }
                let report = issue.comments.map(\.rawValue).joined()
                #expect(report.hasSuffix("\npage: \(page) (for an hour, while the server runs)"))
            }
            let name = try #require(page.split(separator: "=").last)
            let response = try await Curl.run([server + "api/v1/namespaces/\(name)/seq"])
            #expect(response.output.contains("\"seq\"") == fails)
        }
    }

    @Test func `at most so many namespaces are kept, each counted once`() {
        let budget = NamespaceKeeper.Budget(2)
        let keepers = (0..<3).map { _ in NamespaceKeeper(budget) }
        #expect(
            keepers.map { [$0.keep(), $0.keep(), $0.isKept] } == [
                [true, true, true], [true, true, true], [false, false, false],
            ])
    }

    @Test func `an expectation waits for its push`() async throws {
        let phone = try await apns.addPhone(topic: "com.example.app")
        async let push = apns.expect(.to(phone), .title("late"), within: .seconds(60))
        try await Provider(apns).send(title: "late", to: phone.token)
        #expect(try await push.title == "late")
    }

    @Test func `pushes are listed in order, accepted ones unless others are asked for`() async throws {
        let phone = try await apns.addPhone(topic: "com.example.app")
        let provider = Provider(apns)
        try await provider.send(title: "one", to: phone.token)
        #expect(try await provider.send(title: "two", to: "abc") == "400")
        try await provider.send(title: "three", to: phone.token)
        #expect(try await apns.pushes().map(\.title) == ["one", "three"])
        #expect(try await apns.pushes(.rejected).map(\.title) == ["two"])
        #expect(try await apns.pushes(.title("three")).map(\.title) == ["three"])
    }

    @Test func `a push has its warnings`() async throws {
        let phone = try await apns.addPhone(topic: "com.example.app")
        let payload = #"{"aps":{"alert":{"title":"Hi"},"badge":"1"}}"#
        #expect(try await Provider(apns).send(payload, to: phone.token) == "200")
        let warnings = try await apns.expect(.to(phone), .warning("badge-not-integer")).warnings
        #expect(warnings.map(\.id) == ["badge-not-integer"])
        #expect(warnings.first?.message.contains("badge") == true)
        #expect(warnings.first?.hint.isEmpty == false)
    }

    @Test func `a mistake in a search is reported with what is expected`() async throws {
        let issue = try await issue { try await apns.expect(.query("tpye:alert"), within: .zero) }
        #expect(issue.comments.map(\.rawValue).joined().contains("did you mean 'type:alert'"))
    }

    @Test func `a push that must not come is shown`() async throws {
        let phone = try await apns.addPhone(topic: "com.example.app")
        try await apns.expectNone(.to(phone))
        try await Provider(apns).send(title: "Hi", to: phone.token)
        let line = #line + 1
        let issue = try await issue { try await apns.expectNone(.to(phone)) }
        #expect(issue.sourceLocation?.line == line)
        #expect(issue.comments.map(\.rawValue).joined().contains("found 1"))
    }

    @Test func `one push too many fails an exact count`() async throws {
        let phone = try await apns.addPhone(topic: "com.example.app")
        let provider = Provider(apns)
        for title in ["one", "two"] { try await provider.send(title: title, to: phone.token) }
        #expect(try await apns.expect(exactly: 2, .to(phone)).map(\.title) == ["one", "two"])
        let issue = try await issue { try await apns.expect(exactly: 1, .to(phone)) }
        #expect(issue.comments.map(\.rawValue).joined().contains("exactly 1 push, found 2"))
    }

    @Test func `a sequence has to come in its order`() async throws {
        let phone = try await apns.addPhone(topic: "com.example.app")
        let provider = Provider(apns)
        for title in ["one", "two", "three"] { try await provider.send(title: title, to: phone.token) }
        let pushes = try await apns.expectSequence([.title("one")], [.title("three")])
        #expect(pushes.map(\.title) == ["one", "three"])
        let issue = try await issue { try await apns.expectSequence([.title("two")], [.title("one")], within: .zero) }
        #expect(issue.comments.map(\.rawValue).joined().contains("found 1"))
        _ = try await self.issue {
            try await apns.expectSequence([.title("one")], [.title("three")], strict: true, within: .zero)
        }
    }

    @Test func `two matchers for one value are refused`() async throws {
        await #expect(throws: APNsMock.Failure.self) { try await apns.pushes(.title("a"), .title("b")) }
        try await apns.waitForIdle(.milliseconds(1))
        let both = try await apns.pushes(.payload("/a", 1), .payload("/b", [true, ["c": 1.5]]), .query("x"))
        #expect(both.isEmpty)
    }

    /// Returns the only issue that a failing expectation records.
    private func issue(_ expectation: () async throws -> Void) async throws -> Issue {
        let issues = Mutex<[Issue]>([])
        try await withKnownIssue {
            try await expectation()
        } matching: { issue in
            issues.withLock { $0.append(issue) }
            return true
        }
        let recorded = issues.withLock { $0 }
        #expect(recorded.count == 1)
        return try #require(recorded.first)
    }
}
