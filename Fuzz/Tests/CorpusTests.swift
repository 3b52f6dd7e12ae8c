import Foundation
import MockAPNsFormats
import Testing

/// The corpus of the fuzzer, replayed: an input that breaks is seen without fuzzing.
@Suite struct CorpusTests {
    @Test(arguments: FuzzTarget.all.map(\.name)) func replay(_ name: String) async throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Corpus/\(name)")
        let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty, "no inputs in \(directory.path)")
        for file in files.sorted(by: { $0.path < $1.path }) {
            let input = [UInt8](try Data(contentsOf: file))
            #expect(input.count <= target.longest, "\(file.lastPathComponent) is longer than the target takes")
            do { try await onOwnThread { try target.run(input) } } catch {
                Issue.record("\(name)/\(file.lastPathComponent): \(error)")
            }
        }
    }

    /// What the fuzzer seldom makes: searches that can be read, with operators at any place.
    @Test func `random sequences of terms and operators`() async throws {
        let pieces = [
            "AND", "OR", "NOT", "(", ")", "!", "-", "a", "badge", "(b)", "x(", "\"order 17\"", "\"(\"", "is:rejected",
            "has:badge", "4xx", "#1", "size:>60", "priority:<10", "title:Order", "payload:/aps/badge=3",
            "header:apns-priority=\"10\"", "age:<5m", "text:score", "type:alert",
        ]
        try await onOwnThread {
            var random = SplitMix64(seed: 7)
            for _ in 0..<2_000 {
                let words = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                    pieces.randomElement(using: &random).map { Bool.random(using: &random) ? $0 + " " : $0 } ?? ""
                }
                try SearchFuzz.run(Array(words.joined().utf8))
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
