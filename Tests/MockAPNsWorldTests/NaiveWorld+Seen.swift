import MockAPNsRules

@testable import MockAPNsWorld

extension NaiveWorld {
    /// A device as both sides show it.
    struct SeenDevice: Equatable {
        let label: String?
        let isOnline: Bool
        let savesPower: Bool
        let origin: Device.Origin
        let offlineSince: Int64?
        let apps: [SeenApp]
    }

    /// A registration as both sides show it.
    struct SeenApp: Equatable {
        let token: DeviceToken?
        let topic: String
        let environment: Environment
        let appState: AppState
        let isAllowed: Bool
        let state: RegistrationState
        let deadSince: Int64?
        let lastPush: UInt64?
        let stored: UInt64?
        let storedUntil: Int64?
        let held: UInt64?
        /// Accepted, delivered, discarded.
        let counts: [Int]
    }

    /// An entry of the feedback list as both sides show it.
    struct SeenEntry: Hashable {
        let token: DeviceToken?
        let label: String?
        let topic: String?
        let at: Int64?
        let cause: String
        let reported: Int
        let lastAt: Int64?
    }

    func seen(_ number: Int) -> SeenDevice {
        let (device, phone) = (devices[number], phones.phones[number])
        return SeenDevice(
            label: device.label, isOnline: phone.isOnline, savesPower: phone.savesPower, origin: device.origin,
            offlineSince: device.offlineSince, apps: device.apps.map { seenApp($0) })
    }

    private func seenApp(_ number: Int) -> SeenApp {
        let (app, phone) = (apps[number], phones.apps[number])
        let waiting = phone.waiting.first.map { phone.pushes[$0] }
        let arrived = phone.pushes.filter { push in
            push.steps.contains { $0 == .delivered || $0 == .deliveredFromStorage }
        }
        let isDecided = phone.pushes.count { !$0.isWaiting }
        return SeenApp(
            token: app.token, topic: app.topic, environment: app.environment, appState: phone.state,
            isAllowed: phone.isAllowed, state: app.state, deadSince: app.deadSince, lastPush: app.lastPush,
            stored: waiting?.seq, storedUntil: waiting?.end, held: phone.held.first.map { phone.pushes[$0].seq },
            counts: [phone.pushes.count, arrived.count, isDecided - arrived.count])
    }

    var seenFeedback: [SeenEntry] {
        feedback.map { number, report in
            SeenEntry(
                token: apps[number].token, label: devices[apps[number].device].label, topic: apps[number].topic,
                at: apps[number].deadSince, cause: report.cause.rawValue, reported: report.reported,
                lastAt: report.lastAt)
        }
    }
}

extension NaiveWorld.SeenDevice {
    init(_ device: Device) {
        label = device.label
        isOnline = device.isOnline
        savesPower = device.savesPower
        origin = device.origin
        offlineSince = device.offlineSince.map { $0.microseconds(since: JudgingWorld.start) }
        apps = device.registrations.map { NaiveWorld.SeenApp($0) }
    }
}

extension NaiveWorld.SeenApp {
    init(_ registration: Registration) {
        token = registration.token
        topic = registration.topic
        environment = registration.environment
        appState = registration.appState
        isAllowed = registration.allowsNotifications
        state = registration.state
        deadSince = registration.deadSince.map { $0.microseconds(since: JudgingWorld.start) }
        lastPush = registration.lastPush
        stored = registration.stored
        storedUntil = registration.storedUntil.map { $0.microseconds(since: JudgingWorld.start) }
        held = registration.held
        let counters = registration.counters
        counts = [Int(counters.accepted), Int(counters.delivered), Int(counters.discarded)]
    }
}

extension NaiveWorld.SeenEntry {
    init(_ entry: FeedbackEntry) {
        token = entry.token
        label = entry.label
        topic = entry.topic
        at = entry.unregisteredAt.microseconds(since: JudgingWorld.start)
        cause = entry.cause.rawValue
        reported = entry.reported
        lastAt = entry.lastReportedAt.map { $0.microseconds(since: JudgingWorld.start) }
    }
}
