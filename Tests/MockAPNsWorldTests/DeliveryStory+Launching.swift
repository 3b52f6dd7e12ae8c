@testable import MockAPNsWorld

extension DeliveryStory {
    private static let terminated = AppDelivery(appState: .terminated)

    /// What the device does with a background notification, by what the app is doing.
    static let launching: [DeliveryStory] = [
        DeliveryStory(
            "an app that runs gets a background notification", from: AppDelivery(appState: .foreground),
            [
                (.push(1, .background), "1 delivered"), (.app(.background), ""), (.push(2, .background), "2 delivered"),
                (.look, ""),
            ]),
        DeliveryStory(
            "one that does not run gets the newest background notification when it is launched", from: terminated,
            [
                (.push(1, .background), "1 delivered, 1 held"),
                (.push(2, .background), "2 delivered, 1 droppedNewer, 2 held"),
                (.push(3, .background), "3 delivered, 2 droppedNewer, 3 held"), (.look, "held 3"),
                (.app(.foreground), "3 handedOver"), (.look, ""), (.app(.terminated), ""), (.app(.foreground), ""),
            ]),
        DeliveryStory(
            "launched behind other apps, it gets it as well", from: terminated,
            [
                (.push(1, .background), "1 delivered, 1 held"), (.app(.terminated), ""), (.look, "held 1"),
                (.app(.background), "1 handedOver"),
            ]),
        DeliveryStory(
            "what is held is dropped when the user ends the app", from: terminated,
            [
                (.push(1, .background), "1 delivered, 1 held"), (.app(.forceQuit), "1 droppedForceQuit"), (.look, ""),
                (.app(.foreground), ""),
            ]),
        DeliveryStory(
            "an app that the user ended gets no background notification until it is opened",
            from: AppDelivery(appState: .forceQuit),
            [
                (.push(1, .background), "1 delivered, 1 droppedForceQuit"), (.look, ""), (.app(.foreground), ""),
                (.push(2, .background), "2 delivered"),
            ]),
        DeliveryStory(
            "alerts and calls need no running app", from: terminated,
            [
                (.push(1), "1 delivered"), (.push(2, .voip), "2 delivered"), (.app(.forceQuit), ""),
                (.push(3), "3 delivered"), (.push(4, .voip), "4 delivered"), (.look, ""),
            ]),
        DeliveryStory(
            "alerts leave what is held alone", from: terminated,
            [
                (.push(1, .background), "1 delivered, 1 held"), (.push(2), "2 delivered"),
                (.push(3, .voip), "3 delivered"), (.look, "held 1"), (.app(.foreground), "1 handedOver"),
            ]),
        DeliveryStory(
            "what comes from storage meets the app as it is then", from: AppDelivery(isOnline: false),
            [
                (.push(1, .background), "1 storedDeviceOffline"), (.app(.terminated), ""),
                (.online, "1 deliveredFromStorage, 1 held"), (.offline, ""),
                (.push(2, .background), "2 storedDeviceOffline"), (.look, "stored 2 for 720.0 h, held 1"),
                (.online, "2 deliveredFromStorage, 1 droppedNewer, 2 held"), (.offline, ""),
                (.push(3, .background), "3 storedDeviceOffline"), (.app(.forceQuit), "2 droppedForceQuit"),
                (.online, "3 deliveredFromStorage, 3 droppedForceQuit"), (.offline, ""),
                (.push(4, .background), "4 storedDeviceOffline"), (.app(.foreground), ""),
                (.online, "4 deliveredFromStorage"),
            ]),
        DeliveryStory(
            "an alert from storage is not held, also after a background notification was stored",
            from: AppDelivery(isOnline: false, appState: .terminated),
            [
                (.push(1, .background), "1 storedDeviceOffline"),
                (.push(2), "1 discardedCollapsed, 2 storedDeviceOffline"), (.online, "2 deliveredFromStorage"),
                (.look, ""),
            ]),
        DeliveryStory(
            "the app changes while the device is offline: what is held is with the device", from: terminated,
            [
                (.push(1, .background), "1 delivered, 1 held"), (.offline, ""),
                (.push(2, .background), "2 storedDeviceOffline"), (.app(.foreground), "1 handedOver"),
                (.look, "stored 2 for 720.0 h"), (.online, "2 deliveredFromStorage"),
            ]),
        DeliveryStory(
            "a background notification with priority 10, where that is let through, is held all the same",
            from: AppDelivery(savesPower: true, appState: .terminated),
            [
                (.push(1, Push(kind: .background)), "1 delivered, 1 held"),
                (.push(2, .background), "2 storedPowerConsiderations"), (.look, "stored 2 for 720.0 h, held 1"),
                (.savesPower(false), "2 deliveredFromStorage, 1 droppedNewer, 2 held"),
            ]),
    ]
}
