package final class DeviceShape: Shape {
    package static let definition = Definition(DeviceShape(), "Device")
    package let badge = OptionalMember<Int64?>()
    package let connectedClients = Member<Int>("Clients connected as this device.")
    package let delivered = Member<Int64>(.count)
    package let discarded = Member<Int64>(.count)
    package let id = Member<String>(.deviceID)
    package let label = Member<String?>()
    package let lastPush = Member<APIObject<PushReference>?>()
    package let lowPower = Member<Bool>()
    package let offlineSince = Member<String?>(.time)
    package let origin = Member<String>(.words(["described", "start-up", "push"]))
    package let registrations = Member<[APIObject<RegistrationShape>]>()
    package let state = Member<String>(.onlineState)
    package let stored = Member<Int>("Stored notifications, at most one for each app, and stored broadcasts.")
    package let subscriptions = Member<[String]>(.channelID, "The channels, newest first.")

    package final class PushReference: Shape {
        package static let definition = Definition(PushReference())
        package let id = Member<String>(.pushID)
        package let seq = Member<UInt64>()
    }
}

package final class DevicePageShape: Shape {
    package static let definition = Definition(DevicePageShape(), "DevicePage")
    package let devices = Member<[APIObject<DeviceShape>]>()
    package let forgotten = Member<UInt64>()
    package let matched = Member<Int>()
    package let nextAfter = Member<String?>(.deviceID)
    package let note = Member<String?>()
    package let total = Member<Int>()
}

package final class DeviceChangedShape: Shape {
    package static let definition = Definition(DeviceChangedShape(), "DeviceChanged")
    package let deliveries = Part<DeliveriesShape>()
    package let device = Member<APIObject<DeviceShape>>()
}

package final class DevicesPutShape: Shape {
    package static let definition = Definition(DevicesPutShape(), "DevicesPut")
    package let created = Member<Int>()
    package let deliveries = Part<DeliveriesShape>()
    package let devices = Member<[APIObject<Device>]>()
    package let updated = Member<Int>()

    package final class Device: Shape {
        package static let definition = Definition(Device())
        package let id = Member<String>(.deviceID)
        package let label = Member<String?>()
        package let registrations = Member<[APIObject<App>]>()
    }

    package final class App: Shape {
        package static let definition = Definition(App())
        package let environment = Member<String>(.environment)
        package let token = Member<String>(.token)
        package let topic = Member<String>()
    }
}

package final class StoredShape: Shape {
    package static let definition = Definition(StoredShape(), "Stored")
    package let device = Member<String>(.deviceID)
    package let label = Member<String?>()
    package let stored = Member<[APIObject<PushShape>]>()
}

extension Schema { package static let onlineState = Schema.words(["online", "offline"]) }
