package import MockAPNsRules
package import MockAPNsWorld

/// An app on a device.
package final class RegistrationShape: Shape {
    package typealias Source = (app: Registration, on: ShownDevice)
    package static let definition = Definition(RegistrationShape(), "Registration")
    package let accepted = Member<UInt64> { UInt64($0.app.counters.accepted) }
    package let appState = Member<String>(.word(.appState)) { $0.app.appState.rawValue }
    package let badge = OptionalMember<Int64?> { shown in shown.on.badges.map { $0[shown.app.token] } }
    package let deadSince = Member<String?>(.time) { $0.app.deadSince?.rfc3339 }
    package let delivered = Member<UInt64> { UInt64($0.app.counters.delivered) }
    package let device = Member<String>(.deviceID) { DeviceReferenceText.text($0.on.device.id) }
    package let discarded = Member<UInt64> { UInt64($0.app.counters.discarded) }
    package let environment = Member<String>(.environment) { $0.app.environment.rawValue }
    package let held = Member<String?>(.pushID, "The background push held until the app is launched.") {
        $0.app.held.map($0.on.subject.pushID)
    }
    package let label = Member<String?>("The label of the device.") { $0.on.device.label }
    package let lastPush = Member<String?>(.pushID) { $0.app.lastPush.map($0.on.subject.pushID) }
    package let notificationsEnabled = Member<Bool> { $0.app.allowsNotifications }
    package let state = Member<String>(.word(.registrationState)) { $0.app.state.rawValue }
    package let stored = Member<String?>(.pushID, "The push stored until the device is online.") {
        $0.app.stored.map($0.on.subject.pushID)
    }
    package let storedUntil = Member<String?>(.time) { $0.app.storedUntil?.rfc3339 }
    package let token = Member<String>(.token) { $0.app.token.hex }
    package let topic = Member<String> { $0.app.topic }
}

package final class RegistrationChangedShape: Shape {
    package typealias Source = (registration: RegistrationShape.Source, deliveries: DeliveriesShape.Source)
    package static let definition = Definition(RegistrationChangedShape(), "RegistrationChanged")
    package let deliveries = Part<DeliveriesShape> { $0.deliveries }
    package let registration = Member<APIObject<RegistrationShape>> { APIObject($0.registration) }
}

package final class RegistrationRotatedShape: Shape {
    package typealias Source = (previous: DeviceToken, registration: RegistrationShape.Source)
    package static let definition = Definition(RegistrationRotatedShape(), "RegistrationRotated")
    package let previous = Member<String>(.token) { $0.previous.hex }
    package let registration = Part<RegistrationShape> { $0.registration }
}
