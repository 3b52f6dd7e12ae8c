internal import DequeModule
internal import MockAPNsRules

/// Broadcasts: a message goes to the subscribers of a channel, in slices if there are many.
///
/// Documented: https://developer.apple.com/documentation/usernotifications/ followed by
/// sending-channel-management-requests-to-apns and setting-up-broadcast-push-notifications.
extension WorldState {
    /// Documented: a channel stores its newest message for at most 8 hours; in microseconds.
    static let longestBroadcast: Int64 = 8 * 3_600 * 1_000_000

    /// The number of subscribers that a broadcast is sent to, or a deletion unsubscribes, before it is answered.
    static let firstSlice = 2_000

    // MARK: Publishing

    /// Sends an accepted broadcast to the channel's subscribers, or begins to.
    mutating func broadcast(_ record: RecordView, _ payload: ActivityPayload?, at now: Timestamp) {
        let seq = record.head.seq
        log.note(.published, of: seq, at: now)
        process.tally.note(.published)
        // The channel may have been deleted after the verdict.
        guard let target = record.broadcastTarget, let place = channels.find(target.channel, in: target.app) else {
            return
        }
        let channel = channels.channels.pointer(to: place)
        channel.pointee.published &+= 1
        log.setFanOut(
            FanOut(
                channel: target.channel, position: channel.pointee.published,
                subscribers: channel.pointee.subscribers.count), of: seq)
        defer { channelChanged(place) }
        let step = Delivery.Step(seq: log.nextSeq - 1, at: now, event: .published)
        let push = StoredPush(record, step: step, payload)
        let notification = record.notification(at: now)
        if channel.pointee.storage == .newest, let until = notification.storableUntil {
            discardStored(of: place, .discardedCollapsed)
            let stored = StoredBroadcast(
                push: push, seq: seq, position: channel.pointee.published, priority: notification.priority,
                until: min(until, now.microseconds + Self.longestBroadcast))
            channel.pointee.stored = stored
            devices.due.set(.broadcast(place), to: stored.until)
        }
        guard !channel.pointee.subscribers.isEmpty else { return }
        channels.fanOuts.append(
            PendingFanOut(
                seq: seq, channel: place, generation: channel.pointee.generation, position: channel.pointee.published,
                priority: notification.priority, subscribers: channel.pointee.subscribers, push: push))
        if channels.fanOuts.count == 1 { continuePending(Self.firstSlice, at: now) }
    }

    /// Sends pending broadcasts to at most `limit` subscribers, each broadcast after the ones before it.
    ///
    /// If some of the limit is left, unsubscribes as many devices from deleted channels.
    mutating func continuePending(_ limit: Int, at now: Timestamp) {
        var left = limit
        while left > 0, var fanOut = channels.fanOuts.popFirst() {
            let end = min(fanOut.next + left, fanOut.subscribers.count)
            left -= end - fanOut.next
            send(&fanOut, upTo: end, at: now)
            if end < fanOut.subscribers.count { channels.fanOuts.prepend(fanOut) }
        }
        unsubscribeDeleted(left)
    }

    var hasPending: Bool { !channels.fanOuts.isEmpty || !channels.deleted.isEmpty }

    /// Returns whether the caller must start the task that continues what is pending.
    mutating func beginPending() -> Bool {
        // Where servers share a world, each continues it whenever it may change the world.
        guard hasPending, !process.isDriven, process.changeLog?.isShared != true else { return false }
        process.isDriven = true
        return true
    }

