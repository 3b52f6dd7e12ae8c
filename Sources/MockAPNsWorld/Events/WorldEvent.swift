package import MockAPNsFormats
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
        /// A push was forwarded to another push service, or could not be.
        case pushForwarded(UInt64)
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
        /// A Live Activity was started, updated, ended or dismissed, became stale, or has another token.
        case activityChanged(ActivityStep)
        case reset(ResetReport)
    }

    /// The number of the newest event of the journal when it happened.
    public let after: UInt64
    /// The kind of event.
    public let kind: Kind
}

/// A label in the event stream, for people: `test "shipsOrder" started`.
public struct Mark: Equatable, Sendable {
    /// The number of the mark in its world, from 1.
    public let number: UInt64
    /// The number of the newest event when the mark was set.
    public let seq: UInt64
    /// The time on the world's clock.
    public let at: Timestamp
    /// The text as received, which is untrusted.
    public let text: String
}

extension Mark: MemberwiseArchived {
    package static let format = ArchiveFormat(Mark.init(number:seq:at:text:), \.number, \.seq, \.at, \.text)
}

/// The result of a reset.
public struct ResetReport: Sendable {
    /// A part of a world that `World.reset` can reset.
    public enum Part: String, CaseIterable, Sendable {
        case pushes
        case devices
        case feedback
        case clock
        case faults
        case keys
        case settings
        case strings
        case categories
        case apps
        case channels
        case savedPushes = "saved-pushes"
        case schemas
    }

    /// The new epoch.
    public internal(set) var epoch: UInt64 = 0
    /// The number of the last event before the reset.
    public let seq: UInt64
    /// The number of deleted things of a part, including those of the startup.
    ///
    /// Of the keys, only those count that were not registered at startup. The clock and settings have no number.
    public internal(set) var cleared: [Part: Int] = [:]
}
