internal import MockAPNsFormats
internal import MockAPNsRules

/// Store and forward for the notifications of one app on one device, as a pure value.
///
/// It has no clock: callers pass the time. Every step is reported through `emit`, with the number of the
/// notification and the event. Documented, unless stated otherwise:
/// https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns and
/// .../viewing-the-status-of-push-notifications-using-metrics-and-apns.
struct AppDelivery: Equatable, Sendable {
    typealias Emit = (UInt64, DeliveryEvent) -> Void

    // There may be a million of these, so small properties are adjacent to save memory.

    /// The number of the background notification that the device holds until the app is launched.
    private(set) var held: UInt64?
    private(set) var isOnline = true
    private(set) var savesPower = false
    private(set) var appState = AppState.background
    var allowsNotifications = true
    /// Whether the app is installed; the service may not know yet that it is not.
    private(set) var isInstalled = true
    private(set) var storedFor = DeliveryEvent.storedDeviceOffline
    /// Whether the stored notification was sent before the app was uninstalled, so that it tells the service nothing.
    private(set) var isWaitingOlder = false
    private(set) var waiting: Notification?

    /// What the journal notes of the app when a notification arrives.
    var situation: (state: AppState, allowsNotifications: Bool) { (appState, allowsNotifications) }
    var stored: UInt64? { waiting?.seq }
    /// The time until which it is stored, in microseconds of the world's clock.
    var storedUntil: Int64? { waiting?.storableUntil }

    /// Returns whether the device reported that the app is uninstalled.
    mutating func receive(
        _ notification: Notification, at now: Timestamp,
        ifUninstalled event: DeliveryEvent = .discardedTokenUnregistered, _ emit: Emit
    ) -> Bool {
        if isOnline, !isInstalled {
            emit(notification.seq, event)
            return true
        }
        if notification.needsPermission, !allowsNotifications {
            emit(notification.seq, .discardedDisabled)
            return false
        }
        if isReachable(with: notification.priority) {
            // Inferred: the stored notification must not later replace the newer one with its collapse ID.
            if notification.collapse != 0, waiting?.collapse == notification.collapse {
                discardStored(.discardedCollapsed, emit)
            }
            land(notification, .delivered, emit)
            return false
        }
        guard notification.isStorable(at: now) else {
            emit(notification.seq, .discardedExpired)
            return false
        }
        discardStored(.discardedCollapsed, emit)
        waiting = notification
        isWaitingOlder = false
        storedFor = waitingEvent
        emit(notification.seq, storedFor)
        return false
    }

    /// Returns whether the device reported that the app is uninstalled.
    mutating func deviceChanged(
        isOnline: Bool, savesPower: Bool, at now: Timestamp,
        ifUninstalled event: DeliveryEvent = .discardedTokenUnregistered, _ emit: Emit
    ) -> Bool {
        self.isOnline = isOnline
        self.savesPower = savesPower
        guard let waiting else { return false }
        if !waiting.isStorable(at: now) {
            discardStored(.discardedExpired, emit)
        } else if isOnline, !isInstalled {
            let tellsNothing = event == .discardedUninstalled && isWaitingOlder
            discardStored(event, emit)
            return !tellsNothing
        } else if isReachable(with: waiting.priority) {
            self.waiting = nil
            isWaitingOlder = false
            if waiting.needsPermission, !allowsNotifications {
                emit(waiting.seq, .discardedDisabled)
            } else {
                land(waiting, .deliveredFromStorage, emit)
            }
        } else if storedFor != waitingEvent {
            storedFor = waitingEvent
            emit(waiting.seq, storedFor)
        }
        return false
    }

    mutating func appChanged(to state: AppState, _ emit: Emit) {
        appState = state
        if state != .terminated { releaseHeld(state == .forceQuit ? .droppedForceQuit : .handedOver, emit) }
    }

    mutating func expire(at now: Timestamp, _ emit: Emit) {
        if let waiting, !waiting.isStorable(at: now) { discardStored(.discardedExpired, emit) }
    }

