package import MockAPNsFormats
package import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

/// What iOS would show of a push: a value made of its headers, its payload and the texts of its app.
///
/// The push may have been refused: it is what would be seen, had it been taken, and `outcome` says so.
package struct NotificationPreview {
    /// Something small that the payload asks for besides its words.
    package struct Chip: Equatable {
        package let name: String
        package let meaning: String
    }

    package let facts: PushFacts
    package let kind: PreviewKind
    package let app: PreviewedApp
    /// The table that keys are looked up in.
    package let table: PreviewText.Table?
    package let title: PreviewText?
    package let subtitle: PreviewText?
    package let body: PreviewText?
    package let badge: PreviewBadge
    package let sound: PreviewSound
    package let level: InterruptionLevel
    /// What the payload says of a Live Activity; `nil` for other pushes.
    package let activity: LiveActivityPreview?
    package let outcome: PreviewOutcome
    /// The buttons of its category; `nil` where it has none, or nobody has described it.
    package let actions: [NotificationAction]?
    private let traits: Reaction.Traits

    /// - Parameters:
    ///   - facts: the push.
    ///   - strings: the texts of apps.
    ///   - categories: the buttons of apps.
    ///   - language: the language of the device; `nil` for one that nobody has named.
    package init(
        _ facts: PushFacts,
        strings: StringsTables,
        categories: NotificationCategories,
        language: LanguageTag? = nil
    ) {
        self.facts = facts
        let aps = facts.aps
        traits = Reaction.Traits(aps: aps)
        kind = PreviewKind.of(facts.deliveredType, facts, traits)
        app = PreviewedApp(topic: facts.record.request[.apnsTopic])
        table = strings.table(of: app.bundleID, for: language).map {
            PreviewText.Table(language: $0.language, texts: $0.texts)
        }
        if case .string(let category)? = aps?["category"] {
            actions = categories[NotificationCategories.Name(app: app.bundleID, category: category)]
        } else {
            actions = nil
        }
        let alert = aps?["alert"]
        if case .string(let text)? = alert {
            (title, subtitle, body) = (nil, nil, PreviewText(text: text))
        } else {
            title = PreviewText(alert, .title, table: table)
            subtitle = PreviewText(alert, .subtitle, table: table)
            body = PreviewText(alert, .body, table: table)
        }
        badge = PreviewBadge(aps?["badge"])
        // A Live Activity has its sound within its alert (documented).
        sound = PreviewSound(kind == .liveActivity ? alert?["sound"] : aps?["sound"])
        level = InterruptionLevel(aps: aps)
        activity = kind == .liveActivity ? LiveActivityPreview(aps: aps) : nil
        outcome = PreviewOutcome(facts.record)
    }

    // MARK: What the payload names

    /// A text of `aps`; `nil` for anything else.
    package func text(_ name: String) -> String? {
        guard case .string(let text)? = facts.aps?[name] else { return nil }
        return text
    }

    package var threadID: String? { text("thread-id") }
    package var category: String? { text("category") }
    package var targetContentID: String? { text("target-content-id") }

    package var launchImage: String? {
        guard case .string(let text)? = facts.aps?["alert"]?["launch-image"] else { return nil }
        return text
    }

    package var relevanceScore: JSONValue {
        facts.aps?["relevance-score"].flatMap { $0.double == nil ? nil : $0 } ?? .null
    }

    /// What the payload asks for besides, in the order in which it is shown.
    package var chips: [Chip] {
        var chips: [Chip] = []
        if level != .active { chips.append(Chip(name: level.rawValue, meaning: level.row.meaning)) }
        if sound.kind != .none {
            let name = sound.kind == .critical ? "critical" : sound.name ?? sound.kind.rawValue
            chips.append(Chip(name: "sound: \(JSONValue.shortened(name))", meaning: sound.meaning))
        }
        switch badge {
        case .unchanged: break
        case .sets(let number): chips.append(Chip(name: "badge: \(number)", meaning: badge.row.meaning))
        case .cleared: chips.append(Chip(name: "badge: cleared", meaning: badge.row.meaning))
        case .ignored: chips.append(Chip(name: "badge: ignored", meaning: badge.row.meaning))
        }
        if traits.contains(.mutableContent) {
            let meaning = "A service extension of the app may change the notification before it is shown."
            chips.append(Chip(name: "mutable-content", meaning: meaning))
        }
        if traits.contains(.contentAvailable) {
            let meaning = "The app is woken, unless the user has ended it."
            chips.append(Chip(name: "content-available", meaning: meaning))
        }
        if let category {
            chips.append(
                Chip(name: "category: \(JSONValue.shortened(category))", meaning: categoryMeaning)
            )
        }
        if let threadID {
            let meaning = "Grouped with the notifications of the same thread-id."
            chips.append(Chip(name: "thread: \(JSONValue.shortened(threadID))", meaning: meaning))
        }
        return chips
    }

    /// Documented: usernotifications/unnotificationcategory, and its property actions.
    package var categoryMeaning: String {
        let places = "two in a banner, up to ten when the notification is opened."
        guard let actions else {
            return "Its buttons are the app's own: \(places)"
                + " PUT /api/v1/categories/{topic}/{category} describes them to the preview."
        }
        return actions.isEmpty
            ? "It was described without buttons." : "Its buttons, as they were described: \(places)"
    }

    // MARK: What happens

    /// What iOS does while the app is in a state.
    package func reaction(in state: AppState) -> Reaction {
        Reaction.of(
            facts.deliveredType,
            traits: traits,
            appState: state,
            allowsNotifications: outcome.allowsNotifications
        )
    }

    /// The state of the app when the push reached it; for one that did not, that of an app that is not looked at.
    package var usualState: AppState { facts.record.delivery?.appState ?? .background }

    /// Whether there is a notification to be seen, while the app is in a state.
    package func isShown(in state: AppState) -> Bool {
        guard outcome.allowsNotifications || kind == .liveActivity else { return false }
        switch kind {
        case .alert: return state != .foreground
        case .liveActivity: return true
        default: return false
        }
    }

    /// What is odd about it, for people.
    package var remarks: [String] {
        var notes = [outcome.note].compactMap { $0 }
        notes += [title, subtitle, body].compactMap { $0 }.flatMap(\.remarks)
        if case .ignored = badge { notes.append(badge.row.meaning) }
        if sound.kind == .ignored { notes.append(sound.meaning) }
        if case .string(let name)? = facts.aps?["interruption-level"],
            InterruptionLevel(rawValue: name) == nil
        {
            notes.append(
                "interruption-level is \(JSONValue.string(name).words), which there is not: as active."
            )
        }
        return notes
    }

    /// What every picture says of itself.
    package static let approximation =
        "Approximate: name and icon of the app, fonts, where lines break and where text is cut; times are UTC."
}
