internal import MockAPNsRules

/// The subscriptions for the devices of a plan, checked before anything is changed.
struct SubscriptionPlan {
    /// For each step of the plan, the channels to subscribe to, in this order.
    let channels: [[UInt32]]

    init(_ plan: DevicePlan, in devices: borrowing DeviceStore, _ store: borrowing ChannelStore) throws(DeviceError) {
        var all: [[UInt32]] = []
        var count = store.subscriptions.count
        all.reserveCapacity(plan.steps.count)
        for (position, step) in plan.steps.enumerated() {
            let pointer = plan.isList ? "/\(position)/subscriptions" : "/subscriptions"
            all.append(try Self.channels(of: step, at: pointer, devices, store))
            count += all[position].count
        }
        let limit = devices.options.registrationLimit
        guard count <= limit else { throw DeviceError(.tooMany, "the world holds \(limit) subscriptions at most") }
        channels = all
    }

    /// Returns the channels that a device is not subscribed to, the newest subscription last.
    private static func channels(
        of step: DevicePlan.Step, at pointer: String, _ devices: borrowing DeviceStore, _ store: borrowing ChannelStore
    ) throws(DeviceError) -> [UInt32] {
        var added: [UInt32] = []
        for (number, id) in step.draft.subscriptions.enumerated().reversed() {
            guard let channel = store.find(id) else {
                throw DeviceError(.badValue, "there is no channel \(id.text)", at: "\(pointer)/\(number)")
            }
            let app = store.channels.pointer(to: channel).pointee.app
            let isDescribed = step.draft.registrations.contains {
                $0.environment == app.environment && Topic.bundleID(of: $0.topic) == app.bundleID
            }
            var first = SlotPlace.none
            var hasApp = isDescribed
            if let device = step.device {
                first = devices.devices.pointer(to: device).pointee.firstSubscription
                hasApp = isDescribed || devices.has(app, on: device)
            }
            guard hasApp else {
                let message = "channel \(id.text) belongs to \(app), which the device does not have"
                throw DeviceError(.badValue, message, at: "\(pointer)/\(number)")
            }
            if !added.contains(channel), store.subscription(to: channel, from: first) == nil { added.append(channel) }
        }
        return added
    }
}
