// XCTest of other systems has no test cases made of closures.
#if !canImport(Darwin)
import Dispatch
import MockAPNsTesting
import TestSupport
import Testing
import XCTest

struct XCTestTests {
    @Test func `a failure under XCTest is at the caller's line`() async throws {
        let recorded = try await onOwnThread { ExpectingCase.recorded() }
        let failure = try #require(recorded.first)
        #expect(recorded.count == 1)
        #expect(failure.text.contains("Expected at least 1 push, found 0"))
        #expect(failure.file.hasSuffix("XCTestTests.swift"))
        #expect(failure.line == ExpectingCase.line)
    }
}

/// A test of XCTest with an expectation that is not met; it keeps its failures.
private final class ExpectingCase: XCTestCase {
    struct Failure {
        let text: String
        let file: String
        let line: Int
    }

    static let line = #line + 7
    private var failures: [Failure] = []

    /// A test of XCTest is not within one of Swift Testing, so it has a task of its own.
    private static func expect() {
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            _ = try? await withMockAPNs { try await $0.expect(.title("Order shipped"), within: .zero) }
            isDone.signal()
        }
        isDone.wait()
    }

    static func recorded() -> [Failure] {
        let test = ExpectingCase(name: "expect") { _ in expect() }
        test.run()
        return test.failures
    }

    override func recordFailure(withDescription text: String, inFile file: String, atLine line: Int, expected: Bool) {
        failures.append(Failure(text: text, file: file, line: line))
    }
}
#endif
