internal import MockAPNsFormats
package import MockAPNsQuery
package import MockAPNsRules
package import MockAPNsWorld

/// What a device does with a push, as far as a preview can show it.
///
/// To add a kind, add a case and its row, and return it from `of`.
package enum PreviewKind: String, CaseIterable {
    case alert
    /// An alert without text, which only sets the badge or plays a sound.
    case quiet
    /// An alert without text, badge or sound.
    case nothing
    case silent
    /// A background push without `content-available`.
    case unheard
    case voip
    case pushToTalk = "push-to-talk"
    case liveActivity = "live-activity"
    case widgets
    case controls
    case complication
    case location
    case fileProvider = "file-provider"
    case mdm
    /// The body is not a JSON object, so iOS ignores it.
    case broken
    /// The body was too large to keep.
    case unknown

    package var row: (headline: String, sentence: String) {
        switch self {
        case .alert: ("An alert", "Shown to the user.")
        case .quiet: ("No banner", "The payload has no text, only a badge or a sound.")
        case .nothing: ("Nothing is shown", "The payload has no alert, badge or sound.")
        case .silent: ("No UI: the app is woken", "A background push shows nothing by itself.")
        case .unheard: ("No UI, and no app is woken", "\"content-available\": 1 is missing.")
        case .voip: ("No notification: a call", "The app reports it to CallKit, which shows the call screen.")
        case .pushToTalk:
            ("No notification: someone is speaking", "The app names the speaker; the system shows it.")
        case .liveActivity: ("A Live Activity", "The app's own views show its state.")
        case .widgets: ("No UI: widgets are reloaded", "The app is not called.")
        case .controls: ("No UI: controls are reloaded", "The app is not called.")
        case .complication:
            ("No UI: the app updates its complication", "The complication is on the watch face.")
        case .location: ("No UI: the location extension runs", "It may be asked for the device's location.")
        case .fileProvider: ("No UI: the File Provider extension runs", "It tells the system what changed.")
        case .mdm: ("No UI: the device contacts its MDM server", "No app is notified.")
        case .broken:
            ("Never shown", "The body is not a JSON object: APNs responds 200, and the device shows nothing.")
        case .unknown: ("Unknown", "The body was too large to keep.")
        }
    }

    package static func of(_ type: PushType, _ facts: PushFacts, _ traits: Reaction.Traits) -> PreviewKind {
        guard facts.hasBody else { return .unknown }
        guard case .object? = facts.payload else { return .broken }
        switch type {
        case .alert:
            if traits.contains(.alert) { return .alert }
            return traits.isDisjoint(with: [.badge, .sound]) ? .nothing : .quiet
        case .background: return traits.contains(.contentAvailable) ? .silent : .unheard
        case .voip: return .voip
        case .pushtotalk: return .pushToTalk
        case .liveactivity: return .liveActivity
        case .widgets: return .widgets
        case .controls: return .controls
        case .complication: return .complication
        case .location: return .location
        case .fileprovider: return .fileProvider
        case .mdm: return .mdm
        }
    }
}
