import MockAPNsLog
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNs

extension MemoryDatabase {
    /// The configuration of a server of the database whose clock stands still.
    func configuration(_ change: (inout Configuration) -> Void = { _ in }) -> Configuration {
        var configuration = Configuration.clearText()
        configuration.clock = Timestamp(seconds: Live.now)
        configuration.threads = 2
        configuration.binaryListeners = [
            ListenAddress(host: "127.0.0.1", port: 0, environment: .sandbox, interface: .feedback)
        ]
        let sharing = Configuration.Sharing(KeptStores(sharing: MemoryLog(self)), name: "test", version: "0")
        var keeping = Configuration.Keeping(sharing: sharing) { FaultDraft.Match(text: $0) { _, _ in true } }
        keeping.sharing?.options.timeout = 200_000_000
        keeping.sharing?.options.retryInterval = 1_000_000
        keeping.sharing?.options.pollInterval = 1_000_000
        configuration.keeping = keeping
        change(&configuration)
        return configuration
    }

    /// Lends a server of the database.
    func withReplica<Result: Sendable>(
        _ change: (inout Configuration) -> Void = { _ in }, _ use: (Live) async throws -> Result
    ) async throws -> Result {
        try await withServerPlace { try await withMockAPNs(configuration(change)) { try await use(Live(server: $0)) } }
    }

    func withReplicas<Result: Sendable>(_ use: (Live, Live) async throws -> Result) async throws -> Result {
        try await withReplica { first in try await withReplica { second in try await use(first, second) } }
    }
}

extension Live {
    var keeper: any WorldKeeping {
        guard let keeper = server.namespaces.standard.keeper else { preconditionFailure("it is kept") }
        return keeper
    }

    /// Changes the world in a turn, and waits until that is safe.
    func inTurn<Value>(_ change: () async throws -> Value) async throws -> Value {
        let leave = try #require(await keeper.enter())
        let result: Value
        do { result = try await change() } catch {
            leave()
            throw error
        }
        leave()
        #expect(await keeper.isSafe())
        return result
    }

    static func expectSame(_ lives: Live..., at place: SourceLocation = #_sourceLocation) async throws {
        var digests: Set<String> = []
        for live in lives {
            #expect(await live.keeper.catchUp(), sourceLocation: place)
            digests.insert(live.server.namespaces.standard.digest().digest)
        }
        #expect(digests.count == 1, sourceLocation: place)
    }
}
