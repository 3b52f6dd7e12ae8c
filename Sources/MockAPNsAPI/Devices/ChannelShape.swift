internal import MockAPNsQuery
package import MockAPNsRules
package import MockAPNsWorld

/// A broadcast channel.
package final class ChannelShape: Shape {
    /// Lists show no subscribers.
    package typealias Source = (
        channel: Channel, epoch: UInt64, showsSubscribers: Bool, activities: ActivityListShape.Source?
    )
    package static let definition = Definition(ChannelShape(), "Channel")
    package let activities = OptionalMember<[APIObject<ActivityShape>]>(
        "Running Live Activities that follow it, the first 1,000; not in lists."
    ) { shown in shown.activities.map { list in list.activities.map { APIObject(($0, list.subject)) } } }
    package let bundleId = Member<String> { $0.channel.app.bundleID }
    package let createdAt = Member<String>(.time) { $0.channel.createdAt.rfc3339 }
    package let environment = Member<String>(.environment) { $0.channel.app.environment.rawValue }
    package let id = Member<String>(.channelID) { $0.channel.id.text }
    package let metrics = Member<APIObject<Metrics>>("The counts, as Apple's console names them.") {
        APIObject($0.channel)
    }
    package let storagePolicy = Member<Int>(.integer(0...1), "0 stores no message, 1 the newest for up to 8 hours.") {
        Int($0.channel.storage.rawValue)
    }
    package let stored = Member<APIObject<Stored>?>("The message stored for subscribers that are offline.") { shown in
        shown.channel.stored.map { APIObject(($0.seq, $0.until, shown.epoch)) }
    }
    package let subscribers = OptionalMember<[APIObject<Subscriber>]>("The first 1,000; not in lists.") { shown in
        shown.showsSubscribers ? shown.channel.subscribers.map { APIObject(($0, shown.epoch)) } : nil
    }

    package final class Metrics: Shape {
        package typealias Source = Channel
        package static let definition = Definition(Metrics())
        package let delivered = Member<UInt64>("Devices that broadcasts reached, counted each time.") {
            $0.metrics.delivered
        }
        package let published = Member<UInt64>("Accepted broadcasts.") { $0.metrics.published }
        package let subscriptions = Member<UInt64>("How often a device has subscribed.") { $0.metrics.subscriptions }
        package let uniqueSubscribers = Member<Int>("Devices that are subscribed now.") { $0.metrics.uniqueSubscribers }
    }

    package final class Stored: Shape {
        package typealias Source = (seq: UInt64, until: Timestamp, epoch: UInt64)
        package static let definition = Definition(Stored())
        package let push = Member<String>(.pushID) { PushID(epoch: $0.epoch, seq: $0.seq).text }
        package let until = Member<String>(.time) { $0.until.rfc3339 }
    }

    package final class Subscriber: Shape {
        package typealias Source = (subscriber: Channel.Subscriber, epoch: UInt64)
        package static let definition = Definition(Subscriber())
        package let device = Member<String>(.deviceID) { DeviceReferenceText.text($0.subscriber.device) }
        package let label = Member<String?>("The label of the device.") { $0.subscriber.label }
        package let lastDelivered = Member<String?>(.pushID, "The last broadcast that reached the device.") { shown in
            shown.subscriber.lastDelivered.map { PushID(epoch: shown.epoch, seq: $0).text }
        }
        package let state = Member<String>(.onlineState) { $0.subscriber.isOnline ? "online" : "offline" }
        package let waiting = Member<Bool>("Whether the channel stores a message for the device.") {
            $0.subscriber.isWaiting
        }
    }
}

package final class ChannelListShape: Shape {
    package typealias Source = (channels: [Channel], epoch: UInt64, total: Int)
    package static let definition = Definition(ChannelListShape(), "ChannelList")
    package let channels = Member<[APIObject<ChannelShape>]> { list in
        list.channels.map { APIObject(($0, list.epoch, false, nil)) }
    }
    package let matched = Member<Int>("All channels of the query, also those above the limit.") { $0.total }
}

/// A device's subscription to a channel.
package final class SubscriptionShape: Shape {
    package typealias Source = (subscription: ChannelSubscription, epoch: UInt64)
    package static let definition = Definition(SubscriptionShape(), "Subscription")
    package let bundleId = Member<String> { $0.subscription.app.bundleID }
    package let channel = Member<String>(.channelID) { $0.subscription.channel.text }
    package let environment = Member<String>(.environment) { $0.subscription.app.environment.rawValue }
    package let lastDelivered = Member<String?>(.pushID, "The last broadcast that reached the device.") { shown in
        shown.subscription.lastDelivered.map { PushID(epoch: shown.epoch, seq: $0).text }
    }
    package let waiting = Member<Bool>("Whether the channel stores a message for the device.") {
        $0.subscription.isWaiting
    }
}

package final class SubscriptionListShape: Shape {
    package typealias Source = (subscriptions: [ChannelSubscription], epoch: UInt64)
    package static let definition = Definition(SubscriptionListShape(), "SubscriptionList")
    package let subscriptions = Member<[APIObject<SubscriptionShape>]> { list in
        list.subscriptions.map { APIObject(($0, list.epoch)) }
    }
}
