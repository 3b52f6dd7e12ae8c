public import MockAPNs
public import Testing

/// Gives every test a mock APNs, as `APNsMock.current`.
public struct MockAPNsTrait: SuiteTrait, TestTrait, TestScoping {
    /// The server that the tests of a suite share.
    @TaskLocal private static var shared: APNsMock?

    let isShared: Bool
    let configuration: Configuration

    /// `true`: the trait also applies to suites and tests within a suite.
    public var isRecursive: Bool { true }

    /// Returns a scope for each case of each test; with a shared server, also for the outermost suite.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase != nil || (isShared && Self.shared == nil) ? self : nil
    }

    /// Runs a test with its mock APNs, or a suite with its shared server.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
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
                    // If shared, the tests within this scope use it.
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
    /// Gives every test its own mock APNs.
    public static var mockAPNs: Self { mockAPNs() }

    /// Gives every test its own server or, if `shared`, its own namespace of one server.
    ///
    /// A namespace has its own port, phones, pushes, faults and clock, and starts faster than a server.
    public static func mockAPNs(shared: Bool = false, configuration: Configuration = Configuration()) -> Self {
        MockAPNsTrait(isShared: shared, configuration: configuration)
    }
}

/// Limits how many tests have a server at the same time, because of the limit for open files of a process.
private actor ServerPlaces {
    static let shared = ServerPlaces()

    private var free = 32
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Calls `use` while holding a place.
    ///
    /// Within a test that already has a server, no second place is taken: such tests could wait for each other forever.
    nonisolated func withPlace(_ use: () async throws -> Void) async throws {
        guard APNsMock.bound == nil else { return try await use() }
        await take()
        do { try await use() } catch {
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

    private func giveBack() { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
}
