internal import MockAPNsRules

/// What a change does to the journal, for a log that keeps more pushes than the journal's memory.
package struct JournalEffects: Sendable {
    /// A step of a notification whose record an earlier change has added.
    struct LaterStep: Sendable {
        let push: UInt64
        let step: Delivery.Step
        /// The app at that time, if the notification reached it.
        let app: (state: AppState, allowsNotifications: Bool)?
        /// What the push did to a Live Activity.
        let outcome: ActivityOutcome?
    }

    /// The entries of the records that were added, as the change has left them.
    private(set) var added: ContiguousArray<JournalEntry> = []
    private(set) var laterSteps: [LaterStep] = []
    /// The numbers of deleted records.
    var removed: [UInt64] = []
    /// The number up to which a reset has deleted all records; `nil` if there was none.
    var clearedUpTo: UInt64?
    /// The numbers of the broadcasts of which something has become.
    private(set) var broadcasts: Set<UInt64> = []

    mutating func added(_ entry: JournalEntry) { added.append(entry) }

    /// Notes that the newest record has changed.
    mutating func changeNewest(_ change: (inout JournalEntry) -> Void) {
        guard let last = added.indices.last else { return }
        change(&added[last])
    }

    mutating func note(
        _ step: Delivery.Step, of push: UInt64, in app: (state: AppState, allowsNotifications: Bool)?,
        _ outcome: ActivityOutcome?
    ) {
        let isArrival = step.event == .delivered || step.event == .deliveredFromStorage
        laterSteps.append(LaterStep(push: push, step: step, app: isArrival ? app : nil, outcome: outcome))
    }

    mutating func noteFanOut(of push: UInt64) { broadcasts.insert(push) }
}