    private mutating func send(_ fanOut: inout PendingFanOut, upTo end: Int, at now: Timestamp) {
        var counts = log.fanOut(of: fanOut.seq)
        let isChannel =
            channels.channels.has(fanOut.channel, generation: fanOut.generation)
            && !channels.channels.pointer(to: fanOut.channel).pointee.isDeleted
        let isStored = isChannel && channels.channels[fanOut.channel].stored?.seq == fanOut.seq
        var reached: UInt64 = 0
        let earlier = counts.map { ($0.stored, $0.discarded) }
        var activityPush: ActivityPush?
        for place in fanOut.subscribers[fanOut.next..<end] {
            let subscription = channels.subscriptions.pointer(to: place)
            // A subscriber may have left in the meantime, and another one may have its slot.
            guard isChannel, subscription.pointee.isUsed, subscription.pointee.channel == fanOut.channel,
                subscription.pointee.since <= fanOut.seq
            else {
                counts?.discarded += 1
                continue
            }
            let place = subscription.pointee.device
            let device = devices.devices.pointer(to: place)
            let event: DeliveryEvent
            var outcome: ActivityOutcome?
            if device.pointee.isReachable(with: fanOut.priority) {
                event = .delivered
                discardWaiting(subscription, besides: fanOut.seq)
                subscription.pointee.delivered = fanOut.seq
                subscription.pointee.reached.note(fanOut.position)
                reached += 1
                if !devices.links.isEmpty { arrived(fanOut.push, .delivered, on: place, at: now) }
                outcome = reachedActivities(fanOut.push, read: &activityPush, of: place, on: fanOut.channel, at: now)
            } else if isStored {
                event = device.pointee.isOnline ? .storedPowerConsiderations : .storedDeviceOffline
                subscription.pointee.waiting = fanOut.seq
            } else {
                event = .discardedExpired
            }
            counts?.note(event, device: devices.id(of: place).number, outcome)
        }
        fanOut.next = end
        if isChannel {
            channels.channels.pointer(to: fanOut.channel).pointee.delivered &+= reached
            channelChanged(fanOut.channel)
        }
        process.tally.note(.delivered, times: reached)
        if let counts, let earlier {
            process.tally.note(.storedDeviceOffline, times: UInt64(counts.stored - earlier.0))
            process.tally.note(.discardedExpired, times: UInt64(counts.discarded - earlier.1))
            log.setFanOut(counts, of: fanOut.seq)
        }
    }

    // MARK: Stored messages

    /// Sends a device what its channels store for it.
    mutating func deliverBroadcasts(to device: UInt32, at now: Timestamp) {
        var place = devices.devices.pointer(to: device).pointee.firstSubscription
        while place != SlotPlace.none {
            let subscription = channels.subscriptions.pointer(to: place)
            place = subscription.pointee.next
            let channel = channels.channels.pointer(to: subscription.pointee.channel)
            guard subscription.pointee.waiting != 0, let stored = channel.pointee.stored,
                stored.seq == subscription.pointee.waiting, stored.until > now.microseconds,
                devices.devices.pointer(to: device).pointee.isReachable(with: stored.priority)
            else { continue }
            subscription.pointee.waiting = 0
            subscription.pointee.delivered = stored.seq
            subscription.pointee.reached.note(stored.position)
            channel.pointee.delivered &+= 1
            channelChanged(subscription.pointee.channel)
            let number = devices.id(of: device).number
            let followed = subscription.pointee.channel
            var read: ActivityPush?
            // May end the subscription.
            let outcome = reachedActivities(stored.push, read: &read, of: device, on: followed, at: now)
            log.changeFanOut(of: stored.seq) { $0.noteStored(.deliveredFromStorage, device: number, outcome) }
            process.tally.note(.deliveredFromStorage)
            process.report?.delivered.append(stored.seq)
            if !devices.links.isEmpty { arrived(stored.push, .deliveredFromStorage, on: device, at: now) }
        }
    }

    mutating func expireBroadcast(_ channel: UInt32) {
        if let seq = discardStored(of: channel, .discardedExpired) { process.report?.expired.append(seq) }
        channelChanged(channel)
    }

    /// Discards what a channel stores, and returns its number; the devices for which it waits need no change.
    @discardableResult private mutating func discardStored(of place: UInt32, _ event: DeliveryEvent) -> UInt64? {
        let channel = channels.channels.pointer(to: place)
        guard let stored = channel.pointee.stored else { return nil }
        channel.pointee.stored = nil
        devices.due.set(.broadcast(place), to: nil)
        var count = 0
        log.changeFanOut(of: stored.seq) { count = $0.discardStored(event) }
        process.tally.note(event, times: UInt64(count))
        return stored.seq
    }

    /// A newer message that is not stored must not be followed by the stored one.
    private mutating func discardWaiting(_ subscription: UnsafeMutablePointer<SubscriptionRecord>, besides seq: UInt64)
    {
        let waiting = subscription.pointee.waiting
        guard waiting != 0 else { return }
        subscription.pointee.waiting = 0
        let stored = channels.channels.pointer(to: subscription.pointee.channel).pointee.stored
        guard waiting != seq, stored?.seq == waiting else { return }
        let number = devices.id(of: subscription.pointee.device).number
        log.changeFanOut(of: waiting) { $0.noteStored(.discardedCollapsed, device: number) }
        process.tally.note(.discardedCollapsed)
    }

