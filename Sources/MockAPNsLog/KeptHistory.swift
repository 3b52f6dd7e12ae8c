internal import MockAPNsFormats
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The history of a store, read on threads that may wait.
///
/// What is damaged is reported and left out. Any other failure is thrown: it is not known what is missing.
struct KeptHistory: OlderPushes {
    private let history: any PushHistory
    /// Where the pushes are, for messages.
    private let place: String
    private let threads: BlockingThreads
    private let onFailure: @Sendable (StoreError) -> Void

    init(of store: any WorldStore, on threads: BlockingThreads, onFailure: @escaping @Sendable (StoreError) -> Void) {
        (history, place) = (store.history, store.place)
        (self.threads, self.onFailure) = (threads, onFailure)
    }

    func pushes(
        _ query: PushQuery, in range: Range<UInt64>, atMost most: Int
    ) async throws(HistoryFailure) -> [ReadPush] {
        try await read { history throws(StoreError) in try history.pushes(query, in: range, atMost: most) } ?? []
    }

    func pushes(numbered seqs: [UInt64]) async throws(HistoryFailure) -> [ReadPush] {
        let onFailure = onFailure
        return try await read { history throws(StoreError) in
            var found: [ReadPush] = []
            for seq in seqs {
                do throws(StoreError) { if let push = try history.push(seq: seq) { found.append(push) } } catch {
                    guard error.code == .damaged else { throw error }
                    onFailure(error)
                }
            }
            return found
        } ?? []
    }

    func push(apnsID: String) async throws(HistoryFailure) -> ReadPush? {
        try await read { history throws(StoreError) in try history.push(apnsID: apnsID) } ?? nil
    }

    func extent() async throws(HistoryFailure) -> HistoryExtent? {
        try await read { history throws(StoreError) in try history.extent() }
    }

    func isUnreadable(_ push: DamagedPush) { onFailure(StoreError(damaged: place, "\(push)")) }

    private func read<Value: Sendable>(
        _ read: @escaping @Sendable (any PushHistory) throws(StoreError) -> Value
    ) async throws(HistoryFailure) -> Value? {
        do throws(StoreError) {
            return try await threads.run { [history] () throws(StoreError) in try read(history) }
        } catch {
            guard error.code == .damaged else { throw HistoryFailure(error.description) }
            onFailure(error)
            return nil
        }
    }
}

/// Deduplicates read failures by text: a list that is reloaded fails each time with the same one.
final class ReadFailures: Sendable {
    /// The maximum number of texts that are remembered.
    private static let most = 1_000

    private let state = NIOLockedValueBox((latest: StoreError?.none, known: Set<String>()))
    private let onNew: @Sendable (StoreError) -> Void

    init(onNew: @escaping @Sendable (StoreError) -> Void) { self.onNew = onNew }

    var latest: StoreError? { state.withLockedValue { $0.latest } }

    func note(_ error: StoreError) {
        let isNew = state.withLockedValue { state in
            state.latest = error
            return state.known.count < Self.most && state.known.insert(error.description).inserted
        }
        if isNew { onNew(error) }
    }
}
