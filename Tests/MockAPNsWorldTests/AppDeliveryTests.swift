import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// Store and forward as tables; what is expected is what the documents say.
@Suite struct AppDeliveryTests {
    typealias Header = DeliveryStory.ExpirationHeader

    private static let hour = DeliveryStory.hour
    private static let day = DeliveryStory.day

    @Test(arguments: DeliveryStory.all) func `a sequence of events ends in the expected state`(story: DeliveryStory) {
        let played = story.played()
        for (position, line) in story.lines.enumerated() where played[position] != line.expected {
            Issue.record(
                """
                line \(position + 1), \(line.step): expected '\(line.expected)', got '\(played[position])'
                """)
        }
    }

    /// Every combination of what matters, with what happens now, on return, and when the time is over.
    @Test func `each situation gives the expected events`() {
        #expect(DeliverySituation.all.count == 14_400)
        var wrong: [String] = []
        for situation in DeliverySituation.all {
            var player = situation.player
            expect(player.play(.push(2, situation.push)), situation.expectedNow, "now", situation, &wrong)

            var returning = player
            let returned = returning.play(.onlineSavingPower(false))
            expect(returned, situation.expectedOnReturn, "on return", situation, &wrong)

            guard let end = situation.expectedInTime else { continue }
            let moment = end.hours * Self.hour
            expect(player.play(.clock(moment - 1)), "", "just before it expires", situation, &wrong)
            expect(player.play(.clock(moment)), end.event, "when it expires", situation, &wrong)
        }
        #expect(wrong.isEmpty, "\(wrong.count) of them; the first: \(wrong.prefix(5))")
    }

    private func expect(
        _ got: String, _ expected: String, _ when: String, _ situation: DeliverySituation, _ wrong: inout [String]
    ) { if got != expected { wrong.append("\(situation): \(when) expected '\(expected)', got '\(got)'") } }

    /// What an `apns-expiration` means for a push that comes now: the microseconds it may wait.
    @Test(
        arguments: [
            (.absent, 30 * day), (.zero, nil), (.seconds(1), nil), (.offset(-365 * day), nil),
            (.offset(-1_000_000), nil), (.offset(0), nil), (.offset(1_000_000), 1_000_000), (.offset(hour), hour),
            (.offset(30 * day - 1_000_000), 30 * day - 1_000_000), (.offset(30 * day), 30 * day),
            (.offset(30 * day + 1_000_000), 30 * day), (.offset(365 * day), 30 * day),
            (.seconds(Int64.max / 1_000_000), 30 * day), (.seconds(Int64.max / 1_000_000 + 1), 30 * day),
            (.seconds(Int64.max), 30 * day),
        ] as [(Header, Int64?)]) func `an expiration says how long a push may wait`(header: Header, expected: Int64?)
    {
        let now = DeliveryStory.start
        let end = Notification.storableUntil(header.parsed, at: now)
        #expect(end.map { $0 - now.microseconds } == expected)
    }

    /// A second that has begun is not over: what expires in it may still wait a part of it.
    @Test func `an expiration is held against the microsecond`() {
        let second = DeliveryStory.start.microseconds
        let header = Header.offset(0).parsed
        #expect(Notification.storableUntil(header, at: Timestamp(microseconds: second - 1)) == second)
        #expect(Notification.storableUntil(header, at: Timestamp(microseconds: second)) == nil)
        #expect(Notification.storableUntil(header, at: Timestamp(microseconds: second + 1)) == nil)
    }

    /// A push that is stored is held against the clock once more, in case it was read earlier.
    @Test(arguments: [(-1, "storedDeviceOffline"), (0, "discardedExpired"), (1, "discardedExpired")])
    func `what is out of date on arrival is not stored`(offset: Int64, expected: String) {
        var app = AppDelivery(isOnline: false)
        var seen: [String] = []
        let end = DeliveryStory.start.microseconds
        _ = app.receive(
            Notification(seq: 1, storableUntil: end), at: Timestamp(microseconds: end + offset),
            { seen.append("\($1)") })
        #expect(seen == [expected])
    }

