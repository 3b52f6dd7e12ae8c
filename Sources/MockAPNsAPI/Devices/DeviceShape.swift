package import MockAPNsFormats
internal import MockAPNsRules
package import MockAPNsWorld

/// A device as it is shown; without badges where they are not worth reading every push that reached it.
package struct ShownDevice {
    let device: Device
    let subject: ShownNamespace
    let badges: Badges?

    package init(_ device: Device, in subject: ShownNamespace, showsBadge: Bool = true) {
        (self.device, self.subject) = (device, subject)
        badges = showsBadge ? Badges(of: device, in: subject) : nil
    }
}

package final class DeviceShape: Shape {
    package typealias Source = ShownDevice
    package static let definition = Definition(DeviceShape(), "Device")
    package let activities = Member<Int>("Live Activities that are shown: running, or ended and not dismissed.") {
        $0.device.shownActivities
    }
    package let badge = OptionalMember<Int64?> { shown in shown.badges.map { $0.sum } }
    package let connectedClients = Member<Int>("Clients connected as this device.") { $0.device.connectedClients }
    package let delivered = Member<Int64>(.count) {
        $0.device.registrations.reduce(0) { $0 + Int64($1.counters.delivered) }
    }
    package let discarded = Member<Int64>(.count) {
        $0.device.registrations.reduce(0) { $0 + Int64($1.counters.discarded) }
    }
    package let id = Member<String>(.deviceID) { DeviceReferenceText.text($0.device.id) }
    package let label = Member<String?> { $0.device.label }
    package let lastPush = Member<APIObject<PushReference>?> { shown in
        shown.device.registrations.compactMap(\.lastPush).max().map { APIObject(($0, shown.subject.pushID($0))) }
    }
    package let lowPower = Member<Bool> { $0.device.savesPower }
    package let offlineSince = Member<String?>(.time) { $0.device.offlineSince?.rfc3339 }
    package let origin = Member<String>(.words(["described", "start-up", "push"])) { $0.device.origin.rawValue }
    package let os = Member<String>(.os, "The version of iOS.") { $0.device.os.description }
    package let pushMagic = OptionalMember<String>(
        "The PushMagic with which it is enrolled in device management (MDM)."
    ) { $0.device.pushMagic }
    package let registrations = Member<[APIObject<RegistrationShape>]> { shown in
        shown.device.registrations.map { APIObject(($0, shown)) }
    }
    package let state = Member<String>(.onlineState) { $0.device.isOnline ? "online" : "offline" }
    package let stored = Member<Int>("Stored notifications, at most one for each app, and stored broadcasts.") {
        $0.device.registrations.count { $0.stored != nil } + $0.device.storedBroadcasts
    }
    package let subscriptions = Member<[String]>(.channelID, "The channels, newest first.") {
        $0.device.channels.map(\.text)
    }

    package final class PushReference: Shape {
        package typealias Source = (seq: UInt64, id: String)
        package static let definition = Definition(PushReference())
        package let id = Member<String>(.pushID) { $0.id }
        package let seq = Member<UInt64> { $0.seq }
    }
}

package final class DevicePageShape: Shape {
    package typealias Source = (page: DevicePage, devices: [ShownDevice], note: String?)
    package static let definition = Definition(DevicePageShape(), "DevicePage")
    package let devices = Member<[APIObject<DeviceShape>]> { $0.devices.map { APIObject($0) } }
    package let forgotten = Member<UInt64> { UInt64($0.page.forgotten) }
    package let matched = Member<Int> { $0.page.matched }
    package let nextAfter = Member<String?>(.deviceID) { $0.page.nextAfter.map(DeviceReferenceText.text) }
    package let note = Member<String?> { $0.note }
    package let total = Member<Int> { $0.page.total }
}

package final class DeviceChangedShape: Shape {
    package typealias Source = (device: ShownDevice, deliveries: DeliveriesShape.Source)
    package static let definition = Definition(DeviceChangedShape(), "DeviceChanged")
    package let deliveries = Part<DeliveriesShape> { $0.deliveries }
    package let device = Member<APIObject<DeviceShape>> { APIObject($0.device) }
}

/// The first event of a client that is connected as many devices.
package final class DevicesConnectedShape: Shape {
    package typealias Source = Int
    package static let definition = Definition(DevicesConnectedShape(), "DevicesConnected")
    package let devices = Member<Int>("The number of devices.") { $0 }
}

/// A push that has reached one of the devices as which a client is connected.
package final class DeviceArrivalShape: Shape {
    package typealias Source = (device: DeviceID, label: String?, push: JSONValue)
    package static let definition = Definition(DeviceArrivalShape(), "DeviceArrival")
    package let device = Member<String>(.deviceID) { DeviceReferenceText.text($0.device) }
    package let label = Member<String?>("The label of the device.") { $0.label }
    package let push = Member<APIObject<PushShape>>.json { $0.push }
}

package final class DevicesPutShape: Shape {
    package typealias Source = (report: DevicePutReport, extent: Journal.Extent)
    package static let definition = Definition(DevicesPutShape(), "DevicesPut")
    package let created = Member<Int> { $0.report.created }
    package let deliveries = Part<DeliveriesShape> { ($0.report.deliveries, $0.extent) }
    package let devices = Member<[APIObject<Device>]> { $0.report.devices.map { APIObject($0) } }
    package let updated = Member<Int> { $0.report.updated }

    package final class Device: Shape {
        package typealias Source = MockAPNsWorld.Device
        package static let definition = Definition(Device())
        package let id = Member<String>(.deviceID) { DeviceReferenceText.text($0.id) }
        package let label = Member<String?> { $0.label }
        package let registrations = Member<[APIObject<App>]> { $0.registrations.map { APIObject($0) } }
    }

    package final class App: Shape {
        package typealias Source = Registration
        package static let definition = Definition(App())
        package let environment = Member<String>(.environment) { $0.environment.rawValue }
        package let token = Member<String>(.token) { $0.token.hex }
        package let topic = Member<String> { $0.topic }
    }
}

package final class StoredShape: Shape {
    package typealias Source = (device: Device, pushes: [ShownPush])
    package static let definition = Definition(StoredShape(), "Stored")
    package let device = Member<String>(.deviceID) { DeviceReferenceText.text($0.device.id) }
    package let label = Member<String?> { $0.device.label }
    package let stored = Member<[APIObject<PushShape>]>.json { .array($0.pushes.map(\.json)) }
}

extension Schema { package static let onlineState = Schema.words(["online", "offline"]) }
