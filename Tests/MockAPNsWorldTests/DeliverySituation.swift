@testable import MockAPNsWorld

/// Everything that decides what becomes of one notification, and what the documents say becomes of it.
///
/// The situations are all combinations; what is expected comes from tables of a few rows, of which the first that
/// fits holds.
struct DeliverySituation: Sendable {
    /// Facts of a situation, or conditions of a row.
    struct Facts: OptionSet, Sendable {
        let rawValue: UInt32

        private static func bit(_ number: UInt32) -> Facts { Facts(rawValue: 1 << number) }

        static let online = bit(0)
        static let offline = bit(1)
        static let fullPower = bit(2)
        static let savingPower = bit(3)
        static let foreground = bit(4)
        static let background = bit(5)
        static let terminated = bit(6)
        static let forceQuit = bit(7)
        static let alert = bit(8)
        static let silent = bit(9)
        static let call = bit(10)
        static let priority10 = bit(11)
        static let priority5 = bit(12)
        static let priority1 = bit(13)
        static let expiresNever = bit(14)
        static let expiresAtOnce = bit(15)
        static let expiredBefore = bit(16)
        static let expiresInAnHour = bit(17)
        static let expiresInAYear = bit(18)
        static let collapseID = bit(19)
        static let noCollapseID = bit(20)
        static let nothingWaits = bit(21)
        static let anotherWaits = bit(22)
        static let sameWaits = bit(23)
        static let allowed = bit(24)
        static let forbidden = bit(25)
        static let installed = bit(26)
        static let gone = bit(27)
    }

    typealias Table = [(when: Facts, then: String)]

    /// What can be told apart, one choice of each.
    private static let choices: [[Facts]] = [
        [.online, .offline], [.fullPower, .savingPower], [.foreground, .background, .terminated, .forceQuit],
        [.alert, .silent, .call], [.priority10, .priority5, .priority1],
        [.expiresNever, .expiresAtOnce, .expiredBefore, .expiresInAnHour, .expiresInAYear],
        [.collapseID, .noCollapseID], [.nothingWaits, .anotherWaits, .sameWaits], [.allowed, .forbidden],
        [.installed, .gone],
    ]

    let facts: Facts

    /// Every situation that can be; nothing waits for a device that is online and saves no power.
    static let all: [DeliverySituation] = choices.reduce([Facts()]) { combined, choices in
        combined.flatMap { facts in choices.map { facts.union($0) } }
    }.filter { !$0.contains([.online, .fullPower]) || $0.contains(.nothingWaits) }.map { DeliverySituation(facts: $0) }

    // MARK: What the documents say

    /// What becomes of a push that is accepted now.
    private static let fates: Table = [
        ([.gone, .online], "discardedTokenUnregistered"), ([.alert, .forbidden], "discardedDisabled"),
        ([.online, .fullPower], "delivered"), ([.online, .savingPower, .priority10], "delivered"),
        ([.expiresAtOnce], "discardedExpired"), ([.expiredBefore], "discardedExpired"),
        ([.offline], "storedDeviceOffline"), ([.online], "storedPowerConsiderations"),
    ]

    /// What becomes of it once the device is online again and saves no power.
    private static let returns: Table = [
        ([.gone], "discardedTokenUnregistered"), ([.alert, .forbidden], "discardedDisabled"),
        ([], "deliveredFromStorage"),
    ]

    /// What the device does with it.
    private static let landings: Table = [
        ([.silent, .terminated], "held"), ([.silent, .forceQuit], "droppedForceQuit"), ([], ""),
    ]

    /// How many hours it waits.
    private static let waits: Table = [([.expiresInAnHour], "1"), ([], "720")]

    private func look(_ table: Table) -> String { table.first { facts.isSuperset(of: $0.when) }?.then ?? "?" }

    private var isDelivered: Bool { look(Self.fates) == "delivered" }
    private var isStored: Bool { look(Self.fates).hasPrefix("stored") }

