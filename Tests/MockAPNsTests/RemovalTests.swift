import MockAPNsLog
import MockAPNsRules
import MockAPNsWorld
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import MockAPNs

/// The end of a namespace, for those who share connections with it.
///
/// `Tests/Interop/removals.py` does the same for longer, with the whole program and real stores.
struct RemovalTests {
    /// Where worlds are kept.
    enum Kept: CaseIterable {
        case inMemory, inStores, inSharedLog

        func configure(_ configuration: inout Configuration) {
            configuration.threads = 2
            configuration.clock = Timestamp(seconds: Live.now)
            switch self {
            case .inMemory: break
            case .inStores:
                configuration.keeping = Configuration.Keeping(in: KeptStores(MemoryStores())) {
                    FaultDraft.Match(text: $0) { _, _ in true }
                }
            case .inSharedLog:
                let sharing = Configuration.Sharing(
                    KeptStores(sharing: MemoryLog(MemoryDatabase())), name: "test", version: "0")
                configuration.keeping = Configuration.Keeping(sharing: sharing) {
                    FaultDraft.Match(text: $0) { _, _ in true }
                }
                configuration.keeping?.sharing?.options.pollInterval = 1_000_000
            }
        }
    }

    private func withServer(_ kept: Kept, _ use: (Live) async throws -> Void) async throws {
        var configuration = Configuration.clearText()
        kept.configure(&configuration)
        try await withServerPlace { try await withMockAPNs(configuration) { try await use(Live(server: $0)) } }
    }

    @Test(arguments: Kept.allCases) func `shared connections go on when a namespace is removed`(
        _ kept: Kept
    ) async throws {
        try await withServer(kept) { live in
            let provider = try TestKey.team.token()
            let shared = try await live.connectAuthenticated()
            for round in 0..<24 {
                let (own, default_) = (Push.freshToken, Push.freshToken)
                try await live.changing {
                    let space = try await live.namespace("t", hasListener: round % 8 == 0)
                    try live.register(own, in: space.world)
                }
                let isGone = NIOLockedValueBox(false)
                async let removed = live.changing {
                    defer { isGone.withLockedValue { $0 = true } }
                    return await live.server.namespaces.remove("t")
                }
                var replies: [Reply] = []
                // At least once afterwards.
                var isLast = false
                while !isLast {
                    isLast = isGone.withLockedValue { $0 }
                    let pushes = (0..<8).map { Push(provider, token: $0 % 2 == 0 ? own : default_) }
                    replies += try await shared.send(pushes)
                }
                #expect(try await removed)
                // While it ends, 503.
                #expect(replies.allSatisfy { $0.status == 200 || $0.status == 503 })
            }
            #expect(live.server.namespaces.all.count == 1)
        }
    }

    /// Whether a change counts as safe that was not safe before its namespace ended, asked before or after the end.
    @Test(arguments: [Kept.inStores, .inSharedLog], [true, false])
    func `waiting for a removed namespace ends with an error`(_ kept: Kept, asksBefore: Bool) async throws {
        try await withServer(kept) { live in
            for outcome in [nil, true, false] as [Bool?] {
                let name = "t-\(outcome.map(String.init) ?? "closed")"
                let space = try await live.changing { try await live.namespace(name, hasListener: false) }
                let keeper = try #require(space.keeper)
                let leave = try #require(await keeper.enter())
                _ = space.world.mark("not safe yet")
                let end = try #require(space.world.logEnd)
                let before = asksBefore ? keeper.safety() : nil
                switch outcome {
                case nil: await keeper.close()
                case true?: try await keeper.abandon {}
                case false?:
                    await #expect(throws: StoreError.self) {
                        try await keeper.abandon { () throws(StoreError) in throw StoreError(.failed, "no") }
                    }
                }
                leave()
                // A store of its own may have written the change, and writes what is left when it is closed.
                let isOwn = kept == .inStores
                let after = await withCheckedContinuation { waiter in end.whenSafe { waiter.resume(returning: $0) } }
                for isSafe in [after, await before?.value].compactMap(\.self) {
                    if outcome == true { #expect(isSafe) } else if !isOwn { #expect(!isSafe) }
                }
            }
        }
    }
}

extension Live {
    /// Changes the default world when it may be changed, and waits until that is safe.
    fileprivate func changing<Value: Sendable>(_ change: () async throws -> Value) async throws -> Value {
        guard let keeper = server.namespaces.standard.keeper else { return try await change() }
        let leave = try #require(await keeper.enter())
        let result: Value
        do { result = try await change() } catch {
            leave()
            throw error
        }
        let safety = keeper.safety()
        leave()
        #expect(await safety.value)
        return result
    }
}
