internal import MockAPNsFormats

/// Sets or removes a strings table.
struct SetStrings: WorldChange, MemberwiseArchived {
    static let kind = "set-strings"
    static let format = ArchiveFormat(SetStrings.init, \.name, \.texts)

    let name: AppKey<LanguageTag>
    let texts: [String: String]?

    func apply(to state: inout WorldState, at time: WorldClock.Reading) { state.strings[name] = texts }
}

/// Sets or removes the actions of a notification category.
struct SetCategory: WorldChange, MemberwiseArchived {
    static let kind = "set-category"
    static let format = ArchiveFormat(SetCategory.init, \.name, \.actions)

    let name: AppKey<String>
    let actions: [NotificationAction]?

    func apply(to state: inout WorldState, at time: WorldClock.Reading) { state.categories[name] = actions }
}

/// Sets or removes the description of an app.
struct SetApp: WorldChange, MemberwiseArchived {
    static let kind = "set-app"
    static let format = ArchiveFormat(SetApp.init, \.app, \.description)

    let app: String
    let description: AppDescription?

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        state.apps[app] = description
        state.happened(.appChanged(app))
    }
}

/// Sets or removes a saved push.
struct SetSavedPush: WorldChange, MemberwiseArchived {
    static let kind = "set-saved-push"
    static let format = ArchiveFormat(SetSavedPush.init, \.name, \.push)

    let name: String
    let push: String?

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        state.savedPushes[name] = push
        state.happened(.savedPushesChanged)
    }
}

/// Replaces all saved pushes.
struct SetSavedPushes: WorldChange, MemberwiseArchived {
    static let kind = "set-saved-pushes"
    static let format = ArchiveFormat(SetSavedPushes.init, \.pushes)

    let pushes: [String: String]

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        state.savedPushes = pushes
        state.happened(.savedPushesChanged)
    }
}
