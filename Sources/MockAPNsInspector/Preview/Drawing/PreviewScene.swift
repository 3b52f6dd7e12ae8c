internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// What a picture shows, apart from how.
struct PreviewScene {
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

    let preview: NotificationPreview
    /// What the app is doing; `nil` where nobody has asked for a state.
    let appState: AppState?
    /// Notification Center of the device, newest first.
    var groups: [Group] = []
    /// How many groups there are besides.
    var furtherGroups = 0

    /// What there is to draw where nobody has said what the app is doing: one that is not looked at.
    private var drawnState: AppState { appState ?? .background }

    /// Whether there is a notification to be drawn.
    var isShown: Bool { preview.isShown(in: drawnState) }

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
    var description: String {
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
