internal import MockAPNsRules
package import MockAPNsWorld

extension APIObject<DeviceShape> {
    /// `showsBadge` is `false` where the badge is not worth reading every push that reached the device.
    package init(_ device: Device, in subject: ShownNamespace, showsBadge: Bool = true) {
        let counters = device.registrations.map(\.counters)
        let badges = showsBadge ? Badges(of: device, in: subject) : nil
        self.init()
        if let badges { self.badge = .some(badges.sum) }
        self.connectedClients = device.connectedClients
        self.delivered = counters.reduce(0) { $0 + Int64($1.delivered) }
        self.discarded = counters.reduce(0) { $0 + Int64($1.discarded) }
        self.id = DeviceReferenceText.text(device.id)
        self.label = device.label
        self.lastPush = device.registrations.compactMap(\.lastPush).max().map { seq in
            APIObject<DeviceShape.PushReference> {
                $0.id = subject.pushID(seq)
                $0.seq = seq
            }
        }
        self.lowPower = device.savesPower
        self.offlineSince = device.offlineSince?.rfc3339
        self.origin = device.origin.rawValue
        self.registrations = device.registrations.map {
            APIObject<RegistrationShape>($0, of: device, in: subject, badges: badges)
        }
        self.state = device.isOnline ? "online" : "offline"
        self.stored = device.registrations.count { $0.stored != nil } + device.storedBroadcasts
        self.subscriptions = device.channels.map(\.text)
    }
}

extension APIObject<RegistrationShape> {
    /// Leaves the badge out without `badges`.
    package init(_ registration: Registration, of device: Device, in subject: ShownNamespace, badges: Badges?) {
        func push(_ seq: UInt64?) -> String? { seq.map { subject.pushID($0) } }
        self.init()
        self.accepted = UInt64(registration.counters.accepted)
        self.appState = registration.appState.rawValue
        if let badges { self.badge = .some(badges[registration.token]) }
        self.deadSince = registration.deadSince?.rfc3339
        self.delivered = UInt64(registration.counters.delivered)
        self.device = DeviceReferenceText.text(device.id)
        self.discarded = UInt64(registration.counters.discarded)
        self.environment = registration.environment.rawValue
        self.held = push(registration.held)
        self.label = device.label
        self.lastPush = push(registration.lastPush)
        self.notificationsEnabled = registration.allowsNotifications
        self.state = registration.state.rawValue
        self.stored = push(registration.stored)
        self.storedUntil = registration.storedUntil?.rfc3339
        self.token = registration.token.hex
        self.topic = registration.topic
    }
}

extension APIObject<DeliveriesShape> {
    package init(_ report: DeliveryReport, in subject: ShownNamespace) {
        let extent = subject.journal.extent
        self.init()
        self.delivered = extent.ids(report.delivered)
        self.deliveredCount = report.delivered.count
        self.discarded = extent.ids(report.discarded)
        self.discardedCount = report.discarded.count
        self.expired = extent.ids(report.expired)
        self.expiredCount = report.expired.count
        self.inactive = report.inactive.prefix(DeliveriesShape.mostListed).map(\.hex)
        self.inactiveCount = report.inactive.count
    }
}

extension APIObject<DevicesPutShape> {
    package init(_ report: DevicePutReport, in subject: ShownNamespace) {
        self.init()
        self.created = report.created
        self.deliveries = APIObject<DeliveriesShape>(report.deliveries, in: subject)
        self.devices = report.devices.map { device in
            APIObject<DevicesPutShape.Device> {
                $0.id = DeviceReferenceText.text(device.id)
                $0.label = device.label
                $0.registrations = device.registrations.map { app in
                    APIObject<DevicesPutShape.App> {
                        $0.environment = app.environment.rawValue
                        $0.token = app.token.hex
                        $0.topic = app.topic
                    }
                }
            }
        }
        self.updated = report.updated
    }
}
