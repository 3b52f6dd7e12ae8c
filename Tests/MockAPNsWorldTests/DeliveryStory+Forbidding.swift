@testable import MockAPNsWorld

extension DeliveryStory {
    private static let offline = AppDelivery(isOnline: false)
    private static let forbidden = AppDelivery(allowsNotifications: false)

    /// Notifications that are switched off, and apps that are not there any more.
    static let forbidding: [DeliveryStory] = [
        DeliveryStory(
            "where notifications are off, alerts are discarded and the rest is delivered", from: forbidden,
            [
                (.push(1), "1 discardedDisabled"), (.push(2, .background), "2 delivered"),
                (.push(3, .voip), "3 delivered"), (.permission(true), ""), (.push(4), "4 delivered"),
            ]),
        DeliveryStory(
            "an alert that is not allowed is not stored and replaces nothing", from: offline,
            [
                (.push(1, .voip), "1 storedDeviceOffline"), (.permission(false), ""), (.push(2), "2 discardedDisabled"),
                (.push(3, .alert.with(.zero)), "3 discardedDisabled"), (.push(4, .until(-hour)), "4 discardedDisabled"),
                (.online, "1 deliveredFromStorage"),
            ]),
        DeliveryStory(
            "an alert that waited is discarded when notifications were switched off in between", from: offline,
            [
                (.push(1), "1 storedDeviceOffline"), (.permission(false), ""), (.look, "stored 1 for 720.0 h"),
                (.online, "1 discardedDisabled"), (.look, ""), (.permission(true), ""), (.offline, ""), (.online, ""),
            ]),
        DeliveryStory(
            "an alert that waited is delivered when notifications are on again by then", from: offline,
            [
                (.push(1), "1 storedDeviceOffline"), (.permission(false), ""), (.permission(true), ""),
                (.online, "1 deliveredFromStorage"),
            ]),
        DeliveryStory(
            "a background notification that waited needs no permission", from: offline,
            [
                (.push(1), "1 storedDeviceOffline"),
                (.push(2, .background), "1 discardedCollapsed, 2 storedDeviceOffline"), (.permission(false), ""),
                (.online, "2 deliveredFromStorage"),
            ]),
        DeliveryStory(
            "expiry comes before permission", from: offline,
            [
                (.push(1, .until(hour)), "1 storedDeviceOffline"), (.permission(false), ""), (.clockUntold(hour), ""),
                (.online, "1 discardedExpired"),
            ]),
        DeliveryStory(
            "an online device reports an app that is gone at the first push",
            [
                (.uninstall(isNoticed: false), ""), (.push(1), "1 discardedTokenUnregistered, gone"),
                (.push(2, .background), "2 discardedTokenUnregistered, gone"), (.permission(false), ""),
                (.push(3), "3 discardedTokenUnregistered, gone"), (.reinstall, ""), (.permission(true), ""),
                (.push(4), "4 delivered"),
            ]),
        DeliveryStory(
            "an offline device reports it when it is back",
            [
                (.offline, ""), (.uninstall(isNoticed: false), ""), (.push(1), "1 storedDeviceOffline"),
                (.push(2), "1 discardedCollapsed, 2 storedDeviceOffline"),
                (.online, "2 discardedTokenUnregistered, gone"), (.look, ""), (.offline, ""), (.online, ""),
            ]),
        DeliveryStory(
            "nothing is reported when nothing waits",
            [
                (.offline, ""), (.uninstall(isNoticed: false), ""), (.push(1, .until(hour)), "1 storedDeviceOffline"),
                (.clock(hour), "1 discardedExpired"), (.online, ""),
            ]),
        DeliveryStory(
            "expiry comes before the report that the app is gone", from: offline,
            [
                (.push(1, .until(hour)), "1 storedDeviceOffline"), (.uninstall(isNoticed: false), ""),
                (.clockUntold(hour), ""), (.online, "1 discardedExpired"),
            ]),
        DeliveryStory(
            "what waits for an app that is noticed to be gone is discarded at once", from: offline,
            [
                (.push(1), "1 storedDeviceOffline"), (.uninstall(isNoticed: true), "1 discardedTokenUnregistered"),
                (.look, ""), (.online, ""),
            ]),
        DeliveryStory(
            "an app that is on the device again gets what waited", from: offline,
            [
                (.push(1), "1 storedDeviceOffline"), (.uninstall(isNoticed: false), ""),
                (.push(2), "1 discardedCollapsed, 2 storedDeviceOffline"), (.reinstall, ""),
                (.online, "2 deliveredFromStorage"),
            ]),
        DeliveryStory(
            "what the device held goes with the app, and what waits stays with the service",
            from: AppDelivery(appState: .terminated),
            [
                (.push(1, .background), "1 delivered, 1 held"), (.offline, ""),
                (.push(2, .background), "2 storedDeviceOffline"),
                (.uninstall(isNoticed: false), "1 droppedUninstalled"), (.look, "stored 2 for 720.0 h"),
                (.app(.foreground), ""), (.uninstall(isNoticed: true), "2 discardedTokenUnregistered"),
            ]),
        DeliveryStory(
            "both go when the uninstall is noticed", from: AppDelivery(savesPower: true, appState: .terminated),
            [
                (.push(1, Push(kind: .background)), "1 delivered, 1 held"),
                (.push(2, .background), "2 storedPowerConsiderations"),
                (.uninstall(isNoticed: true), "1 droppedUninstalled, 2 discardedTokenUnregistered"),
                (.uninstall(isNoticed: true), ""),
            ]),
        // Inferred: a device that is online has said which apps it has, whether or not it wants to be woken.
        DeliveryStory(
            "a device that saves power reports a missing app like any other that is online",
            from: AppDelivery(savesPower: true),
            [
                (.push(1, .five), "1 storedPowerConsiderations"), (.uninstall(isNoticed: false), ""),
                (.push(2, .five), "2 discardedTokenUnregistered, gone"), (.look, "stored 1 for 720.0 h"),
                (.offline, "1 storedDeviceOffline"), (.online, "1 discardedTokenUnregistered, gone"),
            ]),
    ]
}
