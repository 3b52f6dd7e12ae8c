@testable import MockAPNsWorld

/// Store and forward in the simplest possible way: every push is kept for ever with every step it took, and what
/// waits or is held is read off the steps.
///
/// Written from the documents, to be compared with `AppDelivery`.
struct NaivePhones {
    struct Push {
        let seq: UInt64
        let sent: DeliveryStory.Push
        /// Until when it may wait, on the clock of the story; `nil` when it may not.
        let end: Int64?
        var steps: [DeliveryEvent] = []
        /// When each step was taken.
        var times: [Int64] = []

        var isWaiting: Bool { steps.last == .storedDeviceOffline || steps.last == .storedPowerConsiderations }
        var isHeld: Bool { steps.last == .held }
    }

    struct Phone {
        var isOnline = true
        var savesPower = false

        var reason: DeliveryEvent { isOnline ? .storedPowerConsiderations : .storedDeviceOffline }

        func takes(_ push: Push) -> Bool { isOnline && (!savesPower || push.sent.priority == .immediate) }
    }

    struct App {
        let phone: Int
        var state = AppState.background
        var isAllowed = true
        var isInstalled = true
        var pushes: [Push] = []

        var waiting: [Int] { pushes.indices.filter { pushes[$0].isWaiting } }
        var held: [Int] { pushes.indices.filter { pushes[$0].isHeld } }
    }

    /// A step that a push took just now, or, without an event, the report that an app is gone.
    struct Happening: Equatable {
        let seq: UInt64
        let event: DeliveryEvent?
    }

    var phones: [Phone]
    var apps: [App]
    /// Microseconds since the beginning of the story.
    var now: Int64 = 0
    private(set) var happenings: [Happening] = []
    /// The apps that a device has reported gone.
    var gone: Set<Int> = []

    /// So many phones with so many apps on each.
    init(phones: Int, appsOnEach: Int) {
        self.phones = Array(repeating: Phone(), count: phones)
        apps = (0..<phones * appsOnEach).map { App(phone: $0 % phones) }
    }

    /// What has happened since this was last asked.
    mutating func takeHappenings() -> [Happening] {
        defer { happenings = [] }
        return happenings
    }

    // MARK: What can happen

    mutating func push(_ seq: UInt64, _ sent: DeliveryStory.Push, to app: Int) {
        let phone = phones[apps[app].phone]
        apps[app].pushes.append(Push(seq: seq, sent: sent, end: end(of: sent)))
        let push = apps[app].pushes.count - 1
        if phone.isOnline && !apps[app].isInstalled {
            take(push, of: app, .discardedTokenUnregistered)
            reportGone(app)
        } else if sent.kind == .alert && !apps[app].isAllowed {
            take(push, of: app, .discardedDisabled)
        } else if phone.takes(apps[app].pushes[push]) {
            for older in apps[app].waiting
            where !sent.collapse.isEmpty && apps[app].pushes[older].sent.collapse == sent.collapse {
                take(older, of: app, .discardedCollapsed)
            }
            arrive(push, of: app, .delivered)
        } else if apps[app].pushes[push].end == nil {
            take(push, of: app, .discardedExpired)
        } else {
            for older in apps[app].waiting { take(older, of: app, .discardedCollapsed) }
            take(push, of: app, phone.reason)
        }
    }

    mutating func change(phone: Int, isOnline: Bool, savesPower: Bool) {
        phones[phone] = Phone(isOnline: isOnline, savesPower: savesPower)
        for app in apps.indices where apps[app].phone == phone {
            for push in apps[app].waiting { reconsider(push, of: app) }
        }
    }

    private mutating func reconsider(_ push: Int, of app: Int) {
        let phone = phones[apps[app].phone]
        let waiting = apps[app].pushes[push]
        if waiting.end.map({ $0 <= now }) == true {
            take(push, of: app, .discardedExpired)
        } else if phone.isOnline && !apps[app].isInstalled {
            take(push, of: app, .discardedTokenUnregistered)
            reportGone(app)
        } else if !phone.takes(waiting) {
            if waiting.steps.last != phone.reason { take(push, of: app, phone.reason) }
        } else if waiting.sent.kind == .alert && !apps[app].isAllowed {
            take(push, of: app, .discardedDisabled)
        } else {
            arrive(push, of: app, .deliveredFromStorage)
        }
    }

    mutating func change(app: Int, to state: AppState) {
        apps[app].state = state
        for push in apps[app].held {
            switch state {
            case .foreground, .background: take(push, of: app, .handedOver)
            case .forceQuit: take(push, of: app, .droppedForceQuit)
            case .terminated: break
            }
        }
    }

    mutating func expire(app: Int) {
        for push in apps[app].waiting where apps[app].pushes[push].end.map({ $0 <= now }) == true {
            take(push, of: app, .discardedExpired)
        }
    }

    mutating func uninstall(app: Int, isNoticed: Bool) {
        apps[app].isInstalled = false
        for push in apps[app].held { take(push, of: app, .droppedUninstalled) }
        if isNoticed { giveUp(app: app, .discardedTokenUnregistered) }
    }

    mutating func giveUp(app: Int, _ event: DeliveryEvent) {
        for push in apps[app].waiting { take(push, of: app, event) }
    }

    // MARK: How

    private mutating func take(_ push: Int, of app: Int, _ event: DeliveryEvent) {
        apps[app].pushes[push].steps.append(event)
        apps[app].pushes[push].times.append(now)
        happenings.append(Happening(seq: apps[app].pushes[push].seq, event: event))
    }

    private mutating func reportGone(_ app: Int) {
        happenings.append(Happening(seq: 0, event: nil))
        gone.insert(app)
    }

    private mutating func arrive(_ push: Int, of app: Int, _ event: DeliveryEvent) {
        take(push, of: app, event)
        guard apps[app].pushes[push].sent.kind == .background else { return }
        switch apps[app].state {
        case .foreground, .background: break
        case .forceQuit: take(push, of: app, .droppedForceQuit)
        case .terminated:
            for older in apps[app].held { take(older, of: app, .droppedNewer) }
            take(push, of: app, .held)
        }
    }

    /// 30 days at most; not at all when the expiration is 0 or past.
    private func end(of sent: DeliveryStory.Push) -> Int64? {
        let latest = now + 30 * DeliveryStory.day
        switch sent.expiration {
        case .absent: return latest
        case .offset(let offset): return offset <= now ? nil : min(offset, latest)
        case .zero, .seconds: return nil
        }
    }
}
