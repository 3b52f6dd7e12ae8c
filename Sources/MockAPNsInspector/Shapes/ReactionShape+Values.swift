internal import MockAPNsAPI
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// What iOS did with a notification when it reached the device.
struct DeviceReaction {
    let appState: AppState
    /// The row of the world's table.
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
}

extension APIObject<ReactionShape> {
    /// The reaction of a device.
    init(_ shown: DeviceReaction) {
        self.init()
        self.appState = shown.appState.name
        self.callbacks = shown.reaction.callbacks.map(\.rawValue)
        self.presentation = shown.reaction.presentation.rawValue
        self.summary = shown.reaction.summary
    }
}
