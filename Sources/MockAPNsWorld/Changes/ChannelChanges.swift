internal import MockAPNsFormats
internal import MockAPNsRules

/// Creates a channel; returns `nil` if the app has reached its limit.
struct AddChannel: WorldChange, MemberwiseArchived {
    static let kind = "add-channel"
    static let format = ArchiveFormat(AddChannel.init, \.app, \.storage)

    let app: ChannelApp
    let storage: ChannelStorage

    func apply(to state: inout WorldState, at time: WorldClock.Reading) -> Channel? {
        guard state.channels.hasRoom(in: app) else { return nil }
        let place = state.channels.insert(app, storage, at: time.world)
        state.channelChanged(place)
        return state.channel(at: place)
    }
}

/// Deletes a channel, and returns whether it existed.
///
/// If it has many subscriptions, `ContinuePending` ends the rest of them.
struct RemoveChannel: WorldChange, MemberwiseArchived {
    static let kind = "remove-channel"
    static let format = ArchiveFormat(RemoveChannel.init, \.id)

    let id: ChannelID

    func apply(to state: inout WorldState, at time: WorldClock.Reading) -> Bool {
        guard let place = state.channels.find(id) else { return false }
        state.removeChannel(place)
        return true
    }
}

/// Subscribes an app on a device to a channel, and returns whether it was not subscribed before.
struct Subscribe: WorldChange, MemberwiseArchived {
    static let kind = "subscribe"
    static let format = ArchiveFormat(Subscribe.init, \.reference, \.topic, \.channel)

    let reference: DeviceReference
    let topic: String
    let channel: ChannelID

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(ChannelError) -> Bool {
        let (device, channel) = try state.places(of: reference, topic, channel)
        let app = state.channels.channels[channel].app
        guard state.devices.has(app, on: device) else {
            throw ChannelError(.unknownApp, "the device has no app \(app); register it first", at: "/topic")
        }
        guard state.subscription(of: device, to: channel) == nil else { return false }
        let limit = state.devices.options.registrationLimit
        guard state.channels.subscriptions.count < limit else {
            throw ChannelError(.tooMany, "the world holds \(limit) subscriptions at most")
        }
        state.devices.keep(device)
        state.subscribe(device, to: channel)
        state.deviceChanged(device)
        return true
    }
}

/// Ends a subscription, and returns whether it existed.
struct Unsubscribe: WorldChange, MemberwiseArchived {
    static let kind = "unsubscribe"
    static let format = ArchiveFormat(Unsubscribe.init, \.reference, \.topic, \.channel)

    let reference: DeviceReference
    let topic: String
    let channel: ChannelID

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(ChannelError) -> Bool {
        let (device, channel) = try state.places(of: reference, topic, channel)
        guard let place = state.subscription(of: device, to: channel) else { return false }
        state.unsubscribe(place)
        state.channelChanged(channel)
        state.deviceChanged(device)
        return true
    }
}

/// Continues pending broadcasts and deletions, and returns whether more is pending.
struct ContinuePending: WorldChange, MemberwiseArchived {
    static let kind = "continue-pending"
    static let format = ArchiveFormat(ContinuePending.init, \.limit)

    /// The maximum number of subscribers to process.
    let limit: Int

    func apply(to state: inout WorldState, at time: WorldClock.Reading) -> Bool {
        state.continuePending(limit, at: time.world)
        return state.hasPending
    }
}

extension WorldState {
    fileprivate func places(
        of reference: DeviceReference, _ topic: String, _ id: ChannelID
    ) throws(ChannelError) -> (device: UInt32, channel: UInt32) {
        guard let device = devices.find(reference) else {
            throw ChannelError(.unknownDevice, "there is no such device (any more)")
        }
        let bundleID = Topic.bundleID(of: topic)
        guard let channel = channels.find(id), channels.channels[channel].app.bundleID == bundleID else {
            throw ChannelError(.unknownChannel, "\(bundleID) has no channel \(id.text)", at: "/channel")
        }
        return (device, channel)
    }
}
