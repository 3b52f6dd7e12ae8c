package import MockAPNsFormats
package import MockAPNsPreview
internal import MockAPNsQuery
package import MockAPNsRules
package import MockAPNsWorld

/// What iOS shows of a push.
package final class PreviewShape: Shape {
    package typealias Source = ShownPreview
    package static let definition = Definition(PreviewShape(), "Preview")
    package let app = Member<APIObject<App>> { APIObject($0.preview) }
    package let appState = Member<String>(.word(.appState)) { $0.appState.rawValue }
    package let appStates = Member<[APIObject<State>]>("The result in each state of the app.") { shown in
        AppState.allCases.map { APIObject(ShownPreview(shown.preview, appState: $0)) }
    }
    package let attachment = Member<String?>(
        "The address of an image in the payload that a service extension may attach."
    ) { $0.preview.attachment }
    package let badge = Member<APIObject<Badge>> { APIObject($0.preview) }
    package let body = Member<APIObject<Text>?> { $0.preview.body.map { APIObject($0) } }
    package let category = Member<APIObject<Category>?> { shown in
        shown.preview.category.map { APIObject(($0, shown.preview.categoryMeaning)) }
    }
    package let categoryActions = Member<[APIObject<CategoryActionShape>]?>("Its buttons, if uploaded.") {
        $0.preview.actions?.map { APIObject($0) }
    }
    package let chips = Member<[APIObject<Chip>]> { $0.preview.chips.map { APIObject($0) } }
    package let collapseId = Member<String?> { $0.record.request[.apnsCollapseID] }
    package let headline = Member<String> { $0.preview.headline }
    package let interruptionLevel = Member<APIObject<Level>> { APIObject($0.preview.level) }
    package let isDelivered = Member<Bool> { $0.preview.outcome.isDelivered }
    package let isShown = Member<Bool>("Whether a notification is visible in this state.") { $0.isShown }
    package let kind = Member<String>(.word(.previewKind)) { $0.preview.kind.rawValue }
    package let language = Member<String?>(.languageTag, "The language of the strings table.") {
        $0.preview.tables.first?.language.description
    }
    package let launchImage = Member<String?> { $0.preview.launchImage }
    package let liveActivity = Member<APIObject<LiveActivity>?> { $0.preview.activity.map { APIObject($0) } }
    package let notes = Member<[String]>("What is unusual or approximate.") {
        $0.preview.remarks + [$0.preview.approximation]
    }
    package let notificationsEnabled = Member<Bool> { $0.preview.outcome.allowsNotifications }
    package let push = Member<String>(.pushID) { $0.preview.facts.id }
    package let relevanceScore = Member<JSONValue>(.number.orNull) { $0.preview.relevanceScore }
    package let seq = Member<UInt64> { $0.record.seq }
    package let sound = Member<APIObject<Sound>> { APIObject($0.preview) }
    package let subtitle = Member<APIObject<Text>?> { $0.preview.subtitle.map { APIObject($0) } }
    package let summary = Member<String> { $0.preview.summary }
    package let targetContentId = Member<String?> { $0.preview.targetContentID }
    package let threadId = Member<String?> { $0.preview.threadID }
    package let title = Member<APIObject<Text>?> { $0.preview.title.map { APIObject($0) } }
    package let views = Member<[String]>(.word(.previewView), "The pictures that apply.") { shown in
        PreviewView.allCases.filter { $0.fits(shown.preview.kind) }.map(\.rawValue)
    }
}

/// A preview in a state of the app.
package struct ShownPreview {
    let preview: NotificationPreview
    let appState: AppState

    /// `appState` defaults to the app's state when the push reached it.
    package init(_ preview: NotificationPreview, appState: AppState? = nil) {
        (self.preview, self.appState) = (preview, appState ?? preview.usualState)
    }

    var record: PushRecord { preview.facts.record }

    var isShown: Bool { preview.isShown(in: appState) }

    var reaction: Reaction { preview.reaction(in: appState) }
}

extension PreviewShape {
    package final class App: Shape {
        package typealias Source = NotificationPreview
        package static let definition = Definition(App())
        package let bundleId = Member<String> { $0.app.bundleID }
        package let color = Member<String> { $0.app.colors.bottom }
        package let letter = Member<String> { $0.app.letter }
        package let name = Member<String> { $0.app.name }
    }

