public import MockAPNsRules

/// Store and forward for the notifications of one app on one device, as a pure value.
///
/// It has no clock: callers pass the time. Every step is reported through `emit`, with the number of the
/// notification and the event. Documented, unless stated otherwise:
/// https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns and
/// .../viewing-the-status-of-push-notifications-using-metrics-and-apns.
public struct AppDelivery: Equatable, Sendable {
    /// Reports a step: the number of the notification, and the event.
    public typealias Emit = (UInt64, DeliveryEvent) -> Void

    /// Whether the device is online.
    public private(set) var isOnline: Bool
    /// Whether the device saves power.
    public private(set) var savesPower: Bool
    /// The state of the app.
    public private(set) var appState: AppState
    /// Whether the user allows the app to show notifications.
    public var allowsNotifications: Bool
    /// Whether the app is installed, whether or not the service knows.
    public private(set) var isInstalled = true

    // There may be a million of these, so small properties are adjacent to save memory.
    private var storedPriority = Priority.immediate
    private var storedIsBackground = false
    private var storedNeedsPermission = false
    private var storedFor = DeliveryEvent.storedDeviceOffline
    private var storedSeq: UInt64 = 0
    private var heldSeq: UInt64 = 0
    private var storedEnd: Int64 = 0
    private var storedCollapse: UInt64 = 0

    /// Creates the state of an app without notifications.
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

    /// The number of the stored notification.
    public var stored: UInt64? { storedSeq == 0 ? nil : storedSeq }
    /// The time until which it is stored, in microseconds of the world's clock.
    public var storedUntil: Int64? { storedSeq == 0 ? nil : storedEnd }
    /// The number of the background notification that the device holds until the app is launched.
    public var held: UInt64? { heldSeq == 0 ? nil : heldSeq }

    // MARK: What happens

    /// Handles an accepted push.
    ///
    /// - Returns: Whether the device reported that the app is uninstalled.
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
            // Inferred: the stored notification must not later replace the newer one with the same collapse
            // ID.
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

    /// Handles the device going online or offline, or turning low power mode on or off.
    ///
    /// - Returns: Whether the device reported that the app is uninstalled.
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

    /// Handles the app being opened, sent to the background, or terminated.
    public mutating func appChanged(to state: AppState, _ emit: Emit) {
        appState = state
        guard heldSeq != 0, state != .terminated else { return }
        let seq = heldSeq
        heldSeq = 0
        emit(seq, state == .forceQuit ? .droppedForceQuit : .handedOver)
    }

    /// Handles the passing of time.
    public mutating func expire(at now: Timestamp, _ emit: Emit) {
        guard storedSeq != 0, storedEnd <= now.microseconds else { return }
        discardStored(.discardedExpired, emit)
    }

    /// Handles the removal of the app.
    ///
    /// With `isNoticed`, the service knows immediately, and discards the stored notification.
    public mutating func uninstall(isNoticed: Bool, _ emit: Emit) {
        isInstalled = false
        if heldSeq != 0 {
            let seq = heldSeq
            heldSeq = 0
            emit(seq, .droppedUninstalled)
        }
        if isNoticed { abandon(.discardedTokenUnregistered, emit) }
    }

    /// Handles the reinstallation of the app under the same token.
    public mutating func reinstall() { isInstalled = true }

    /// Discards the stored notification.
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

    /// Removes the stored notification and returns its number.
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

    /// Handles the arrival on the device, which holds a background notification until the app can take it.
    private mutating func land(_ seq: UInt64, isBackground: Bool, _ event: DeliveryEvent, _ emit: Emit) {
        emit(seq, event)
        guard isBackground, !appState.isRunning else { return }
        if appState == .forceQuit {
            emit(seq, .droppedForceQuit)
            return
        }
        // Documented: the system holds only the newest background notification.
        if heldSeq != 0 { emit(heldSeq, .droppedNewer) }
        heldSeq = seq
        emit(seq, .held)
    }
}

/// The state of the app that determines what iOS does with a notification.
struct AppSituation {
    let state: AppState
    let allowsNotifications: Bool

    init(_ delivery: AppDelivery) {
        state = delivery.appState
        allowsNotifications = delivery.allowsNotifications
    }
}
