internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// What iOS would have done with a notification when it reached the device.
struct ReactionShape {
    private let appState: AppState
    /// What the world's table says.
    let reaction: Reaction

    /// `nil` for a notification that has not reached a device.
    init?(_ facts: PushFacts) {
        guard let delivery = facts.record.delivery, let appState = delivery.appState else { return nil }
        self.appState = appState
        reaction = Reaction.of(
            facts.deliveredType,
            traits: Reaction.Traits(aps: facts.aps),
            appState: appState,
            allowsNotifications: delivery.allowsNotifications
        )
    }

    var json: JSONValue { .written(by: write) }

    func write(to writer: inout JSONWriter) {
        writer.object { shown in
            shown.member("appState", appState.name)
            shown.array("callbacks", reaction.callbacks) { $0.value($1.rawValue) }
            shown.member("presentation", reaction.presentation.rawValue)
            shown.member("summary", reaction.summary)
        }
    }
}
