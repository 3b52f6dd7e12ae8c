internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// The numbers on the icons of a device's apps: for each, the last that reached it.
///
/// The journal is what remembers them, so a number is gone with its push.
struct Badges {
    private var numbers: [DeviceToken: Int64] = [:]

    /// Looks at what reached a device.
    init(of device: Device, in subject: InspectedServer) {
        let wasReached = device.registrations.contains { $0.counters.delivered > 0 }
        guard wasReached else {
            self.init([])
            return
        }
        do {
            // A push that another one replaced has set its number all the same.
            let devices = subject.world.devices
            self.init(try devices.arrived(.id(device.id), includingReplaced: true))
        } catch {
            // It was forgotten meanwhile, and has no icons any more.
            self.init([])
        }
    }

    /// - Parameter arrived: what reached a device, in that order.
    init(_ arrived: [PushRecord]) {
        for record in arrived { apply(PushFacts(record)) }
    }

    /// The number on the icon of one app; `nil` when none has reached it.
    subscript(token: DeviceToken) -> Int64? { numbers[token] }

    /// All numbers together; `nil` when there are none.
    var sum: Int64? {
        guard !numbers.isEmpty else { return nil }
        // Numbers come from payloads, which have no limit.
        return numbers.values.reduce(0) { sum, number in
            let (result, overflow) = sum.addingReportingOverflow(number)
            return overflow ? .max : result
        }
    }

    private mutating func apply(_ facts: PushFacts) {
        guard facts.deliveredType == .alert, let delivery = facts.record.delivery,
            delivery.allowsNotifications,
            delivery.appState != .foreground, case .integer(let number)? = facts.aps?["badge"], number >= 0,
            let token = facts.token
        else { return }
        numbers[token] = number
    }
}
