internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsPreview
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

extension APIObject<PreviewShape> {
    /// - Parameters:
    ///   - preview: what would be shown.
    ///   - appState: the state of the app; `nil` for its state when the push reached it.
    init(_ preview: NotificationPreview, appState: AppState? = nil) {
        let record = preview.facts.record
        let appState = appState ?? preview.usualState
        self.init()
        self.app = APIObject<PreviewShape.App> {
            $0.bundleId = preview.app.bundleID
            $0.color = preview.app.colors.bottom
            $0.letter = preview.app.letter
            $0.name = preview.app.name
        }
        self.appState = appState.name
        self.appStates = AppState.allCases.map { APIObject<PreviewShape.State>(preview, in: $0) }
        self.badge = APIObject<PreviewShape.Badge> {
            $0.effect = preview.badge.row.effect
            $0.meaning = preview.badge.row.meaning
            $0.number = preview.badge.number
        }
        self.body = preview.body.map(APIObject<PreviewShape.Text>.init)
        self.category = preview.category.map { category in
            APIObject<PreviewShape.Category> {
                $0.id = category
                $0.meaning = preview.categoryMeaning
            }
        }
        self.categoryActions = preview.actions?.map(APIObject<CategoryActionShape>.init)
        self.chips = preview.chips.map { chip in
            APIObject<PreviewShape.Chip> {
                $0.meaning = chip.meaning
                $0.name = chip.name
            }
        }
        self.collapseId = record.request[.apnsCollapseID]
        self.headline = preview.kind.row.headline
        self.interruptionLevel = APIObject<PreviewShape.Level> {
            $0.meaning = preview.level.row.meaning
            $0.value = preview.level.rawValue
        }
        self.isDelivered = preview.outcome.isDelivered
        self.isShown = preview.isShown(in: appState)
        self.kind = preview.kind.rawValue
        self.language = preview.table?.language.description
        self.launchImage = preview.launchImage
        self.liveActivity = preview.activity.map(APIObject<PreviewShape.LiveActivity>.init)
        self.notes = preview.remarks + [NotificationPreview.approximation]
        self.notificationsEnabled = preview.outcome.allowsNotifications
        self.push = PushID(epoch: record.epoch, seq: record.seq).text
        self.relevanceScore = preview.relevanceScore
        self.seq = record.seq
        self.sound = APIObject<PreviewShape.Sound> {
            $0.kind = preview.sound.kind.rawValue
            $0.meaning = preview.sound.meaning
            $0.name = preview.sound.name
            $0.volume = preview.sound.volume
        }
        self.subtitle = preview.subtitle.map(APIObject<PreviewShape.Text>.init)
        self.summary = preview.kind.row.sentence
        self.targetContentId = preview.targetContentID
        self.threadId = preview.threadID
        self.title = preview.title.map(APIObject<PreviewShape.Text>.init)
        self.views = PreviewView.allCases.filter { $0.fits(preview.kind) }.map(\.rawValue)
    }
}

extension APIObject<PreviewShape.Text> {
    fileprivate init(_ text: PreviewText) {
        self.init()
        self.arguments = text.arguments
        self.key = text.key
        self.source = text.source.rawValue
        self.text = text.text
    }
}

extension APIObject<PreviewShape.LiveActivity> {
    fileprivate init(_ activity: LiveActivityPreview) {
        self.init()
        self.attributes = activity["attributes"]
        self.attributesType = activity["attributes-type"]
        self.contentState = activity["content-state"]
        self.dismissalDate = activity["dismissal-date"]
        self.event = activity.event
        self.meaning = activity.meaning
        self.staleDate = activity["stale-date"]
        self.timestamp = activity["timestamp"]
    }
}

extension APIObject<PreviewShape.State> {
    fileprivate init(_ preview: NotificationPreview, in state: AppState) {
        let reaction = preview.reaction(in: state)
        self.init()
        self.appState = state.name
        self.callbacks = reaction.callbacks.map(\.rawValue)
        self.isShown = preview.isShown(in: state)
        self.presentation = reaction.presentation.rawValue
        self.summary = reaction.summary
    }
}
