/// What happened to a notification after the push was answered.
package final class DeliveryShape: Shape {
    package static let definition = Definition(DeliveryShape(), "Delivery")
    package let detail = Member<String?>()
    package let device = Member<String?>("The label of the device.")
    package let fanOut = Member<APIObject<FanOutShape>?>("What became of a broadcast; null for other pushes.")
    package let reaction = Member<APIObject<ReactionShape>?>()
    package let state = Member<String>(.word(.deliveryState))
    package let status = Member<String?>("The state as Apple's console calls it.")
    package let timeline = Member<[APIObject<Step>]>()

    package final class Step: Shape {
        package static let definition = Definition(Step())
        package let at = Member<String>(.time)
        package let detail = Member<String?>()
        package let event = Member<String>()
        package let seq = Member<UInt64>()
        package let status = OptionalMember<Int>()
    }
}

/// What iOS does with a notification that reaches the device.
package final class ReactionShape: Shape {
    package static let definition = Definition(ReactionShape(), "Reaction")
    package let appState = Member<String>(.word(.appState))
    package let callbacks = Member<[String]>("The methods of the app that iOS calls.")
    package let presentation = Member<String>(.word(.presentation))
    package let summary = Member<String>()
}
