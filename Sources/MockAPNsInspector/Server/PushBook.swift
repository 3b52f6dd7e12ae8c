internal import NIOConcurrencyHelpers

/// Values about pushes that their records in the journal do not have, such as notes.
final class PushBook<Value: Sendable>: Sendable {
    private struct State {
        /// By the number of the push.
        var values: [UInt64: Value] = [:]
        var epoch: UInt64 = 0
    }

    /// From this many values on, those of evicted pushes are dropped.
    private let many: Int
    private let state = NIOLockedValueBox(State())

    init(many: Int) { self.many = many }

    /// Adds values, and nobody reads until `make` has returned them; `first` is the oldest push in the journal.
    func add(_ make: () -> (values: [UInt64: Value], epoch: UInt64, first: UInt64)) {
        state.withLockedValue { state in
            let (values, epoch, first) = make()
            if state.epoch != epoch { state = State(epoch: epoch) }
            state.values.merge(values) { $1 }
            if state.values.count >= many { state.values = state.values.filter { $0.key >= first } }
        }
    }

    func value(of seq: UInt64, epoch: UInt64) -> Value? {
        state.withLockedValue { $0.epoch == epoch ? $0.values[seq] : nil }
    }
}
