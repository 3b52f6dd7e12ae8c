public import MockAPNs
public import Testing

/// Gives every test a mock APNs, as `APNsMock.current`.
public struct MockAPNsTrait: SuiteTrait, TestTrait, TestScoping {
    /// The server that the tests of a suite share.
    @TaskLocal private static var shared: APNsMock?

    let isShared: Bool
    let configuration: Configuration

    /// Also for suites within a suite.
    public var isRecursive: Bool { true }

    /// A scope for each case of each test; with a shared server, also one around the outermost suite.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase != nil || (isShared && Self.shared == nil) ? self : nil
    }

    /// Runs a test, or the suite that shares a server.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        if let shared = Self.shared {
            try await shared.withNamespace { mock in
                try await APNsMock.$bound.withValue(mock) {
                    try await mock.attachPushesIfFailing(test, testCase, function)
                }
            }
        } else {
            try await ServerPlaces.shared.withPlace {
                try await withMockAPNs(configuration) { mock in
                    // Shared by tests that this scope is around.
                    try await Self.$shared.withValue(isShared ? mock : nil) {
                        guard testCase != nil else { return try await function() }
                        try await mock.attachPushesIfFailing(test, testCase, function)
                    }
                }
            }
        }
    }
}

extension Trait where Self == MockAPNsTrait {
    /// Gives every test a mock APNs of its own.
    public static var mockAPNs: Self { mockAPNs() }

    /// Gives every test a mock APNs of its own or, if `shared`, a namespace of one server.
    ///
    /// A namespace has its own address, phones, pushes, faults and clock, and costs less than a server.
    public static func mockAPNs(
        shared: Bool = false,
        configuration: Configuration = Configuration()
    ) -> Self {
        MockAPNsTrait(isShared: shared, configuration: configuration)
    }
}

/// Limits how many tests have a server at the same time, because a process can open only so many files.
private actor ServerPlaces {
    static let shared = ServerPlaces()

    private var free = 32
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// A test that has a server already keeps its place: tests that wait for a second one could wait for each other.
    nonisolated func withPlace(_ use: () async throws -> Void) async throws {
        guard APNsMock.bound == nil else { return try await use() }
        await take()
        do {
            try await use()
        } catch {
            await giveBack()
            throw error
        }
        await giveBack()
    }

    private func take() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
