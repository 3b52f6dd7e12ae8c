import MockAPNsRules

@testable import MockAPNsWorld

/// All devices of a world in the simplest possible way: nothing is ever removed, everything is looked for.
///
/// What notifications do is `NaivePhones`' business; here are tokens, their deaths, and the feedback list. Devices
/// and apps have the numbers that they have there.
struct NaiveWorld {
    struct Phone {
        /// What the world calls it.
        var id: DeviceID?
        var label: String?
        var origin: Device.Origin
        var offlineSince: Int64?
        var isInactive = false
        var isForgotten = false
        var apps: [Int] = []
    }

    struct App {
        var token: DeviceToken?
        let topic: String
        let environment: Environment
        let device: Int
        var state = RegistrationState.registered
        var deadSince: Int64?
        var lastPush: UInt64?

        var isLiving: Bool { state == .registered || state == .inactive }
    }

    struct Report {
        var reported = 0
        var lastAt: Int64?
        let cause: RegistrationState
    }

    let inactiveAfter: Int64
    let isNoticed: Bool
    let startUp: [DeviceDraft]
    var phones = NaivePhones(phones: 0, appsOnEach: 0)
    var devices: [Phone] = []
    var apps: [App] = []
    var feedback: [Int: Report] = [:]
    private(set) var inactive: [DeviceToken] = []

    init(startUp: [DeviceDraft], inactiveAfter: Int64, isNoticed: Bool) {
        self.startUp = startUp
        self.inactiveAfter = inactiveAfter
        self.isNoticed = isNoticed
        for draft in startUp { make(draft, origin: .startUp) }
    }

    var now: Int64 { phones.now }

    /// The tokens given up since this was last asked.
    mutating func takeInactive() -> [DeviceToken] {
        defer { inactive = [] }
        return inactive
    }

    // MARK: Finding
    var living: [Int] { devices.indices.filter { !devices[$0].isForgotten } }

    func device(_ reference: DeviceReference) -> Int? {
        living.first { number in
            switch reference {
            case .label(let label): devices[number].label == label
            case .id(let id): devices[number].id == id
            case .token(let token): devices[number].apps.contains { apps[$0].token == token }
            }
        }
    }

    func app(_ token: DeviceToken) -> Int? {
        apps.indices.first { apps[$0].token == token && !devices[apps[$0].device].isForgotten }
    }

    /// The app of this topic on a device whose token is not dead for good.
    func living(_ topic: String, _ environment: Environment, on device: Int) -> Int? {
        devices[device].apps.first {
            apps[$0].isLiving && apps[$0].topic == topic && apps[$0].environment == environment
        }
    }

    // MARK: Time

    /// Moves the clock and does on the way what is due, each thing at its time.
    mutating func move(to time: Int64) {
        while let next = dueTimes.min(), next <= time {
            phones.now = next
            for app in apps.indices where !devices[apps[app].device].isForgotten { phones.expire(app: app) }
            for device in living where deadline(of: device) == next { giveUp(device) }
        }
        phones.now = time
    }

    private var dueTimes: [Int64] {
        living.flatMap { device in
            devices[device].apps.flatMap { app in
                phones.apps[app].waiting.compactMap { phones.apps[app].pushes[$0].end }
            } + [deadline(of: device)].compactMap { $0 }
        }
    }

    private func deadline(of device: Int) -> Int64? {
        guard !devices[device].isInactive, let since = devices[device].offlineSince else { return nil }
        return since.addingReportingOverflow(inactiveAfter).overflow ? nil : since + inactiveAfter
    }

    private mutating func giveUp(_ device: Int) {
        devices[device].isInactive = true
        for app in devices[device].apps {
            if apps[app].state == .registered {
                kill(app, as: .inactive)
                if let token = apps[app].token { inactive.append(token) }
            } else {
                phones.giveUp(app: app, .discardedInactive)
            }
        }
    }

    // MARK: Pushes

    /// What a push is answered; also the app it goes to, if it is known.
    func judge(_ push: JudgingWorld.Push) -> (reason: Reason?, app: Int?) {
        guard let known = app(push.token) else { return (nil, nil) }
        if apps[known].environment != push.environment { return (.badDeviceToken, known) }
        if apps[known].topic != push.topic { return (.deviceTokenNotForTopic, known) }
        guard apps[known].deadSince != nil else { return (nil, known) }
        return (apps[known].state == .expired ? .expiredToken : .unregistered, known)
    }

