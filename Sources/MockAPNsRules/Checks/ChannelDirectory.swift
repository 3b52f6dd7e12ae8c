/// The information about broadcast channels that the rules need.
///
/// There is one per event loop; it is used only on that loop, and not for pushes to a device.
public protocol ChannelDirectory: AnyObject {
    /// Returns whether the app may use broadcast push.
    func allowsBroadcasts(to bundleID: String) -> Bool
    /// Returns which messages a channel stores; `nil` if the app has no such channel.
    func storage(of channel: ChannelID, in app: ChannelApp) -> ChannelStorage?
    /// Returns whether another broadcast to a channel is within the rate, and counts it if so.
    func admits(_ channel: ChannelID, rate: RuleOptions.Rate, at now: Timestamp) -> Bool
    /// Returns whether the app may have one more channel.
    func hasRoom(in app: ChannelApp) -> Bool
}

/// The message storage policy of a channel, which cannot be changed later (documented).
public enum ChannelStorage: UInt8, CaseIterable, Sendable {
    /// A message goes only to devices that are connected.
    case none = 0
    /// The newest message is stored for at most 8 hours.
    case newest = 1
}
