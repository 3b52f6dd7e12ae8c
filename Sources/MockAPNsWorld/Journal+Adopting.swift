public import MockAPNsRules

/// What another server knew of a push besides its record.
public struct AdoptedAnswer: Sendable {
    /// When the push was answered.
    public var time: WorldClock.Reading
    /// What became of its notification, in that order, and when.
    public var steps: [(event: DeliveryEvent, at: Timestamp)]

    /// An answer at a time, and what came of it.
    public init(time: WorldClock.Reading, steps: [(event: DeliveryEvent, at: Timestamp)] = []) {
        self.time = time
        self.steps = steps
    }
}

extension Journal {
    /// Takes in pushes that another server has recorded: they get numbers of this journal and reach no device.
    ///
    /// - Parameters:
    ///   - batch: the records.
    ///   - answers: one for each.
    /// - Returns: the numbers, in the same order, and what the journal holds then.
    public func adopt(_ batch: RecordBatch, _ answers: [AdoptedAnswer]) -> (seqs: [UInt64], extent: Extent) {
        nonisolated(unsafe) let records = batch.bytes  // read only, and only until this call returns
        return core.withState { state, _ in
            (state.adopt(records, answers), state.log.extent)
        }
    }
}

extension WorldState {
    fileprivate mutating func adopt(
        _ records: UnsafeRawBufferPointer,
        _ answers: [AdoptedAnswer]
    ) -> [UInt64] {
        var seqs: [UInt64] = []
        var rest = records
        for answer in answers {
            guard let start = rest.baseAddress, !rest.isEmpty else { break }
            let length = RecordView(at: start).length
            let record = log.append(UnsafeRawBufferPointer(rebasing: rest[..<length]), at: answer.time)
            rest = UnsafeRawBufferPointer(rebasing: rest[length...])
            seqs.append(record.seq)
            for step in answer.steps { log.note(step.event, of: record.seq, at: step.at) }
        }
        log.evict()
        return seqs
    }
}