    /// A push has been answered.
    mutating func answered(
        _ push: JudgingWorld.Push, _ sent: DeliveryStory.Push, seq: UInt64, _ judged: (reason: Reason?, app: Int?)
    ) {
        if let app = judged.app { apps[app].lastPush = seq }
        switch judged.reason {
        case .unregistered?, .expiredToken?:
            guard let app = judged.app else { return }
            var report = feedback[app] ?? Report(cause: apps[app].state)
            report.reported += 1
            report.lastAt = now
            feedback[app] = report
        case .some: break
        case nil:
            // Another push of the same read may have registered the token, for another app.
            let made = judged.app ?? app(push.token)
            if let made, (apps[made].topic, apps[made].environment) != (push.topic, push.environment) { return }
            let target = made ?? makeSelf(push)
            apps[target].lastPush = seq
            phones.push(seq, sent, to: target)
            buryGone()
        }
    }

    private mutating func makeSelf(_ push: JudgingWorld.Push) -> Int {
        make(
            DeviceDraft(registrations: [.init(token: push.token, topic: push.topic, environment: push.environment)]),
            origin: .push)
        return apps.count - 1
    }

    // MARK: Life and death

    mutating func kill(_ app: Int, as state: RegistrationState) {
        phones.giveUp(app: app, state == .inactive ? .discardedInactive : .discardedTokenUnregistered)
        apps[app].state = state
        apps[app].deadSince = now
        feedback[app] = Report(cause: state)
    }

    mutating func revive(_ app: Int) {
        apps[app].state = .registered
        apps[app].deadSince = nil
        phones.apps[app].isInstalled = true
        feedback[app] = nil
    }

    /// The service learns of apps that devices reported gone.
    mutating func buryGone() {
        for app in phones.gone where apps[app].deadSince == nil { kill(app, as: .uninstalled) }
        phones.gone = []
    }

    mutating func connect(_ device: Int, isOnline: Bool?, savesPower: Bool?) {
        let before = phones.phones[device]
        let after = NaivePhones.Phone(
            isOnline: isOnline ?? before.isOnline, savesPower: savesPower ?? before.savesPower)
        if after.isOnline != before.isOnline { devices[device].offlineSince = after.isOnline ? nil : now }
        if after.isOnline, devices[device].isInactive {
            devices[device].isInactive = false
            for app in devices[device].apps where apps[app].state == .inactive { revive(app) }
        }
        // First the power, then the connection.
        if after.savesPower != before.savesPower {
            phones.change(phone: device, isOnline: before.isOnline, savesPower: after.savesPower)
        }
        if after.isOnline != before.isOnline {
            phones.change(phone: device, isOnline: after.isOnline, savesPower: after.savesPower)
        }
        buryGone()
    }

    mutating func forget(_ device: Int) {
        for app in devices[device].apps {
            phones.giveUp(app: app, .discardedTokenUnregistered)
            feedback[app] = nil
        }
        devices[device].isForgotten = true
    }

    mutating func reset(_ parts: Set<ResetReport.Part>) {
        if parts.contains(.clock) { phones.now = 0 }
        if parts.contains(.pushes) { for app in apps.indices { apps[app].lastPush = nil } }
        if parts.contains(.feedback) || parts.contains(.devices) { feedback = [:] }
        guard parts.contains(.devices) else { return }
        for device in living {
            for app in devices[device].apps { phones.giveUp(app: app, .discardedTokenUnregistered) }
        }
        for device in devices.indices {
            devices[device].isForgotten = true
            // Numbers begin anew.
            devices[device].id = nil
        }
        for draft in startUp { make(draft, origin: .startUp) }
    }
}

extension NaiveWorld {
    // MARK: Describing

    /// Does what descriptions say.
    ///
    /// - Returns: why not; then nothing has changed.
    mutating func describe(_ drafts: [DeviceDraft], isUpdating: Bool) -> DeviceProblem? {
        var trial = self
        var described: Set<Int> = []
        var named: Set<DeviceToken> = []
        var labels: Set<String> = []
        for draft in drafts {
            if let label = draft.label, !labels.insert(label).inserted { return .labelTaken }
            let labelled = draft.label.flatMap { device(.label($0)) }
            if !isUpdating, labelled != nil { return .labelTaken }
            let known = draft.registrations.compactMap { $0.token.flatMap { device(.token($0)) } }
            let target = isUpdating ? labelled ?? known.first : nil
            if let target, !described.insert(target).inserted { return .labelTaken }
            for (position, one) in draft.registrations.enumerated() {
                let before = draft.registrations.prefix(position)
                if before.contains(where: { ($0.topic, $0.environment) == (one.topic, one.environment) }) {
                    return .registrationTaken
                }
                if let token = one.token, !named.insert(token).inserted { return .tokenTaken }
                if let problem = problem(with: one, on: target) { return problem }
            }
            if let target { trial.update(target, draft) } else { trial.make(draft, origin: .described) }
        }
        self = trial
        return nil
    }

