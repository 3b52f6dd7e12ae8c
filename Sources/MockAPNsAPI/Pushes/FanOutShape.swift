/// What became of a broadcast.
package final class FanOutShape: Shape {
    package static let definition = Definition(FanOutShape(), "FanOut")
    package let channel = Member<String>(.channelID)
    package let delivered = Member<Int>("Devices that it reached.")
    package let devices = Member<[APIObject<Receipt>]>("The first 1,000 subscribers.")
    package let discarded = Member<Int>("Devices that do not get it.")
    package let pending = Member<Int>("Subscribers that it has not been sent to yet.")
    package let stored = Member<Int>("Devices for which the channel stores it.")
    package let subscribers = Member<Int>("Subscribers when it was published.")

    package final class Receipt: Shape {
        package static let definition = Definition(Receipt())
        package let device = Member<String>(.deviceID)
        package let state = Member<String>(.word(.deliveryState))
    }
}
