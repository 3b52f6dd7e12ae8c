public import MockAPNsRules

/// What becomes of the notifications sent to one app on one device: store and forward, as a pure value.
///
/// It knows no clock; whoever calls says what time it is, and is told of every step by `emit`, which gets the
/// number of the notification and what happened to it. Documented, where nothing else is said:
/// https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns and
/// .../viewing-the-status-of-push-notifications-using-metrics-and-apns.
public struct AppDelivery: Equatable, Sendable {
    /// Is told of a step: the number of the notification, and what happened to it.
    public typealias Emit = (UInt64, DeliveryEvent) -> Void

    /// Whether the device is online.
    public private(set) var isOnline: Bool
    /// Whether the device saves power.
    public private(set) var savesPower: Bool
    /// What the app is doing.
    public private(set) var appState: AppState
    /// Whether the user lets the app show notifications.
    public var allowsNotifications: Bool
    /// Whether the app is still on the device, whatever the service believes.
    public private(set) var isInstalled = true

    // A million of these are kept, so the small ones are next to each other.
    private var storedPriority = Priority.immediate
    private var storedIsBackground = false
    private var storedNeedsPermission = false
    private var storedFor = DeliveryEvent.storedDeviceOffline
    private var storedSeq: UInt64 = 0
    private var heldSeq: UInt64 = 0
    private var storedEnd: Int64 = 0
    private var storedCollapse: UInt64 = 0

    /// An app on a device to which nothing has been sent.
    public init(
        isOnline: Bool = true,
        savesPower: Bool = false,
        appState: AppState = .background,
        allowsNotifications: Bool = true
    ) {
        self.isOnline = isOnline
        self.savesPower = savesPower
        self.appState = appState
        self.allowsNotifications = allowsNotifications
    }

    /// The number of the notification that waits for the device.
    public var stored: UInt64? { storedSeq == 0 ? nil : storedSeq }
    /// Until when it waits, in microseconds of the world's clock.
    public var storedUntil: Int64? { storedSeq == 0 ? nil : storedEnd }
    /// The number of the background notification that the device keeps until the app is launched.
    public var held: UInt64? { heldSeq == 0 ? nil : heldSeq }

    // MARK: What happens

    /// A push was accepted.
    ///
    /// - Returns: whether the device reported that the app is gone.
    public mutating func receive(_ notification: Notification, at now: Timestamp, _ emit: Emit) -> Bool {
        if isOnline, !isInstalled {
            emit(notification.seq, .discardedTokenUnregistered)
            return true
        }
        if notification.needsPermission, !allowsNotifications {
            emit(notification.seq, .discardedDisabled)
            return false
        }
        if isReachable(with: notification.priority) {
            // Inferred: what waits must not later replace the newer notification of the same collapse id.
            if notification.collapse != 0, storedSeq != 0, storedCollapse == notification.collapse {
                discardStored(.discardedCollapsed, emit)
            }
            land(notification.seq, isBackground: notification.isBackground, .delivered, emit)
            return false
        }
        guard let end = notification.storableUntil, end > now.microseconds else {
            emit(notification.seq, .discardedExpired)
            return false
        }
        discardStored(.discardedCollapsed, emit)
        storedSeq = notification.seq
        storedEnd = end
        storedCollapse = notification.collapse
        storedPriority = notification.priority
        storedIsBackground = notification.isBackground
        storedNeedsPermission = notification.needsPermission
        storedFor = isOnline ? .storedPowerConsiderations : .storedDeviceOffline
        emit(notification.seq, storedFor)
        return false
    }

    /// The device went online or offline, or began or ended to save power.
    ///
    /// - Returns: whether the device reported that the app is gone.
    public mutating func deviceChanged(
        isOnline: Bool,
        savesPower: Bool,
        at now: Timestamp,
        _ emit: Emit
    ) -> Bool {
        self.isOnline = isOnline
        self.savesPower = savesPower
        guard storedSeq != 0 else { return false }
        if storedEnd <= now.microseconds {
            discardStored(.discardedExpired, emit)
        } else if isOnline, !isInstalled {
            discardStored(.discardedTokenUnregistered, emit)
            return true
        } else if isReachable(with: storedPriority) {
            deliverStored(emit)
        } else if storedFor != waitingEvent {
            storedFor = waitingEvent
            emit(storedSeq, storedFor)
        }
        return false
    }

    /// The app was opened, left, or ended.
    public mutating func appChanged(to state: AppState, _ emit: Emit) {
        appState = state
        guard heldSeq != 0, state != .terminated else { return }
        let seq = heldSeq
        heldSeq = 0
        emit(seq, state == .forceQuit ? .droppedForceQuit : .handedOver)
    }

    /// Time has passed.
    public mutating func expire(at now: Timestamp, _ emit: Emit) {
        guard storedSeq != 0, storedEnd <= now.microseconds else { return }
        discardStored(.discardedExpired, emit)
    }

    /// The app was removed from the device; `isNoticed` says whether the service knows at once, and drops what waits.
    public mutating func uninstall(isNoticed: Bool, _ emit: Emit) {
        isInstalled = false
        if heldSeq != 0 {
            let seq = heldSeq
            heldSeq = 0
            emit(seq, .droppedUninstalled)
        }
        if isNoticed { abandon(.discardedTokenUnregistered, emit) }
    }

    /// The app is on the device again, under the same token.
    public mutating func reinstall() { isInstalled = true }

    /// The service gives up what waits.
    public mutating func abandon(_ event: DeliveryEvent, _ emit: Emit) {
        discardStored(event, emit)
    }

    // MARK: How

    private var waitingEvent: DeliveryEvent { isOnline ? .storedPowerConsiderations : .storedDeviceOffline }

    private func isReachable(with priority: Priority) -> Bool {
        isOnline && (!savesPower || priority == .immediate)
    }

    private mutating func deliverStored(_ emit: Emit) {
        let isAllowed = !storedNeedsPermission || allowsNotifications
        let isBackground = storedIsBackground
        guard let seq = takeStored() else { return }
        if isAllowed {
            land(seq, isBackground: isBackground, .deliveredFromStorage, emit)
        } else {
            emit(seq, .discardedDisabled)
        }
    }

    /// Empties the place for the one stored notification.
    private mutating func takeStored() -> UInt64? {
        guard storedSeq != 0 else { return nil }
        let seq = storedSeq
        storedSeq = 0
        storedEnd = 0
        storedCollapse = 0
        return seq
    }

    private mutating func discardStored(_ event: DeliveryEvent, _ emit: Emit) {
        if let seq = takeStored() { emit(seq, event) }
    }

    /// The notification is on the device; what is for the app alone waits there until the app can take it.
    private mutating func land(_ seq: UInt64, isBackground: Bool, _ event: DeliveryEvent, _ emit: Emit) {
        emit(seq, event)
        guard isBackground, !appState.isRunning else { return }
        if appState == .forceQuit {
            emit(seq, .droppedForceQuit)
            return
        }
        // Documented: the system keeps the newest background notification only.
        if heldSeq != 0 { emit(heldSeq, .droppedNewer) }
        heldSeq = seq
        emit(seq, .held)
    }
}

/// What iOS would do with a notification depends on: how its app is at the time.
struct AppSituation {
    let state: AppState
    let allowsNotifications: Bool

    init(_ delivery: AppDelivery) {
        state = delivery.appState
        allowsNotifications = delivery.allowsNotifications
    }
}
