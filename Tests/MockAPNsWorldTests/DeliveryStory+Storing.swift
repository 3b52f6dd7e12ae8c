@testable import MockAPNsWorld

extension DeliveryStory {
    private static let offline = AppDelivery(isOnline: false)

    /// What waits, and what happens when the device is back.
    static let storing: [DeliveryStory] = [
        DeliveryStory(
            "offline, three pushes, online: exactly the last",
            [
                (.offline, ""), (.push(1), "1 storedDeviceOffline"),
                (.push(2), "1 discardedCollapsed, 2 storedDeviceOffline"),
                (.push(3), "2 discardedCollapsed, 3 storedDeviceOffline"), (.look, "stored 3 for 720.0 h"),
                (.online, "3 deliveredFromStorage"), (.look, ""), (.offline, ""), (.online, ""),
            ]),
        DeliveryStory(
            "the newest replaces what waits, of whatever kind, priority and collapse id", from: offline,
            [
                (.push(1, .id("a")), "1 storedDeviceOffline"),
                (.push(2, .id("b")), "1 discardedCollapsed, 2 storedDeviceOffline"),
                (.push(3, .id("b")), "2 discardedCollapsed, 3 storedDeviceOffline"),
                (.push(4, .one), "3 discardedCollapsed, 4 storedDeviceOffline"),
                (.push(5, .background), "4 discardedCollapsed, 5 storedDeviceOffline"),
                (.push(6, .voip), "5 discardedCollapsed, 6 storedDeviceOffline"), (.online, "6 deliveredFromStorage"),
            ]),
        DeliveryStory(
            "one that may not wait does not replace what waits", from: offline,
            [
                (.push(1, .id("a")), "1 storedDeviceOffline"), (.push(2, .alert.with(.zero)), "2 discardedExpired"),
                (.push(3, .until(-second)), "3 discardedExpired"),
                (.push(4, Push(expiration: .zero, collapse: "a")), "4 discardedExpired"),
                (.online, "1 deliveredFromStorage"),
            ]),
        DeliveryStory(
            "what was stored offline is stored again, for the other reason, when the device comes to save power",
            from: offline,
            [
                (.push(1, .five), "1 storedDeviceOffline"), (.onlineSavingPower(true), "1 storedPowerConsiderations"),
                (.offline, "1 storedDeviceOffline"), (.offline, ""), (.online, "1 storedPowerConsiderations"),
                (.savesPower(true), ""), (.savesPower(false), "1 deliveredFromStorage"),
            ]),
        DeliveryStory(
            "priority 10 reaches a device that comes online to save power",
            from: AppDelivery(isOnline: false, savesPower: true),
            [
                (.push(1), "1 storedDeviceOffline"), (.online, "1 deliveredFromStorage"),
                (.push(2, .one), "2 storedPowerConsiderations"), (.look, "stored 2 for 720.0 h"),
            ]),
        DeliveryStory(
            "the priority that counts is that of the one that waits",
            from: AppDelivery(isOnline: false, savesPower: true),
            [
                (.push(1), "1 storedDeviceOffline"), (.push(2, .five), "1 discardedCollapsed, 2 storedDeviceOffline"),
                (.online, "2 storedPowerConsiderations"), (.offline, "2 storedDeviceOffline"),
                (.push(3), "2 discardedCollapsed, 3 storedDeviceOffline"), (.online, "3 deliveredFromStorage"),
            ]),
        DeliveryStory(
            "an offline device that stops saving power is still offline",
            from: AppDelivery(isOnline: false, savesPower: true),
            [
                (.push(1, .five), "1 storedDeviceOffline"), (.savesPower(false), ""), (.savesPower(true), ""),
                (.savesPower(false), ""), (.online, "1 deliveredFromStorage"),
            ]),
        DeliveryStory(
            "what the service gives up is gone", from: offline,
            [
                (.abandon, ""), (.push(1), "1 storedDeviceOffline"), (.abandon, "1 discardedInactive"), (.abandon, ""),
                (.look, ""), (.online, ""), (.push(2), "2 delivered"),
            ]),
        DeliveryStory(
            "storing begins anew each time the device is offline",
            [
                (.offline, ""), (.push(1), "1 storedDeviceOffline"), (.online, "1 deliveredFromStorage"),
                (.push(2), "2 delivered"), (.offline, ""), (.push(3), "3 storedDeviceOffline"),
                (.push(4), "3 discardedCollapsed, 4 storedDeviceOffline"), (.online, "4 deliveredFromStorage"),
            ]),
    ]
}
