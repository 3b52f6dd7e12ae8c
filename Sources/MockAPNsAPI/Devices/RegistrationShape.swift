/// An app on a device.
package final class RegistrationShape: Shape {
    package static let definition = Definition(RegistrationShape(), "Registration")
    package let accepted = Member<UInt64>()
    package let appState = Member<String>(.word(.appState))
    package let badge = OptionalMember<Int64?>()
    package let deadSince = Member<String?>(.time)
    package let delivered = Member<UInt64>()
    package let device = Member<String>(.deviceID)
    package let discarded = Member<UInt64>()
    package let environment = Member<String>(.environment)
    package let held = Member<String?>(.pushID, "The background push held until the app is launched.")
    package let label = Member<String?>("The label of the device.")
    package let lastPush = Member<String?>(.pushID)
    package let notificationsEnabled = Member<Bool>()
    package let state = Member<String>(.word(.registrationState))
    package let stored = Member<String?>(.pushID, "The push stored until the device is online.")
    package let storedUntil = Member<String?>(.time)
    package let token = Member<String>(.token)
    package let topic = Member<String>()
}

package final class RegistrationChangedShape: Shape {
    package static let definition = Definition(RegistrationChangedShape(), "RegistrationChanged")
    package let deliveries = Part<DeliveriesShape>()
    package let registration = Member<APIObject<RegistrationShape>>()
}

package final class RegistrationRotatedShape: Shape {
    package static let definition = Definition(RegistrationRotatedShape(), "RegistrationRotated")
    package let previous = Member<String>(.token)
    package let registration = Part<RegistrationShape>()
}
