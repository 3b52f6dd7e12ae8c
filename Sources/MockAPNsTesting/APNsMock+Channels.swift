internal import MockAPNsAPI
internal import MockAPNsFormats

extension APNsMock {
    /// Creates a broadcast channel for an app.
    public func addChannel(topic: String) async throws -> Channel {
        try await api.call("POST", "channels", ["topic": .string(topic)], as: ChannelShape.self) { Channel($0) }
    }

    /// Returns the broadcast channels, including those that providers have created.
    public func channels() async throws -> [Channel] {
        try await api.get("channels", as: ChannelListShape.self) { $0.channels.map(Channel.init) }
    }

    /// A broadcast channel.
    public struct Channel: Sendable, Identifiable {
        /// The identifier, in Base64.
        public let id: String
        /// The bundle identifier of the app.
        public let bundleID: String
        /// The number of accepted broadcasts.
        public let published: Int
        /// The number of subscribed phones.
        public let subscribers: Int

        init(_ channel: APIObject<ChannelShape>) {
            (id, bundleID) = (channel.id, channel.bundleId)
            published = Int(clamping: channel.metrics.published)
            subscribers = channel.metrics.uniqueSubscribers
        }
    }
}
