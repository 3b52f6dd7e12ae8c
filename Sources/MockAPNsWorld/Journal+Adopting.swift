public import MockAPNsRules

/// What another server recorded about a push besides the request.
public struct AdoptedAnswer: Sendable {
    /// When the push was answered.
    public var time: WorldClock.Reading
    /// The steps of its notification in order, with their times.
    public var steps: [(event: DeliveryEvent, at: Timestamp)]

    /// Creates the response of an imported push.
    public init(time: WorldClock.Reading, steps: [(event: DeliveryEvent, at: Timestamp)] = []) {
        self.time = time
        self.steps = steps
    }
}

extension Journal {
    /// Adds pushes that another server has recorded: they get numbers of this journal, and are not delivered.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - answers: The responses, one for each record.
    /// - Returns: The numbers, in the same order, and the extent of the journal.
    public func adopt(_ batch: RecordBatch, _ answers: [AdoptedAnswer]) -> (seqs: [UInt64], extent: Extent) {
        nonisolated(unsafe) let records = batch.bytes  // only read, and only until this call returns
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