    /// With `isNoticed`, the service knows immediately, and discards the stored notification.
    mutating func uninstall(isNoticed: Bool, _ emit: Emit) {
        isInstalled = false
        isWaitingOlder = waiting != nil
        releaseHeld(.droppedUninstalled, emit)
        if isNoticed { discardStored(.discardedTokenUnregistered, emit) }
    }

    mutating func reinstall() {
        isInstalled = true
        isWaitingOlder = false
    }

    private var waitingEvent: DeliveryEvent { isOnline ? .storedPowerConsiderations : .storedDeviceOffline }

    private func isReachable(with priority: Priority) -> Bool { isOnline && (!savesPower || priority == .immediate) }

    mutating func discardStored(_ event: DeliveryEvent, _ emit: Emit) {
        guard let seq = stored else { return }
        waiting = nil
        isWaitingOlder = false
        emit(seq, event)
    }

    private mutating func releaseHeld(_ event: DeliveryEvent, _ emit: Emit) {
        guard let seq = held else { return }
        held = nil
        emit(seq, event)
    }

    /// Handles the arrival on the device, which holds a background notification until the app can take it.
    private mutating func land(_ notification: Notification, _ event: DeliveryEvent, _ emit: Emit) {
        emit(notification.seq, event)
        guard notification.isBackground, !appState.isRunning else { return }
        if appState == .forceQuit {
            emit(notification.seq, .droppedForceQuit)
            return
        }
        // Documented: the system holds only the newest background notification.
        releaseHeld(.droppedNewer, emit)
        held = notification.seq
        emit(notification.seq, .held)
    }
}

/// The parts of a push that affect storing and delivering its notification.
struct Notification: Equatable {
    /// Documented: 30 days, or until `apns-expiration` if that is sooner; in microseconds.
    static let longestStorage: Int64 = 30 * 86_400 * 1_000_000

    var seq: UInt64
    /// A number for the collapse ID; 0 for none.
    var collapse: UInt64 = 0
    /// In microseconds of the world's clock; `nil` if it may not be stored.
    var storableUntil: Int64?
    var priority = Priority.immediate
    /// Whether it is a background notification, for which the app must run.
    var isBackground = false
    var needsPermission = true
    /// Whether it belongs to a Live Activity, which it may start on a channel.
    var isActivity = false

    func isStorable(at now: Timestamp) -> Bool { storableUntil.map { $0 > now.microseconds } ?? false }

    /// Returns until when a push received at `now` may be stored, according to its `apns-expiration`.
    ///
    /// Documented: 30 days if the header is absent, one attempt for 0, otherwise until that time and at most
    /// 30 days. Observed: a time in the past has the effect of 0.
    static func storableUntil(_ expiration: Expiration?, at now: Timestamp) -> Int64? {
        let latest = now.microseconds + longestStorage
        guard let expiration else { return latest }
        guard expiration.seconds > 0 else { return nil }
        let (end, overflow) = expiration.seconds.multipliedReportingOverflow(by: 1_000_000)
        if overflow { return latest }
        return end <= now.microseconds ? nil : min(end, latest)
    }
}

/// By hand, because there may be a million.
extension AppDelivery: Archived {
    func write(to archive: inout ArchiveWriter) {
        archive.write(held)
        archive.write(isOnline)
        archive.write(savesPower)
        archive.write(appState)
        archive.write(allowsNotifications)
        archive.write(isInstalled)
        archive.write(storedFor == .storedPowerConsiderations)
        archive.write(waiting)
        if waiting != nil { archive.write(isWaitingOlder) }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        held = try archive.read()
        isOnline = try archive.read()
        savesPower = try archive.read()
        appState = try archive.read()
        allowsNotifications = try archive.read()
        isInstalled = try archive.read()
        storedFor = try archive.read(Bool.self) ? .storedPowerConsiderations : .storedDeviceOffline
        waiting = try archive.read()
        if waiting != nil { isWaitingOlder = try archive.read() }
    }
}

extension Notification: MemberwiseArchived {
    static let format = ArchiveFormat(
        changing: Notification(seq: 0), \.seq, \.collapse, \.storableUntil, \.priority, \.isBackground,
        \.needsPermission, \.isActivity)
}