    /// Passes a broadcast on to the clients that are connected as a device.
    private func arrived(_ push: StoredPush, _ event: DeliveryEvent, on device: UInt32, at now: Timestamp) {
        guard let links = devices.links[device] else { return }
        pass(.push(record(of: push)), to: device, links)
    }

    /// Returns the record of a broadcast, which the journal may have evicted.
    func record(of push: StoredPush) -> PushRecord {
        push.withRecord { view, published in
            let context = RecordContext(
                epoch: log.epoch, answeredAt: published.at, connection: process.connections[view.head.connectionID],
                delivery: nil)
            return record(view.head.seq) ?? PushRecord(view, context)
        }
    }

    // MARK: Channels and subscriptions

    mutating func channelChanged(_ place: UInt32) { happened(.channelChanged(channels.channels[place].id)) }

    /// Deletes a channel, and its subscriptions in slices.
    mutating func removeChannel(_ place: UInt32) {
        channelChanged(place)
        discardStored(of: place, .discardedInactive)
        channels.delete(place)
        if channels.deleted.count == 1 { unsubscribeDeleted(Self.firstSlice) }
    }

    private mutating func unsubscribeDeleted(_ limit: Int) {
        var left = limit
        while left > 0, let subscription = channels.popDeleted() {
            unsubscribe(subscription)
            left -= 1
        }
    }

    /// Returns the subscription of a device to a channel.
    func subscription(of device: UInt32, to channel: UInt32) -> UInt32? {
        channels.subscription(to: channel, from: devices.devices.pointer(to: device).pointee.firstSubscription)
    }

    /// Subscribes a device to a channel, unless it is subscribed already.
    mutating func subscribe(_ device: UInt32, to channel: UInt32) {
        guard subscription(of: device, to: channel) == nil else { return }
        let first = devices.devices.pointer(to: device).pointee.firstSubscription
        let place = channels.subscribe(device, to: channel, since: log.nextSeq, next: first)
        devices.devices.pointer(to: device).pointee.firstSubscription = place
        channelChanged(channel)
    }

    mutating func unsubscribe(_ place: UInt32) {
        let subscription = channels.subscriptions[place]
        let waiting = subscription.waiting
        if waiting != 0, channels.channels[subscription.channel].stored?.seq == waiting {
            let number = devices.id(of: subscription.device).number
            log.changeFanOut(of: waiting) { $0.noteStored(.discardedInactive, device: number) }
        }
        let device = devices.devices.pointer(to: subscription.device)
        if device.pointee.firstSubscription == place {
            device.pointee.firstSubscription = subscription.next
        } else {
            var before = device.pointee.firstSubscription
            while channels.subscriptions.pointer(to: before).pointee.next != place {
                before = channels.subscriptions.pointer(to: before).pointee.next
            }
            channels.subscriptions.pointer(to: before).pointee.next = subscription.next
        }
        channels.unsubscribe(place)
    }

    /// Ends the subscriptions of a device, or those of one of its apps.
    mutating func unsubscribe(device: UInt32, from app: ChannelApp? = nil) {
        var place = devices.devices.pointer(to: device).pointee.firstSubscription
        while place != SlotPlace.none {
            let subscription = channels.subscriptions[place]
            if app == nil || channels.channels[subscription.channel].app == app {
                unsubscribe(place)
                channelChanged(subscription.channel)
            }
            place = subscription.next
        }
    }

    /// Ends all subscriptions; channels then store nothing.
    mutating func removeSubscriptions() {
        channels.fanOuts = []
        for channel in channels.places {
            discardStored(of: channel, .discardedInactive)
            while let last = channels.channels.pointer(to: channel).pointee.subscribers.last { unsubscribe(last) }
        }
        unsubscribeDeleted(.max)
    }

    /// Deletes all channels and subscriptions, and returns the number of channels.
    mutating func removeChannels() -> Int {
        let places = channels.places
        channels.fanOuts = []
        for place in places {
            discardStored(of: place, .discardedInactive)
            channels.delete(place)
        }
        unsubscribeDeleted(.max)
        return places.count
    }
}

extension DeviceRecord {
    /// Whether a notification of a priority is delivered now.
    func isReachable(with priority: Priority) -> Bool { isOnline && (!savesPower || priority == .immediate) }
}
