package import MockAPNsFormats
package import MockAPNsQuery
package import MockAPNsRules
package import MockAPNsWorld

/// What iOS would show for a push, based on its headers, its payload and the app's localized strings.
///
/// A refused push is previewed as if APNs had accepted it; see `outcome`.
package struct NotificationPreview {
    package let facts: PushFacts
    package let kind: PreviewKind
    package let app: PreviewedApp
    /// The app's table of the user's language, then the one of its development language, if it is another.
    package let tables: [PreviewText.Table]
    package let title: PreviewText?
    package let subtitle: PreviewText?
    package let body: PreviewText?
    /// The category's action buttons, or `nil` if the push has no category or the category was not described.
    package let actions: [NotificationAction]?
    private let traits: Reaction.Traits

    package init(
        _ facts: PushFacts, strings: StringsTables, categories: NotificationCategories, apps: AppDescriptions,
        setting: PreviewSetting = PreviewSetting()
    ) {
        self.facts = facts
        let reading = facts.reading
        traits = Reaction.Traits(reading)
        kind = PreviewKind.of(facts, traits)
        app = PreviewedApp(topic: facts.record.request[.apnsTopic] ?? facts.record.bundleID, apps: apps)
        tables = strings.tables(of: app.bundleID, preferring: setting.languages)
        actions = reading.category.flatMap { [app] category in categories[AppKey(app: app.bundleID, key: category)] }
        title = PreviewText.read("title", of: reading, tables: tables, setting: setting)
        subtitle = PreviewText.read("subtitle", of: reading, tables: tables, setting: setting)
        body = PreviewText.read("body", of: reading, tables: tables, setting: setting)
    }

    package var outcome: PreviewOutcome { PreviewOutcome(facts.record) }
    package var activity: LiveActivityPreview? {
        kind == .liveActivity
            ? LiveActivityPreview(reading: facts.reading, refusal: facts.record.delivery?.refusal) : nil
    }
    package var call: IncomingCall { IncomingCall(payload: facts.payload) }
    package var attachment: String? {
        traits.contains(.mutableContent) ? PreviewAttachment.address(in: facts.payload) : nil
    }
    package var badge: PreviewBadge { PreviewBadge(facts.reading.badge) }
    package var sound: PreviewSound { PreviewSound(facts.reading.sound) }
    package var level: InterruptionLevel { facts.reading.interruptionLevel ?? .active }
    package var category: String? { facts.reading.category }
    package var threadID: String? { facts.reading.threadID }
    package var targetContentID: String? { facts.reading.targetContentID }
    package var launchImage: String? { facts.reading.launchImage }
    package var relevanceScore: JSONValue { facts.reading.relevanceScore ?? .null }

    package var chips: [(name: String, meaning: String)] {
        var chips: [(name: String, meaning: String)] = []
        func add(_ name: String, _ meaning: String) { chips.append((name, meaning)) }
        if kind == .voip { add(call.chip, call.meaning) }
        if level != .active { add(level.rawValue, level.row.meaning) }
        if sound.kind != .none {
            let name = sound.kind == .critical ? "critical" : sound.name ?? sound.kind.rawValue
            add("sound: \(JSONValue.shortened(name))", sound.meaning)
        }
        if let chip = badge.chip { add("badge: \(chip)", badge.meaning) }
        if traits.contains(.mutableContent) {
            add("mutable-content", "The app's service extension may change it before it is shown.")
        }
        if traits.contains(.contentAvailable) {
            add("content-available", "The app is woken, unless the user has ended it.")
        }
        if let category {
            let meaning = actions == nil ? "Its action buttons are defined in the app." : categoryMeaning
            add("category: \(JSONValue.shortened(category))", meaning)
        }
        if let threadID {
            let name = "thread: \(JSONValue.shortened(threadID))"
            add(name, "Grouped with the notifications of the same thread-id.")
        }
        return chips
    }

    /// Documented: usernotifications/unnotificationcategory and its `actions` property.
    package var categoryMeaning: String {
        let places = "two in a banner, up to ten when the notification is opened."
        guard let actions else {
            return "Action buttons are defined in the app: \(places)"
                + " Add them with PUT /api/v1/categories/{topic}/{category} to preview them."
        }
        return actions.isEmpty ? "The category was added without buttons." : "Its buttons, as added: \(places)"
    }

    package var headline: String { activity?.headline ?? kind.row.headline }

    package var summary: String { activity.flatMap { $0.isIgnored ? $0.meaning : nil } ?? kind.row.sentence }

    package func reaction(in state: AppState) -> Reaction {
        Reaction.of(facts, appState: state, allowsNotifications: outcome.allowsNotifications)
    }

    /// The app's state when the push was delivered, or `background` if it was not delivered.
    package var usualState: AppState { facts.record.delivery?.appState ?? .background }

    package func isShown(in state: AppState) -> Bool {
        activity?.isIgnored == false || kind == .voip
            || kind == .alert && outcome.allowsNotifications && state != .foreground
    }

    package var remarks: [String] {
        var notes = [title, subtitle, body].flatMap { $0?.remarks ?? [] }
        if let note = outcome.note { notes.insert(note, at: 0) }
        if badge.effect == .ignored { notes.append(badge.meaning) }
        if sound.kind == .ignored { notes.append(sound.meaning) }
        if let name = facts.reading.aps?["interruption-level"], name.string != nil,
            facts.reading.interruptionLevel == nil
        {
            notes.append("interruption-level is \(name.words), an unknown level; treated as active.")
        }
        return notes
    }

    /// What of the picture is not as on a device.
    package var approximation: String {
        let app = app.isDescribed ? "" : "name and icon of the app, "
        return "Approximate: \(app)fonts, where lines break and where text is cut."
    }
}
