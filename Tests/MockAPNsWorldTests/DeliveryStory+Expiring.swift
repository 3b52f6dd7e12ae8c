@testable import MockAPNsWorld

extension DeliveryStory {
    private static let offline = AppDelivery(isOnline: false)

    /// How long a notification waits.
    static let expiring: [DeliveryStory] = [
        DeliveryStory(
            "it waits until its expiration and not longer", from: offline,
            [
                (.push(1, .until(hour)), "1 storedDeviceOffline"), (.look, "stored 1 for 1.0 h"),
                (.clock(hour - 1), ""), (.clock(hour), "1 discardedExpired"), (.look, ""), (.clock(2 * hour), ""),
                (.online, ""),
            ]),
        DeliveryStory(
            "it is delivered in the last moment before its expiration", from: offline,
            [
                (.push(1, .until(hour)), "1 storedDeviceOffline"), (.clock(hour - 1), ""),
                (.online, "1 deliveredFromStorage"), (.clock(hour), ""),
            ]),
        DeliveryStory(
            "a device that comes back too late gets nothing, also when nobody looked at the clock before",
            from: offline,
            [
                (.push(1, .until(hour)), "1 storedDeviceOffline"), (.clockUntold(hour), ""),
                (.online, "1 discardedExpired"), (.look, ""), (.push(2, .until(hour)), "2 delivered"),
            ]),
        DeliveryStory(
            "what is out of date is discarded when the device changes, though it stays unreachable", from: offline,
            [
                (.push(1, .until(hour)), "1 storedDeviceOffline"), (.clockUntold(2 * hour), ""),
                (.savesPower(true), "1 discardedExpired"), (.online, ""),
            ]),
        DeliveryStory(
            "without an expiration it waits 30 days", from: offline,
            [
                (.push(1), "1 storedDeviceOffline"), (.look, "stored 1 for 720.0 h"), (.clock(30 * day - 1), ""),
                (.clock(30 * day), "1 discardedExpired"),
            ]),
        DeliveryStory(
            "no expiration lets it wait longer than 30 days", from: offline,
            [
                (.push(1, .until(30 * day)), "1 storedDeviceOffline"), (.look, "stored 1 for 720.0 h"),
                (.push(2, .until(30 * day + second)), "1 discardedCollapsed, 2 storedDeviceOffline"),
                (.look, "stored 2 for 720.0 h"),
                (.push(3, .until(30 * day - second)), "2 discardedCollapsed, 3 storedDeviceOffline"),
                (.clock(30 * day - second), "3 discardedExpired"),
            ]),
        DeliveryStory(
            "the 30 days count from when it was sent", from: offline,
            [
                (.clock(10 * day), ""), (.push(1), "1 storedDeviceOffline"), (.look, "stored 1 for 960.0 h"),
                (.clock(30 * day), ""), (.push(2), "1 discardedCollapsed, 2 storedDeviceOffline"),
                (.clock(40 * day), ""), (.clock(60 * day - 1), ""), (.clock(60 * day), "2 discardedExpired"),
            ]),
        DeliveryStory(
            "each has its own expiration", from: offline,
            [
                (.push(1, .until(2 * hour)), "1 storedDeviceOffline"),
                (.push(2, .until(hour)), "1 discardedCollapsed, 2 storedDeviceOffline"),
                (.clock(hour), "2 discardedExpired"), (.push(3, .until(hour)), "3 discardedExpired"),
                (.push(4, .until(3 * hour)), "4 storedDeviceOffline"), (.clock(2 * hour), ""),
                (.clock(3 * hour), "4 discardedExpired"),
            ]),
        DeliveryStory(
            "one that saving power keeps back runs out as well", from: AppDelivery(savesPower: true),
            [
                (.push(1, .five.with(.offset(hour))), "1 storedPowerConsiderations"),
                (.offline, "1 storedDeviceOffline"), (.look, "stored 1 for 1.0 h"),
                (.online, "1 storedPowerConsiderations"), (.clock(hour), "1 discardedExpired"),
                (.savesPower(false), ""),
            ]),
        DeliveryStory(
            "a clock that was put back keeps what waits", from: offline,
            [
                (.push(1, .until(hour)), "1 storedDeviceOffline"), (.clock(-day), ""), (.look, "stored 1 for 1.0 h"),
                (.clock(hour), "1 discardedExpired"),
            ]),
        DeliveryStory(
            "what the device has does not run out", from: AppDelivery(appState: .terminated),
            [
                (.push(1, .background.with(.offset(hour))), "1 delivered, 1 held"), (.clock(2 * hour), ""),
                (.look, "held 1"), (.app(.foreground), "1 handedOver"),
            ]),
    ]
}