    /// What waits afterwards, if anything: 1 is an older alert, 2 the push.
    private var waiting: Int? {
        if isStored { return 2 }
        if facts.contains(.nothingWaits) { return nil }
        return isDelivered && facts.contains([.sameWaits, .collapseID]) ? nil : 1
    }

    /// What is expected when the push comes.
    var expectedNow: String {
        let fate = look(Self.fates)
        var events: [String] = []
        if waiting != 1, !facts.contains(.nothingWaits) { events.append("1 discardedCollapsed") }
        events.append("2 \(fate)")
        if isDelivered { events += landing }
        if fate == "discardedTokenUnregistered" { events.append("gone") }
        return events.joined(separator: ", ")
    }

    /// What is expected when the device is back after that.
    var expectedOnReturn: String {
        guard let waiting else { return "" }
        // The older one is an alert; what else it needs is the same.
        let asked = waiting == 2 ? self : Self(facts: facts.subtracting([.silent, .call]).union(.alert))
        let fate = asked.look(Self.returns)
        var events = ["\(waiting) \(fate)"]
        if fate == "deliveredFromStorage", waiting == 2 { events += landing }
        if fate == "discardedTokenUnregistered" { events.append("gone") }
        return events.joined(separator: ", ")
    }

    /// What is expected when nothing happens but the end of the time it may wait, and how many hours that is.
    var expectedInTime: (hours: Int64, event: String)? {
        guard let waiting else { return nil }
        let hours = waiting == 2 ? Int64(look(Self.waits)) ?? 0 : 720
        return (hours, "\(waiting) discardedExpired")
    }

    private var landing: [String] {
        let landing = look(Self.landings)
        return landing.isEmpty ? [] : ["2 \(landing)"]
    }
}

extension DeliverySituation {
    /// An app in this situation, ready for the push.
    var player: DeliveryStory.Player {
        let app = AppDelivery(
            isOnline: facts.contains(.online), savesPower: facts.contains(.savingPower), appState: appState)
        var player = DeliveryStory.Player(app: app)
        let id = facts.contains(.sameWaits) ? "same" : "other"
        if !facts.contains(.nothingWaits) {
            _ = player.play(.push(1, .init(priority: .powerConsidering, collapse: id)))
        }
        _ = player.play(.permission(facts.contains(.allowed)))
        if facts.contains(.gone) { _ = player.play(.uninstall(isNoticed: false)) }
        return player
    }

    var push: DeliveryStory.Push {
        DeliveryStory.Push(
            kind: facts.contains(.alert) ? .alert : facts.contains(.silent) ? .background : .voip,
            priority: facts.contains(.priority10)
                ? .immediate : facts.contains(.priority5) ? .powerConsidering : .powerFirst, expiration: expiration,
            collapse: facts.contains(.collapseID) ? "same" : "")
    }

    private var appState: AppState {
        if facts.contains(.foreground) { return .foreground }
        if facts.contains(.background) { return .background }
        return facts.contains(.terminated) ? .terminated : .forceQuit
    }

    private var expiration: DeliveryStory.ExpirationHeader {
        if facts.contains(.expiresNever) { return .absent }
        if facts.contains(.expiresAtOnce) { return .zero }
        if facts.contains(.expiredBefore) { return .offset(-DeliveryStory.hour) }
        return .offset(facts.contains(.expiresInAnHour) ? DeliveryStory.hour : 365 * DeliveryStory.day)
    }
}

extension DeliverySituation: CustomStringConvertible {
    private static let names = [
        "online", "offline", "full power", "saving power", "foreground", "background", "terminated", "force-quit",
        "alert", "background push", "voip", "priority 10", "priority 5", "priority 1", "no expiration", "expiration 0",
        "expired", "expires in an hour", "expires in a year", "collapse id", "no collapse id", "nothing waits",
        "another waits", "one of the same id waits", "allowed", "forbidden", "installed", "gone",
    ]

    var description: String {
        Self.names.indices.filter { facts.rawValue >> UInt32($0) & 1 == 1 }.map { Self.names[$0] }.joined(
            separator: ", ")
    }
}
