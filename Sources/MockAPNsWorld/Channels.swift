public import MockAPNsRules

/// The broadcast channels of a world, and the subscriptions of devices.
///
/// A change applies to every request that arrives after the call has returned. Can be used from any thread.
public struct Channels: Sendable {
    /// The options of channels.
    public typealias Options = ChannelOptions

    let world: World

    // MARK: What the rules need

    /// Returns which messages a channel stores; `nil` if the app has no such channel.
    public func storage(of id: ChannelID, in app: ChannelApp) -> ChannelStorage? {
        world.withState { state, _ in state.channels.find(id, in: app).map { state.channels.channels[$0].storage } }
    }

    /// Returns whether the app may have one more channel.
    public func hasRoom(in app: ChannelApp) -> Bool { world.withState { state, _ in state.channels.hasRoom(in: app) } }

    /// Returns whether the app has the broadcast capability.
    public func allowsBroadcasts(to bundleID: String) -> Bool {
        !world.channelOptions.appsWithoutBroadcast.contains(bundleID)
    }

    // MARK: Channels

    /// Creates a channel; `nil` if the app has as many as it may have.
    public func add(_ app: ChannelApp, _ storage: ChannelStorage) -> Channel? {
        world.commit(AddChannel(app: app, storage: storage))
    }

    /// Deletes a channel and its subscriptions, and returns whether it existed; its ID is never used again.
    public func remove(_ id: ChannelID) -> Bool {
        let (existed, leavesPending) = world.withLockedState { state, time in
            (state.perform(RemoveChannel(id: id), at: time), state.beginPending())
        }
        if leavesPending { world.continuePending() }
        return existed
    }

    /// Returns the IDs of an app's channels, in order of creation.
    public func ids(of app: ChannelApp) -> [ChannelID] {
        world.withState { state, _ in state.channels.places(of: app).map { state.channels.channels[$0].id } }
    }

    /// Returns the app that has a channel; `nil` if there is no such channel.
    package func app(of id: ChannelID) -> ChannelApp? {
        world.withState { state, _ in state.channels.find(id).map { state.channels.channels[$0].app } }
    }

    /// The apps that have channels, in no order.
    package var apps: [ChannelApp] { world.withState { state, _ in Array(state.channels.apps.keys) } }

    /// Returns a channel with at most 1,000 of its subscribers; `nil` if there is no such channel.
    public func channel(_ id: ChannelID, listing limit: Int = FanOut.listed) -> Channel? {
        world.withState { state, _ in state.channels.find(id).map { state.channel(at: $0, listing: limit) } }
    }

    /// Returns the channels of one app, of apps with a text in their bundle identifier, or of all apps.
    ///
    /// They are ordered by bundle identifier, environment and creation. The text may also be a channel's ID.
    public func all(bundleID: String? = nil, text: String = "", limit: Int = .max) -> (channels: [Channel], total: Int)
    {
        world.withState { state, _ in
            let named = bundleID == nil ? ChannelID(text).flatMap { state.channels.find($0) } : nil
            let text = text.lowercased()
            let places = state.channels.places { app in
                (bundleID.map { app.bundleID == $0 } ?? true)
                    && (text.isEmpty || app.bundleID.lowercased().contains(text))
            }
            let found = places + [named].compactMap(\.self)
            return (found.prefix(limit).map { state.channel(at: $0, listing: 0) }, found.count)
        }
    }

    /// Sends pending broadcasts to all subscribers, and ends all subscriptions to deleted channels.
    ///
    /// With many subscribers, both otherwise continue after the request was answered.
    public func finishPending() { while world.continueSlice() {} }

    // MARK: Subscriptions

    /// Subscribes an app on a device to a channel; the topic may have a suffix.
    ///
    /// Returns whether the device was not subscribed before.
    public func subscribe(_ reference: DeviceReference, topic: String, to id: ChannelID) throws(ChannelError) -> Bool {
        try world.commit(Subscribe(reference: reference, topic: topic, channel: id))
    }

    /// Ends a subscription, and returns whether the device was subscribed.
    public func unsubscribe(
        _ reference: DeviceReference, topic: String, from id: ChannelID
    ) throws(ChannelError) -> Bool { try world.commit(Unsubscribe(reference: reference, topic: topic, channel: id)) }

    /// Returns the subscriptions of a device, newest first; none for an unknown device.
    public func subscriptions(of reference: DeviceReference) -> [ChannelSubscription] {
        world.withState { state, _ in state.devices.find(reference).map { state.subscriptions(of: $0) } ?? [] }
    }
}

extension WorldState {
    func channel(at place: UInt32, listing limit: Int = FanOut.listed) -> Channel {
        let record = channels.channels[place]
        var metrics = Channel.Metrics()
        metrics.published = record.published
        metrics.delivered = record.delivered
        metrics.subscriptions = record.subscribed
        metrics.uniqueSubscribers = record.subscribers.count
        return Channel(
            id: record.id, app: record.app, storage: record.storage, createdAt: record.createdAt, metrics: metrics,
            stored: record.stored.map { Channel.Stored(seq: $0.seq, until: Timestamp(microseconds: $0.until)) },
            subscribers: record.subscribers.prefix(limit).map { subscriber(at: $0) })
    }

    private func subscriber(at place: UInt32) -> Channel.Subscriber {
        let subscription = channels.subscriptions[place]
        let device = devices.devices[subscription.device]
        return Channel.Subscriber(
            device: devices.id(of: subscription.device), label: device.label, isOnline: device.isOnline,
            lastDelivered: subscription.delivered == 0 ? nil : subscription.delivered,
            isWaiting: isWaiting(subscription))
    }

    func isWaiting(_ subscription: SubscriptionRecord) -> Bool {
        subscription.waiting != 0 && channels.channels[subscription.channel].stored?.seq == subscription.waiting
    }

    func subscriptions(of device: UInt32) -> [ChannelSubscription] {
        subscriptionRecords(of: device).map { subscription in
            let channel = channels.channels[subscription.channel]
            return ChannelSubscription(
                channel: channel.id, app: channel.app,
                lastDelivered: subscription.delivered == 0 ? nil : subscription.delivered,
                isWaiting: isWaiting(subscription))
        }
    }
}
