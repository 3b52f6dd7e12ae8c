internal import MockAPNsFormats
package import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

/// What a picture shows, apart from how.
package struct PreviewScene {
    /// Notifications of one app and one thread, which lie on each other.
    struct Group {
        /// The newest of them.
        let top: NotificationPreview
        /// How many there are.
        var count: Int
    }

    /// What stands in the place of a notification that there is none of.
    struct Placard {
        let headline: String
        let sentence: String
    }

    /// More groups than this are on no screen.
    private static let mostGroups = 8

    /// The push that the picture is of.
    package let preview: NotificationPreview
    /// What the app is doing; `nil` where nobody has asked for a state.
    let appState: AppState?
    /// Notification Center of the device, newest first.
    private(set) var groups: [Group] = []
    /// How many groups there are besides.
    private(set) var furtherGroups = 0

    /// A scene with nothing in Notification Center.
    package init(preview: NotificationPreview, appState: AppState?) {
        self.preview = preview
        self.appState = appState
    }

    /// Fills Notification Center with what arrived at a device, newest first.
    ///
    /// Notifications are grouped by app and thread; without a thread, by app alone (documented).
    package mutating func group(_ arrived: [PushFacts], preview: (PushFacts) -> NotificationPreview) {
        var places: [[String]: Int] = [:]
        for facts in arrived {
            var key = [PreviewedApp(topic: facts.record.request[.apnsTopic]).bundleID]
            if case .string(let thread)? = facts.aps?["thread-id"] { key.append(thread) }
            if let place = places[key] {
                if place < groups.count { groups[place].count += 1 }
                continue
            }
            places[key] = places.count
            guard groups.count < Self.mostGroups else {
                furtherGroups += 1
                continue
            }
            groups.append(Group(top: preview(facts), count: 1))
        }
    }

    /// What there is to draw where nobody has said what the app is doing: one that is not looked at.
    private var drawnState: AppState { appState ?? .background }

    /// Whether there is a notification to be drawn.
    package var isShown: Bool { preview.isShown(in: drawnState) }

    /// Whether a notification is that of the push which the picture is of.
    func isPushed(_ other: NotificationPreview) -> Bool {
        (other.facts.record.epoch, other.facts.record.seq)
            == (preview.facts.record.epoch, preview.facts.record.seq)
    }

    /// What is said where nothing is shown.
    var placard: Placard {
        let row = preview.kind.row
        if !preview.outcome.allowsNotifications, preview.kind == .alert || preview.kind == .quiet {
            return Placard(
                headline: "Nothing is shown",
                sentence: "The user has turned notifications off for the app."
            )
        }
        guard let appState, let headline = Self.headline(preview.reaction(in: appState), preview.kind) else {
            return Placard(headline: row.headline, sentence: row.sentence)
        }
        return Placard(headline: headline, sentence: preview.reaction(in: appState).summary)
    }

    private static func headline(_ reaction: Reaction, _ kind: PreviewKind) -> String? {
        switch (reaction.presentation, kind) {
        case (_, .broken), (_, .unknown), (_, .nothing): nil
        case (.held, _): "No UI: it waits for the app"
        case (.dropped, _): "No UI: it is thrown away"
        case (.none, .alert), (.none, .quiet): "No banner: the app decides"
        default: kind.row.headline
        }
    }

    /// When the push came, on the server's clock.
    var clock: PreviewClock { PreviewClock(preview.facts.record.clockTime) }

    /// The words of the picture, for those who do not see it.
    package var description: String {
        guard isShown else { return "\(placard.headline). \(placard.sentence)" }
        var parts = [preview.app.name]
        parts += [preview.title, preview.subtitle, preview.body].compactMap { $0?.text }
        parts += preview.activity?.entries.prefix(12).map { "\($0.name): \($0.value)" } ?? []
        if preview.kind == .alert, let actions = preview.actions, !actions.isEmpty {
            parts.append("Buttons: " + actions.map(\.title).joined(separator: ", "))
        }
        parts += preview.chips.map(\.name)
        return String(parts.filter { !$0.isEmpty }.joined(separator: ". ").prefix(600))
    }
}
