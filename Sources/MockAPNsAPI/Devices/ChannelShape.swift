/// A broadcast channel.
package final class ChannelShape: Shape {
    package static let definition = Definition(ChannelShape(), "Channel")
    package let bundleId = Member<String>()
    package let createdAt = Member<String>(.time)
    package let environment = Member<String>(.environment)
    package let id = Member<String>(.channelID)
    package let metrics = Member<APIObject<Metrics>>("The counts, as Apple's console names them.")
    package let storagePolicy = Member<Int>(.integer(0...1), "0 stores no message, 1 the newest for up to 8 hours.")
    package let stored = Member<APIObject<Stored>?>("The message stored for subscribers that are offline.")
    package let subscribers = OptionalMember<[APIObject<Subscriber>]>("The first 1,000; not in lists.")

    package final class Metrics: Shape {
        package static let definition = Definition(Metrics())
        package let delivered = Member<UInt64>("Devices that broadcasts reached, counted each time.")
        package let published = Member<UInt64>("Accepted broadcasts.")
        package let subscriptions = Member<UInt64>("How often a device has subscribed.")
        package let uniqueSubscribers = Member<Int>("Devices that are subscribed now.")
    }

    package final class Stored: Shape {
        package static let definition = Definition(Stored())
        package let push = Member<String>(.pushID)
        package let until = Member<String>(.time)
    }

    package final class Subscriber: Shape {
        package static let definition = Definition(Subscriber())
        package let device = Member<String>(.deviceID)
        package let label = Member<String?>("The label of the device.")
        package let lastDelivered = Member<String?>(.pushID, "The last broadcast that reached the device.")
        package let state = Member<String>(.onlineState)
        package let waiting = Member<Bool>("Whether the channel stores a message for the device.")
    }
}

package final class ChannelListShape: Shape {
    package static let definition = Definition(ChannelListShape(), "ChannelList")
    package let channels = Member<[APIObject<ChannelShape>]>()
    package let matched = Member<Int>("All channels of the query, also those above the limit.")
}

/// A device's subscription to a channel.
package final class SubscriptionShape: Shape {
    package static let definition = Definition(SubscriptionShape(), "Subscription")
    package let bundleId = Member<String>()
    package let channel = Member<String>(.channelID)
    package let environment = Member<String>(.environment)
    package let lastDelivered = Member<String?>(.pushID, "The last broadcast that reached the device.")
    package let waiting = Member<Bool>("Whether the channel stores a message for the device.")
}

package final class SubscriptionListShape: Shape {
    package static let definition = Definition(SubscriptionListShape(), "SubscriptionList")
    package let subscriptions = Member<[APIObject<SubscriptionShape>]>()
}
