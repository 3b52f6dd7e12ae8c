internal import MockAPNsFormats
package import MockAPNsPreview
internal import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

extension APIObject<PreviewShape> {
    /// `appState` defaults to the app's state when the push reached it.
    package init(_ preview: NotificationPreview, appState: AppState? = nil) {
        let record = preview.facts.record
        let appState = appState ?? preview.usualState
        self.init()
        self.app = APIObject<PreviewShape.App> {
            $0.bundleId = preview.app.bundleID
            $0.color = preview.app.colors.bottom
            $0.letter = preview.app.letter
            $0.name = preview.app.name
        }
        self.appState = appState.rawValue
        self.appStates = AppState.allCases.map { state in
            let reaction = preview.reaction(in: state)
            return APIObject<PreviewShape.State> {
                $0.appState = state.rawValue
                $0.callbacks = reaction.callbacks.map(\.rawValue)
                $0.isShown = preview.isShown(in: state)
                $0.presentation = reaction.presentation.rawValue
                $0.summary = reaction.summary
            }
        }
        self.attachment = preview.attachment
        self.badge = APIObject<PreviewShape.Badge> {
            $0.effect = preview.badge.effect.rawValue
            $0.meaning = preview.badge.meaning
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
        self.liveActivity = preview.activity.map { activity in
            APIObject<PreviewShape.LiveActivity> {
                $0.attributes = activity["attributes"]
                $0.attributesType = activity["attributes-type"]
                $0.contentState = activity["content-state"]
                $0.dismissalDate = activity["dismissal-date"]
                $0.event = activity.event
                $0.meaning = activity.meaning
                $0.staleDate = activity["stale-date"]
                $0.timestamp = activity["timestamp"]
            }
        }
        self.notes = preview.remarks + [preview.approximation]
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

extension APIObject<CategorySummaryShape> {
    package init(_ name: NotificationCategories.Name, count: Int) {
        self.init()
        self.category = name.key
        self.count = count
        self.topic = name.app
    }
}

extension AppShape { package static let iconPrefix = "data:image/png;base64," }

extension APIObject<AppShape> {
    package init(_ description: AppDescription, of app: String) {
        self.init()
        self.icon = description.icon.map { AppShape.iconPrefix + Base64.encode($0) }
        self.name = description.name
        self.topic = app
    }
}

extension APIObject<CategoryActionShape> {
    package init(_ action: NotificationAction) {
        self.init()
        self.authenticationRequired = action.needsUnlocking
        self.destructive = action.isDestructive
        self.foreground = action.opensApp
        self.identifier = action.identifier
        self.textInput = action.takesText
        self.title = action.title
    }
}

extension APIObject<StringsSummaryShape> {
    package init(_ name: StringsTables.Name, count: Int) {
        self.init()
        self.count = count
        self.language = name.key.description
        self.topic = name.app
    }
}
