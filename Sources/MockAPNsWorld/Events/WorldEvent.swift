public import MockAPNsRules

/// An event in a world that is not a step of a push.
///
/// It has no number; it follows the newest event of the journal at that time. It refers to its subject and
/// does not copy it, so a lookup returns the current state.
public struct WorldEvent: Sendable {
    /// The kind of event.
    public enum Kind: Sendable {
        /// A device or one of its apps was created, changed or deleted.
        case deviceChanged(DeviceID)
        /// A channel, its subscriptions or its counts changed.
        case channelChanged(ChannelID)
        /// The note or the pin of a push changed.
        case pushChanged(UInt64)
        /// The description of an app changed.
        case appChanged(String)
        /// A push was saved, or a saved one deleted.
        case savedPushesChanged
        /// A device token became invalid.
        case feedbackAdded(DeviceToken)
        /// A fault fired; `push` is the push, if there was one.
        case faultFired(UInt32, push: UInt64?)
        case connectionOpened(UInt64)
        case connectionClosed(UInt64)
        /// The clock was frozen, set or advanced.
        case clockChanged
        /// The mark with this number was set.
        case marked(UInt64)
        case reset(ResetReport)
    }

    /// The number of the newest event of the journal when it happened.
    public let after: UInt64
    /// The kind of event.
    public let kind: Kind
}
