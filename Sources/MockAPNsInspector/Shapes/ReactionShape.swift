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

    var json: JSONValue {
        [
            "appState": .string(appState.name),
            "summary": .string(reaction.summary),
            "presentation": .string(reaction.presentation.rawValue),
            "callbacks": .array(reaction.callbacks.map { .string($0.rawValue) }),
        ]
    }
}

extension Reaction.Traits {
    /// What the `aps` of a payload asks for.
    init(aps: JSONValue?) {
        self = []
        if AlertText(aps?["alert"]).hasText { insert(.alert) }
        if case .integer? = aps?["badge"] { insert(.badge) }
        switch aps?["sound"] {
        case .string(let name)? where !name.isEmpty: insert(.sound)
        case .object?: insert(.sound)
        default: break
        }
        if aps?["content-available"] == .integer(1) { insert(.contentAvailable) }
        if aps?["mutable-content"] == .integer(1) { insert(.mutableContent) }
    }
}
