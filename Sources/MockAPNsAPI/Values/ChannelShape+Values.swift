internal import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

extension APIObject<ChannelShape> {
    package init(_ channel: Channel, epoch: UInt64, showsSubscribers: Bool = true) {
        self.init()
        self.bundleId = channel.app.bundleID
        self.createdAt = channel.createdAt.rfc3339
        self.environment = channel.app.environment.rawValue
        self.id = channel.id.text
        self.metrics = APIObject<ChannelShape.Metrics> {
            $0.delivered = channel.metrics.delivered
            $0.published = channel.metrics.published
            $0.subscriptions = channel.metrics.subscriptions
            $0.uniqueSubscribers = channel.metrics.uniqueSubscribers
        }
        self.storagePolicy = Int(channel.storage.rawValue)
        self.stored = channel.stored.map { stored in
            APIObject<ChannelShape.Stored> {
                $0.push = PushID(epoch: epoch, seq: stored.seq).text
                $0.until = stored.until.rfc3339
            }
        }
        guard showsSubscribers else { return }
        self.subscribers = channel.subscribers.map { subscriber in
            APIObject<ChannelShape.Subscriber> {
                $0.device = DeviceReferenceText.text(subscriber.device)
                $0.label = subscriber.label
                $0.lastDelivered = subscriber.lastDelivered.map { PushID(epoch: epoch, seq: $0).text }
                $0.state = subscriber.isOnline ? "online" : "offline"
                $0.waiting = subscriber.isWaiting
            }
        }
    }
}

extension APIObject<SubscriptionShape> {
    package init(_ subscription: ChannelSubscription, epoch: UInt64) {
        self.init()
        self.bundleId = subscription.app.bundleID
        self.channel = subscription.channel.text
        self.environment = subscription.app.environment.rawValue
        self.lastDelivered = subscription.lastDelivered.map { PushID(epoch: epoch, seq: $0).text }
        self.waiting = subscription.isWaiting
    }
}

extension APIObject<FanOutShape> {
    package init(_ fanOut: FanOut) {
        self.init()
        self.channel = fanOut.channel.text
        self.delivered = fanOut.delivered
        self.devices = fanOut.receipts.map { receipt in
            APIObject<FanOutShape.Receipt> {
                $0.device = DeviceReferenceText.text(DeviceID(number: receipt.device))
                $0.state = receipt.event.row.state?.description ?? PushQuery.notAttempted
            }
        }
        self.discarded = fanOut.discarded
        self.pending = fanOut.pending
        self.stored = fanOut.stored
        self.subscribers = fanOut.subscribers
    }
}
