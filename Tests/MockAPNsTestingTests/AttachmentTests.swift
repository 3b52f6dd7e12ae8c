import Foundation
import MockAPNsTesting
import TestSupport
import Testing

/// What a failed test leaves behind: a test that fails runs in a process of its own.
struct AttachmentTests {
    private static let variable = "MOCK_APNS_FAILING_TEST"

    @Test(.mockAPNs, .enabled(if: ProcessInfo.processInfo.environment[variable] != nil)) func failing() async throws {
        let apns = APNsMock.current
        let phone = try await apns.addPhone(topic: "com.example.app")
        try await Provider(apns).send(title: "Order shiped", to: phone.token)
        try await apns.expect(.title("Order shipped"), within: .zero)
    }

    @Test(.enabled(if: CommandLine.arguments[0].hasSuffix(".xctest"), "not the program of Linux"))
    func `a failed test has its pushes as attachments, and one failure`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let outcome = try await onOwnThread {
            try RunningProgram.run([
                "env", "\(Self.variable)=1", CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter",
                "AttachmentTests.failing", "--attachments-path", directory.path,
            ])
        }
        let output = String(decoding: outcome.errors, as: UTF8.self)
        #expect(output.contains("failed after"))
        #expect(output.contains("with 1 issue."), "\(output)")
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        #expect(files.count == 2)
        #expect(files.first?.hasSuffix(".svg") == true)
        let pushes = try String(contentsOf: directory.appending(path: "pushes.json"), encoding: .utf8)
        #expect(pushes.contains("Order shiped"))
    }
}
