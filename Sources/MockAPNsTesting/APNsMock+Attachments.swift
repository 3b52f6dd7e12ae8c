internal import Synchronization
internal import Testing

extension APNsMock {
    /// Attaches the pushes, and pictures of their notifications, to the current test.
    ///
    /// Tests with the trait do this when they fail. `swift test --attachments-path` sets where attachments are saved.
    /// Outside a test of Swift Testing, this does nothing.
    public func attachPushes() async throws {
        guard Test.current != nil else { return }
        let pushes = try await pushes(.anyVerdict)
        let list = "[" + pushes.map(\.description).joined(separator: ",\n") + "]\n"
        Attachment.record(list, named: "pushes.json")
        for push in pushes.suffix(Self.mostPictures) {
            let picture = try await api.call("GET", "pushes/\(push.id)/preview.svg")
            Attachment.record(picture, named: "push-\(push.id).svg")
        }
    }

    /// The maximum number of pictures: more would not help to find a failure.
    private static let mostPictures = 20

    /// Runs a test, and attaches the pushes if it fails.
    func attachPushesIfFailing(
        _ test: Test, _ testCase: Test.Case?, _ function: @Sendable () async throws -> Void
    ) async throws {
        let hasFailed = Atomic(false)
        let watch = IssueHandlingTrait.compactMapIssues { issue in
            hasFailed.store(true, ordering: .relaxed)
            return issue
        }
        do { try await watch.provideScope(for: test, testCase: testCase, performing: function) } catch {
            // The test's own error matters more than why the attachments are missing.
            try? await attachPushes()
            throw error
        }
        if hasFailed.load(ordering: .relaxed) { try await attachPushes() }
    }
}