    package final class Text: Shape {
        package typealias Source = PreviewText
        package static let definition = Definition(Text())
        package let arguments = Member<[String]> { $0.arguments }
        package let key = Member<String?> { $0.key }
        package let source = Member<String>(.word(.previewTextSource)) { $0.source.rawValue }
        package let text = Member<String>("The text shown on the device.") { $0.text }
    }

    /// The number on the app's icon.
    package final class Badge: Shape {
        package typealias Source = NotificationPreview
        package static let definition = Definition(Badge())
        package let effect = Member<String>(.word(.badgeEffect)) { $0.badge.effect.rawValue }
        package let meaning = Member<String> { $0.badge.meaning }
        package let number = Member<Int64?> { $0.badge.number }
    }

    package final class Sound: Shape {
        package typealias Source = NotificationPreview
        package static let definition = Definition(Sound())
        package let kind = Member<String>(.word(.soundKind)) { $0.sound.kind.rawValue }
        package let meaning = Member<String> { $0.sound.meaning }
        package let name = Member<String?> { $0.sound.name }
        package let volume = Member<Double?>(.fraction) { $0.sound.volume }
    }

    package final class Level: Shape {
        package typealias Source = InterruptionLevel
        package static let definition = Definition(Level())
        package let meaning = Member<String> { $0.row.meaning }
        package let value = Member<String>(.word(.interruptionLevel)) { $0.rawValue }
    }

    package final class Category: Shape {
        package typealias Source = (id: String, meaning: String)
        package static let definition = Definition(Category())
        package let id = Member<String> { $0.id }
        package let meaning = Member<String> { $0.meaning }
    }

    /// A property of the notification that its picture does not show.
    package final class Chip: Shape {
        package typealias Source = (name: String, meaning: String)
        package static let definition = Definition(Chip())
        package let meaning = Member<String> { $0.meaning }
        package let name = Member<String> { $0.name }
    }

    /// The result in one state of the app.
    package final class State: Shape {
        package typealias Source = ShownPreview
        package static let definition = Definition(State())
        package let appState = Member<String>(.word(.appState)) { $0.appState.rawValue }
        package let callbacks = Member<[String]> { $0.reaction.callbacks.map(\.rawValue) }
        package let isShown = Member<Bool> { $0.isShown }
        package let presentation = Member<String>(.word(.presentation)) { $0.reaction.presentation.rawValue }
        package let summary = Member<String> { $0.reaction.summary }
    }

    package final class LiveActivity: Shape {
        package typealias Source = LiveActivityPreview
        package static let definition = Definition(LiveActivity())
        package let attributes = Member<JSONValue> { $0["attributes"] }
        package let attributesType = Member<JSONValue> { $0["attributes-type"] }
        package let contentState = Member<JSONValue> { $0["content-state"] }
        package let dismissAt = Member<String?>(.time, "dismissal-date as a time.") {
            $0.date("dismissal-date")?.rfc3339
        }
        package let dismissalDate = Member<JSONValue> { $0["dismissal-date"] }
        package let event = Member<String?> { $0.event }
        package let ignored = Member<Bool>("Whether no Live Activity takes the push.") { $0.isIgnored }
        package let meaning = Member<String> { $0.meaning }
        package let sentAt = Member<String?>(.time, "timestamp as a time.") { $0.date("timestamp")?.rfc3339 }
        package let staleAt = Member<String?>(.time, "stale-date as a time.") { $0.date("stale-date")?.rfc3339 }
        package let staleDate = Member<JSONValue> { $0["stale-date"] }
        package let timestamp = Member<JSONValue> { $0["timestamp"] }
    }
}

package final class CategoryActionShape: Shape {
    package typealias Source = NotificationAction
    package static let definition = Definition(CategoryActionShape(), "CategoryAction")
    package let authenticationRequired = Member<Bool> { $0.needsUnlocking }
    package let destructive = Member<Bool> { $0.isDestructive }
    package let foreground = Member<Bool> { $0.opensApp }
    package let identifier = Member<String?> { $0.identifier }
    package let textInput = Member<Bool> { $0.takesText }
    package let title = Member<String> { $0.title }
}
