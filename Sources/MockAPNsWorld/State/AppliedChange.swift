internal import MockAPNsRules

/// A change that was applied, and what it did to the journal.
package struct AppliedChange: Sendable {
    let change: any WorldChange
    package let time: WorldClock.Reading
    let effects: JournalEffects
    /// What has become so far of the broadcasts that the change concerns, by the numbers of their records.
    let fanOuts: [(push: UInt64, fanOut: FanOut)]
}