    private func problem(with draft: DeviceDraft.Registration, on device: Int?) -> DeviceProblem? {
        guard let token = draft.token else { return nil }
        let other = device.flatMap { living(draft.topic, draft.environment, on: $0) }
        guard let known = app(token) else { return other == nil ? nil : .registrationTaken }
        guard apps[known].device == device, apps[known].topic == draft.topic,
            apps[known].environment == draft.environment
        else { return .tokenTaken }
        return other == nil || other == known ? nil : .registrationTaken
    }

    private mutating func make(_ draft: DeviceDraft, origin: Device.Origin) {
        var device = Phone(label: draft.label, origin: origin)
        let phone = NaivePhones.Phone(isOnline: draft.isOnline ?? true, savesPower: draft.savesPower ?? false)
        device.offlineSince = phone.isOnline ? nil : now
        devices.append(device)
        phones.phones.append(phone)
        for registration in draft.registrations { addApp(registration, to: devices.count - 1) }
    }

    mutating func addApp(_ draft: DeviceDraft.Registration, to device: Int) {
        devices[device].apps.append(apps.count)
        apps.append(App(token: draft.token, topic: draft.topic, environment: draft.environment, device: device))
        phones.apps.append(
            NaivePhones.App(
                phone: device, state: draft.appState ?? .background, isAllowed: draft.allowsNotifications ?? true))
    }

    private mutating func update(_ device: Int, _ draft: DeviceDraft) {
        if let label = draft.label { devices[device].label = label }
        for one in draft.registrations {
            let known = one.token.map { app($0) } ?? living(one.topic, one.environment, on: device)
            if let known {
                change(
                    known,
                    .with {
                        $0.appState = one.appState
                        $0.allowsNotifications = one.allowsNotifications
                        $0.state = .registered
                    })
            } else {
                addApp(one, to: device)
            }
        }
        connect(device, isOnline: draft.isOnline, savesPower: draft.savesPower)
    }

    mutating func register(_ draft: DeviceDraft.Registration, on device: Int) -> DeviceProblem? {
        if let token = draft.token, app(token) != nil { return .tokenTaken }
        if living(draft.topic, draft.environment, on: device) != nil { return .registrationTaken }
        addApp(draft, to: device)
        return nil
    }

    // MARK: Changing

    mutating func change(_ device: Int, _ change: DeviceChange) -> DeviceProblem? {
        if let label = change.label {
            if let other = self.device(.label(label)), other != device { return .labelTaken }
            devices[device].label = label
        }
        connect(device, isOnline: change.isOnline, savesPower: change.savesPower)
        return nil
    }

    /// Why a registration cannot be changed so.
    func problem(with change: RegistrationChange, of app: Int) -> DeviceProblem? {
        if change.state == .rotated || change.state == .inactive { return .badValue }
        guard change.state == .registered else { return nil }
        return problem(withOnlyLivingOne: app)
    }

    private func problem(withOnlyLivingOne app: Int) -> DeviceProblem? {
        let other = living(apps[app].topic, apps[app].environment, on: apps[app].device)
        return other == nil || other == app ? nil : .registrationTaken
    }

    mutating func change(_ app: Int, _ change: RegistrationChange) {
        let device = apps[app].device
        let isLiving = apps[app].isLiving
        switch (change.state, apps[app].state) {
        case (.registered, .registered): break
        case (.registered, _) where !devices[device].isInactive: revive(app)
        case (.registered, let old): if old != .inactive { kill(app, as: .inactive) }
        default: break
        }
        if let isAllowed = change.allowsNotifications { phones.apps[app].isAllowed = isAllowed }
        if let state = change.appState { phones.change(app: app, to: state) }
        if change.state == .expired, isLiving { kill(app, as: .expired) }
        if change.state == .uninstalled, isLiving {
            phones.uninstall(app: app, isNoticed: isNoticed)
            apps[app].state = .uninstalled
            if isNoticed { kill(app, as: .uninstalled) }
        }
    }

    mutating func rotate(_ app: Int, to token: DeviceToken?) -> DeviceProblem? {
        if let problem = problem(withOnlyLivingOne: app), !apps[app].isLiving { return problem }
        if let token, self.app(token) != nil { return .tokenTaken }
        if apps[app].isLiving { kill(app, as: .rotated) }
        let phone = phones.apps[app]
        addApp(
            .init(
                token: token, topic: apps[app].topic, environment: apps[app].environment, appState: phone.state,
                allowsNotifications: phone.isAllowed), to: apps[app].device)
        return nil
    }
}
