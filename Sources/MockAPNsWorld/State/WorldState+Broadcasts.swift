internal import MockAPNsRules

extension WorldState {
    /// Returns the broadcasts that reached a device or are stored for it, newest first.
    ///
    /// The first subscribers of a broadcast are listed with it, even if they have unsubscribed since. For the
    /// others, the subscription has what has reached them.
    func broadcasts(of device: UInt32) -> (found: [(seq: UInt64, event: DeliveryEvent)], unknown: Int) {
        let number = devices.id(of: device).number
        let subscriptions = Dictionary(
            uniqueKeysWithValues: subscriptionRecords(of: device).map { (channels.channels[$0.channel].id, $0) })
        var found: [(seq: UInt64, event: DeliveryEvent)] = []
        var unknown = 0
        for seq in log.latestBroadcasts {
            guard let fanOut = log.fanOut(of: seq) else { continue }
            if let receipt = fanOut.receipts.first(where: { $0.device == number }) {
                if receipt.event.isArrival || receipt.event.isStored { found.append((seq, receipt.event)) }
            } else if let subscription = subscriptions[fanOut.channel], subscription.since <= seq {
                if subscription.waiting == seq, isWaiting(subscription) {
                    let isOnline = devices.devices[device].isOnline
                    found.append((seq, isOnline ? .storedPowerConsiderations : .storedDeviceOffline))
                    continue
                }
                switch subscription.reached.contains(fanOut.position) {
                case true?: found.append((seq, .delivered))
                case false?: break
                case nil: unknown += 1
                }
            }
        }
        return (found, unknown)
    }

    /// Returns the broadcasts that channels store for a device.
    func storedBroadcasts(for device: UInt32) -> [PushRecord] {
        subscriptionRecords(of: device).compactMap { subscription in
            guard isWaiting(subscription) else { return nil }
            return channels.channels[subscription.channel].stored.map { record(of: $0.push) }
        }
    }

    /// The subscriptions of a device, newest first.
    func subscriptionRecords(of device: UInt32) -> [SubscriptionRecord] {
        var found: [SubscriptionRecord] = []
        var place = devices.devices[device].firstSubscription
        while place != SlotPlace.none {
            let subscription = channels.subscriptions[place]
            place = subscription.next
            // A deleted channel still has some subscriptions until they are removed.
            if !channels.channels.pointer(to: subscription.channel).pointee.isDeleted { found.append(subscription) }
        }
        return found
    }
}
