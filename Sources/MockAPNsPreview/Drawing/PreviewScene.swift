internal import MockAPNsFormats
package import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

/// The content of a picture, independent of the view that draws it.
package struct PreviewScene {
    typealias Group = (top: NotificationPreview, count: Int)
    typealias EmptyState = (headline: String, sentence: String)

    private static let mostGroups = 8

    package let preview: NotificationPreview
    let appState: AppState?
    let timeZone: UTCOffset
    private(set) var groups: [Group] = []
    private(set) var furtherGroups = 0
    /// The time of the newest notification in Notification Center.
    private(set) var latest: Timestamp?

    package init(preview: NotificationPreview, appState: AppState?, timeZone: UTCOffset = .utc) {
        self.preview = preview
        self.appState = appState
        self.timeZone = timeZone
    }

    /// Fills Notification Center with the notifications that a device received, newest first.
    ///
    /// They are grouped by app and thread, or by app alone if they have no thread (documented). The group of the
    /// previewed push is always there, with this push on top, also if iOS would show a newer one there.
    package mutating func group(_ arrived: [PushFacts], preview: (PushFacts) -> NotificationPreview) {
        var places: [[String?]: Int] = [:]
        var found: [(top: PushFacts, count: Int)] = []
        for facts in arrived {
            let app = PreviewedApp(topic: facts.record.request[.apnsTopic])
            let key = [app.bundleID, facts.reading.threadID]
            if let place = places[key] {
                found[place].count += 1
                if isPushed(facts) { found[place].top = facts }
            } else {
                places[key] = found.count
                found.append((facts, 1))
            }
        }
        for (place, group) in found.enumerated() where place < Self.mostGroups || isPushed(group.top) {
            groups.append((preview(group.top), group.count))
        }
        furtherGroups = found.count - groups.count
        latest = arrived.map(\.record.clockTime).max()
    }

    package var isShown: Bool { preview.isShown(in: appState ?? .background) }

    func isPushed(_ other: PushFacts) -> Bool {
        (other.record.epoch, other.record.seq) == (preview.facts.record.epoch, preview.facts.record.seq)
    }

    var emptyState: EmptyState {
        if !preview.outcome.allowsNotifications, preview.kind == .alert || preview.kind == .quiet {
            return ("Nothing is shown", "The user has turned notifications off for the app.")
        }
        guard let appState, let headline = Self.headline(preview.reaction(in: appState), preview) else {
            return (preview.headline, preview.summary)
        }
        return (headline, preview.reaction(in: appState).summary)
    }

    private static func headline(_ reaction: Reaction, _ preview: NotificationPreview) -> String? {
        switch (reaction.presentation, preview.kind) {
        case (_, .broken), (_, .channels), (_, .unknown), (_, .nothing), (_, .ignored): nil
        case (.held, _): "No UI: it waits for the app"
        case (.dropped, _): "No UI: it is thrown away"
        case (.none, .alert), (.none, .quiet): "No banner: the app decides"
        default: preview.headline
        }
    }

    var clock: PreviewClock { PreviewClock(latest ?? preview.facts.record.clockTime, timeZone) }

    /// The picture's text alternative, for accessibility.
    package var description: String {
        guard isShown else { return "\(emptyState.headline). \(emptyState.sentence)" }
        var parts = [preview.app.name]
        if preview.kind == .voip { parts += [preview.kind.row.headline, preview.call.name] }
        parts += [preview.title, preview.subtitle, preview.body].compactMap { $0?.text }
        parts += preview.activity?.entries.prefix(12).map { "\($0.name): \($0.value)" } ?? []
        if preview.kind == .alert, let actions = preview.actions, !actions.isEmpty {
            parts.append("Buttons: " + actions.map(\.title).joined(separator: ", "))
        }
        parts += preview.chips.map(\.name)
        return String(parts.filter { !$0.isEmpty }.joined(separator: ". ").prefix(600))
    }
}
