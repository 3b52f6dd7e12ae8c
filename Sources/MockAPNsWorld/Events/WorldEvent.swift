public import MockAPNsRules

/// Something that happened in a world besides the steps of pushes.
///
/// It has no number; it follows the event of the journal that was the newest then. Its subject
/// is named, not copied, so a lookup shows the current state.
public struct WorldEvent: Sendable {
    /// What happened.
    ///
    /// To add one: add a case, and note it where it happens.
    public enum Kind: Sendable {
        /// A device was made, changed or forgotten, or an app on it.
        case deviceChanged(DeviceID)
        /// A device token does not work any more.
        case feedbackAdded(DeviceToken)
        /// A fault fired, for a push where it was for one.
        case faultFired(UInt32, push: UInt64?)
        case connectionOpened(UInt64)
        case connectionClosed(UInt64)
        /// The clock was stopped, set or moved.
        case clockChanged
        /// The mark with this number was set.
        case marked(UInt64)
        case reset(ResetReport)
    }

    /// The number of the newest event of the journal when it happened.
    public let after: UInt64
    /// What happened.
    public let kind: Kind
}