    @Test func `an app begins as it is described`() {
        let usual = AppDelivery()
        #expect(usual.isOnline && !usual.savesPower && usual.appState == .background)
        #expect(usual.allowsNotifications && usual.isInstalled)
        #expect(usual.stored == nil && usual.storedUntil == nil && usual.held == nil)
        for state in AppState.allCases {
            let other = AppDelivery(isOnline: false, savesPower: true, appState: state, allowsNotifications: false)
            #expect(!other.isOnline && other.savesPower && other.appState == state)
            #expect(!other.allowsNotifications && other.isInstalled)
        }
    }

    @Test func `the state follows what happens`() {
        var player = DeliveryStory.Player(app: AppDelivery())
        _ = player.play(.offline)
        #expect(!player.app.isOnline)
        _ = player.play(.onlineSavingPower(true))
        #expect(player.app.isOnline && player.app.savesPower)
        _ = player.play(.savesPower(false))
        #expect(!player.app.savesPower)
        for state in AppState.allCases {
            _ = player.play(.app(state))
            #expect(player.app.appState == state)
        }
        for isNoticed in [false, true] {
            _ = player.play(.uninstall(isNoticed: isNoticed))
            #expect(!player.app.isInstalled)
            _ = player.play(.reinstall)
            #expect(player.app.isInstalled)
        }
    }

    // MARK: Words

    /// The words of the debug API, with the state and status that stand in Apple's console.
    @Test(
        arguments: [
            (.storedDeviceOffline, "stored", "stored-device-offline", "Stored - Device Offline"),
            (.storedPowerConsiderations, "stored", "stored-power-considerations", "Stored - Power Considerations"),
            (.delivered, "delivered", "delivered", "Delivered to Device"),
            (.deliveredFromStorage, "delivered", "delivered-from-storage", "Delivered to Device (From Storage)"),
            (
                .discardedTokenUnregistered, "discarded", "discarded-token-unregistered",
                "Discarded - Token Unregistered"
            ), (.discardedExpired, "discarded", "discarded-expired", "Discarded - Expired"),
            (.discardedInactive, "discarded", "discarded-expired", "Discarded - Expired"),
            (.discardedDisabled, "discarded", "discarded-disabled", "Discarded - Disabled"),
            (.discardedCollapsed, "discarded", "discarded-collapsed", "Discarded - Collapsed"),
            (.held, "held", nil, nil), (.handedOver, "handed-over", nil, nil), (.droppedForceQuit, "dropped", nil, nil),
            (.droppedNewer, "dropped", nil, nil), (.droppedUninstalled, "dropped", nil, nil),
            (.published, "published", "published", "Published to Channel"), (.subscribed, "subscribed", nil, nil),
            (.droppedUnknownChannel, "dropped", nil, nil), (.activityStarted, "started", nil, nil),
            (.activityUpdated, "updated", nil, nil), (.activityEnded, "ended", nil, nil),
            (.activityIgnored, "ignored", nil, nil),
            (.discardedUninstalled, "discarded", "discarded-app-not-installed", "Discarded - App Not Installed"),
        ] as [(DeliveryEvent, String, String?, String?)]) func `every event has a name and a description`(
            event: DeliveryEvent, word: String, state: String?, status: String?
        )
    {
        #expect(event.row.event.description == word)
        #expect(event.row.state?.description == state)
        #expect(event.row.status?.description == status)
    }

    @Test func `all events have different names and descriptions`() {
        let shown = DeliveryEvent.allCases.map { event in "\(event.row.event) \(event.row.detail.map { "\($0)" } ?? "")"
        }
        #expect(Set(shown).count == DeliveryEvent.allCases.count)
    }

    @Test func `names are read back`() {
        #expect(AppState(rawValue: "Foreground") == nil && RegistrationState(rawValue: "") == nil)
    }
}
