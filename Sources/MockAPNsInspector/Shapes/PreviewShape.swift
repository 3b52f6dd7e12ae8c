internal import MockAPNsFormats
internal import MockAPNsPreview
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// What iOS would show of a push, as the API tells it; its golden files are in the tests.
struct PreviewShape {
    private let preview: NotificationPreview
    private let appState: AppState

    /// - Parameters:
    ///   - preview: what would be shown.
    ///   - appState: what the app is doing; `nil` for what it was doing when the push reached it.
    init(_ preview: NotificationPreview, appState: AppState? = nil) {
        self.preview = preview
        self.appState = appState ?? preview.usualState
    }

    var json: JSONValue {
        let record = preview.facts.record
        return [
            "push": .string(PushID(epoch: record.epoch, seq: record.seq).text),
            "seq": JSONValue(record.seq),
            "kind": .string(preview.kind.rawValue),
            "headline": .string(preview.kind.row.headline),
            "summary": .string(preview.kind.row.sentence),
            "language": JSONValue(preview.table?.language.description),
            "app": app,
            "title": Self.text(preview.title),
            "subtitle": Self.text(preview.subtitle),
            "body": Self.text(preview.body),
            "badge": badge,
            "sound": sound,
            "interruptionLevel": [
                "value": .string(preview.level.rawValue), "meaning": .string(preview.level.row.meaning),
            ],
            "threadId": JSONValue(preview.threadID),
            "category": category,
            "categoryActions": preview.actions.map { .array($0.map(CategoryShape.action)) } ?? .null,
            "relevanceScore": preview.relevanceScore,
            "targetContentId": JSONValue(preview.targetContentID),
            "launchImage": JSONValue(preview.launchImage),
            "collapseId": JSONValue(record.request[.apnsCollapseID]),
            "chips": .array(
                preview.chips.map { ["name": .string($0.name), "meaning": .string($0.meaning)] }
            ),
            "liveActivity": preview.activity.map(Self.activity) ?? .null,
            "appState": .string(appState.name),
            "isShown": .bool(preview.isShown(in: appState)),
            "appStates": .array(AppState.allCases.map(state)),
            "isDelivered": .bool(preview.outcome.isDelivered),
            "notificationsEnabled": .bool(preview.outcome.allowsNotifications),
            "notes": .array((preview.remarks + [NotificationPreview.approximation]).map { .string($0) }),
            "views": .array(
                PreviewView.allCases.filter { $0.fits(preview.kind) }.map { .string($0.rawValue) }
            ),
        ]
    }

    private var app: JSONValue {
        let colors = preview.app.colors
        return [
            "bundleId": .string(preview.app.bundleID),
            "name": .string(preview.app.name),
            "letter": .string(preview.app.letter),
            "color": .string(colors.bottom),
        ]
    }

    private static func text(_ text: PreviewText?) -> JSONValue {
        guard let text else { return .null }
        return [
            "text": .string(text.text),
            "source": .string(text.source.rawValue),
            "key": JSONValue(text.key),
            "arguments": .array(text.arguments.map { .string($0) }),
        ]
    }

    private var badge: JSONValue {
        [
            "effect": .string(preview.badge.row.effect),
            "number": preview.badge.number.map { .integer($0) } ?? .null,
            "meaning": .string(preview.badge.row.meaning),
        ]
    }

    private var sound: JSONValue {
        [
            "kind": .string(preview.sound.kind.rawValue),
            "name": JSONValue(preview.sound.name),
            "volume": preview.sound.volume.map { .number($0) } ?? .null,
            "meaning": .string(preview.sound.meaning),
        ]
    }

    private var category: JSONValue {
        guard let category = preview.category else { return .null }
        return ["id": .string(category), "meaning": .string(preview.categoryMeaning)]
    }

    private static func activity(_ activity: LiveActivityPreview) -> JSONValue {
        [
            "event": JSONValue(activity.event),
            "meaning": .string(activity.meaning),
            "timestamp": activity.timestamp,
            "contentState": activity.contentState,
            "attributesType": activity.attributesType,
            "attributes": activity.attributes,
            "staleDate": activity.staleDate,
            "dismissalDate": activity.dismissalDate,
        ]
    }

    private func state(_ state: AppState) -> JSONValue {
        let reaction = preview.reaction(in: state)
        return [
            "appState": .string(state.name),
            "isShown": .bool(preview.isShown(in: state)),
            "summary": .string(reaction.summary),
            "presentation": .string(reaction.presentation.rawValue),
            "callbacks": .array(reaction.callbacks.map { .string($0.rawValue) }),
        ]
    }
}
