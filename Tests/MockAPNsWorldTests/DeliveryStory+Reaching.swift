@testable import MockAPNsWorld

extension DeliveryStory {
    private static let saving = AppDelivery(savesPower: true)

    /// Which notifications reach the device at once.
    static let reaching: [DeliveryStory] = [
        DeliveryStory(
            "an online device gets everything at once, whatever the expiration",
            [
                (.push(1), "1 delivered"), (.push(2, .five), "2 delivered"), (.push(3, .one), "3 delivered"),
                (.push(4, .alert.with(.zero)), "4 delivered"), (.push(5, .until(-hour)), "5 delivered"),
                (.push(6, .until(hour)), "6 delivered"), (.push(7, .until(365 * day)), "7 delivered"),
                (.push(8, .voip), "8 delivered"), (.push(9, .background), "9 delivered"), (.look, ""),
            ]),
        DeliveryStory(
            "going offline and online again brings nothing that was delivered",
            [(.push(1), "1 delivered"), (.offline, ""), (.online, ""), (.clock(31 * day), "")]),
        DeliveryStory(
            "a device that saves power gets priority 10 only", from: saving,
            [
                (.push(1), "1 delivered"), (.push(2, .five), "2 storedPowerConsiderations"),
                (.push(3, .one), "2 discardedCollapsed, 3 storedPowerConsiderations"), (.push(4, .voip), "4 delivered"),
                (.look, "stored 3 for 720.0 h"), (.savesPower(false), "3 deliveredFromStorage"), (.look, ""),
            ]),
        DeliveryStory(
            "what saving power keeps back is not stored when it may not wait", from: saving,
            [
                (.push(1, .five.with(.zero)), "1 discardedExpired"),
                (.push(2, .one.with(.offset(-second))), "2 discardedExpired"),
                (.push(3, .alert.with(.zero)), "3 delivered"), (.savesPower(false), ""),
            ]),
        DeliveryStory(
            "an offline device gets nothing of any priority", from: AppDelivery(isOnline: false),
            [
                (.push(1), "1 storedDeviceOffline"), (.push(2, .five), "1 discardedCollapsed, 2 storedDeviceOffline"),
                (.push(3, .one), "2 discardedCollapsed, 3 storedDeviceOffline"),
                (.push(4, .voip), "3 discardedCollapsed, 4 storedDeviceOffline"),
                (.push(5, .background), "4 discardedCollapsed, 5 storedDeviceOffline"),
            ]),
        DeliveryStory(
            "an offline device that saves power is offline first", from: AppDelivery(isOnline: false, savesPower: true),
            [(.push(1), "1 storedDeviceOffline"), (.push(2, .five), "1 discardedCollapsed, 2 storedDeviceOffline")]),
        // Inferred: Apple only says that the newer replaces the older where it is shown.
        DeliveryStory(
            "a notification that gets through takes the place of a waiting one of the same collapse id", from: saving,
            [
                (.push(1, Push(priority: .powerConsidering, collapse: "a")), "1 storedPowerConsiderations"),
                (.push(2, .id("b")), "2 delivered"), (.push(3), "3 delivered"), (.look, "stored 1 for 720.0 h"),
                (.push(4, .id("a")), "1 discardedCollapsed, 4 delivered"), (.push(5, .id("a")), "5 delivered"),
                (.savesPower(false), ""),
            ]),
        DeliveryStory(
            "notifications without a collapse id have nothing in common", from: saving,
            [
                (.push(1, .five), "1 storedPowerConsiderations"), (.push(2), "2 delivered"),
                (.savesPower(false), "1 deliveredFromStorage"),
            ]),
        DeliveryStory(
            "the collapse id of one that waited is forgotten with it", from: saving,
            [
                (.push(1, Push(priority: .powerConsidering, collapse: "a")), "1 storedPowerConsiderations"),
                (.push(2, .five), "1 discardedCollapsed, 2 storedPowerConsiderations"),
                (.push(3, .id("a")), "3 delivered"), (.look, "stored 2 for 720.0 h"),
            ]),
        DeliveryStory(
            "delivered notifications of one collapse id are both delivered; the device replaces what it shows",
            [(.push(1, .id("a")), "1 delivered"), (.push(2, .id("a")), "2 delivered")]),
    ]
}
