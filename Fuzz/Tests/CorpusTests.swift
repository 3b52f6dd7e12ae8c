import Foundation
import Testing

/// The corpus of the fuzzer, replayed: an input that breaks is seen without fuzzing.
@Suite struct CorpusTests {
    @Test(arguments: FuzzTarget.all.map(\.name)) func replay(_ name: String) async throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../Corpus/\(name)"
        )
        let files = try FileManager.default.contentsOfDirectory(
            at: directory,
            includingPropertiesForKeys: nil
        )
        #expect(!files.isEmpty, "no inputs in \(directory.path)")
        for file in files.sorted(by: { $0.path < $1.path }) {
            let input = [UInt8](try Data(contentsOf: file))
            #expect(
                input.count <= target.longest,
                "\(file.lastPathComponent) is longer than the target takes"
            )
            do {
                try await onOwnThread { try target.run(input) }
            } catch {
                Issue.record("\(name)/\(file.lastPathComponent): \(error)")
            }
        }
    }

    /// Runs what blocks on a thread that is not one of Swift's pool.
    private func onOwnThread(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            Thread { done.resume(with: Result { try work() }) }.start()
        }
    }
}
