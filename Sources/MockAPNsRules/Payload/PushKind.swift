internal import MockAPNsFormats

/// A kind of push, by what receives it and what that does.
///
/// A push type whose topic or payload makes a difference is several kinds. Reactions, warnings and `docs/reference.md` take
/// from here what they say about a kind. To add one: add a case and its row, and let `PayloadReading.kind` return it.
package enum PushKind: UInt8, CaseIterable, Sendable {
    case alert
    case background
    case voip
    case complication
    case fileProvider
    case location
    case activityStart
    case activityUpdate
    case broadcast
    case pushToTalk
    case serviceUpdate
    case widgets
    case controls
    case accessory
    case deviceManagement
    case wallet
    case website

    /// The properties of a kind.
    package struct Row: Sendable {
        /// The name, for people.
        package let name: String
        /// The push type as which it is sent.
        package let type: PushType
        /// What the receiver does, in a sentence or two.
        package let effect: String
        /// The source of the row, and how reliable it is.
        package let source: String
        /// What it needs, so that the receiver does anything.
        var needs: [PayloadNeed] = []
        /// What else the payload has to have, or must not have, in words; empty if there is nothing to say.
        package var contents = ""
        /// Whether the payload has an `aps` dictionary.
        package var needsAPS = true
        /// How many the receiver takes; `nil` if Apple names no number.
        package var budget: PushBudget?
        /// A limit without a number.
        package var limit = ""
        /// What `apns-expiration` should be.
        package var expiration = ExpirationUse.any
        /// Whether only the production environment has it.
        package var isProductionOnly = false
    }

    private static let rows = allCases.map(\.makeRow)

    /// The properties of this kind.
    package var row: Row { Self.rows[Int(rawValue)] }

    /// The topic that is not an app's; `nil` if the topic is a bundle identifier with the suffix of the push type.
    package var special: SpecialTopic? {
        switch self {
        case .deviceManagement: .deviceManagement
        case .wallet: .wallet
        case .website: .website
        default: nil
        }
    }

    /// The topic, in words.
    package var topic: String {
        if self == .broadcast { return "none: the path has the bundle ID" }
        if let special { return "`\(special.row.prefix)…`" }
        return "`<bundle ID>\(row.type.row.topicSuffix)`"
    }

    /// The credentials that can send it, in words.
    package var credentials: String {
        if let special { return special.row.certificate }
        // Documented: Apple's samples of broadcasts have a certificate, although its pushes to devices cannot.
        return row.type.row.needsProviderToken && self != .broadcast
            ? "provider token" : "provider token or certificate"
    }

    /// What the payload has and has not, in words.
    package var payload: String {
        let names = row.needs.map { "`\($0.way.joined(separator: "."))`" }.joined(separator: ", ")
        return [names, row.contents].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// The switch is exhaustive, so a case without a row does not compile.
    private var makeRow: Row {
        switch self {
        case .alert:
            Row(
                name: "alert", type: .alert, effect: "Shows an alert, plays a sound or sets the badge.",
                source: "documented: Apple, Generating a remote notification",
                contents: "`aps.alert`, `aps.badge` or `aps.sound`; a service extension needs `aps.mutable-content`"
                    + " and an `aps.alert` that is an object")
        case .background:
            Row(
                name: "background", type: .background, effect: "Wakes the app for 30 seconds. Nothing is shown.",
                source: "documented: Apple, Pushing background updates to your App",
                needs: [.flag("content-available", "the number 1 is expected of a background push")],
                contents: "no `alert`, `badge` or `sound`", limit: "two or three an hour, and less when energy is short"
            )
        case .voip:
            Row(
                name: "voip", type: .voip, effect: "Wakes or launches the app, which has to report a call to CallKit.",
                source: "documented: Apple, Responding to VoIP Notifications from PushKit", contents: "up to the app",
                needsAPS: false)
        case .complication:
            Row(
                name: "complication", type: .complication,
                effect: "PushKit hands it to the app, which updates the complication on the watch.",
                source: "documented: Apple, PushKit", contents: "up to the app", needsAPS: false)
        case .fileProvider:
            Row(
                name: "fileprovider", type: .fileprovider,
                effect: "Nothing is shown. The File Provider extension is handed it and tells the system what changed.",
                source: "documented: Apple, Using push notifications to signal changes. Inferred: without the two keys"
                    + " there is nothing to signal",
                needs: ["container-identifier", "domain"].map {
                    PayloadNeed(
                        way: [$0], expected: "a string is expected, so the extension is not told of a change",
                        isMet: \.isReadable)
                }, contents: "no `aps`", needsAPS: false, limit: "throttled if there are too many")
        case .location:
            Row(
                name: "location", type: .location,
                effect: "Nothing is shown. The location push extension runs, if the app may always use the location.",
                source: "documented: Apple, Creating a location push service extension", contents: "up to the app",
                needsAPS: false,
                budget: PushBudget(
                    count: 360, seconds: 86_400,
                    consequence: "the device unregisters from the topic for some time and receives none"))
        case .activityStart:
            Row(
                name: "liveactivity, event start", type: .liveactivity,
                effect: "Starts a Live Activity, and wakes the app in the background.", source: Self.activities,
                contents: "`aps.timestamp`, `event`, `content-state`, `attributes-type`, `attributes`, `alert`",
                limit: "a budget without a number")
        case .activityUpdate:
            Row(
                name: "liveactivity, events update and end", type: .liveactivity,
                effect: "Changes what the Live Activity shows, or ends it.", source: Self.activities,
                contents: "`aps.timestamp`, `event`, `content-state`",
                limit: "an hourly budget without a number for priority 10, none for priority 5")
        case .broadcast:
            Row(
                name: "broadcast", type: .liveactivity,
                effect: "Changes or ends the Live Activities that are subscribed to the channel.",
                source: "documented: Apple, Sending broadcast push notification requests to APNs",
                contents: "`aps.timestamp`, `event` update or end, `content-state`",
                limit: "dynamic, about one a second for each channel")
        case .pushToTalk:
            Row(
                name: "pushtotalk", type: .pushtotalk, effect: "The app says who speaks, and the system shows it.",
                source: "documented: Apple, Creating a Push to Talk app; Enhance voice communication with Push to Talk"
                    + " (WWDC22)", contents: "up to the app: it names the speaker", needsAPS: false,
                expiration: .once("a person who spoke some time ago speaks no more"))
        case .serviceUpdate:
            Row(
                name: "pushtotalk, service update", type: .pushtotalk,
                effect: "Nothing is shown. The app is handed the service update.",
                source: "staff: https://developer.apple.com/forums/thread/787878. Documented: Apple,"
                    + " incomingServiceUpdatePush (iOS 17.2)", contents: "`aps.ptt-push-type` is `service-update`",
                needsAPS: false,
                budget: PushBudget(
                    count: 6, seconds: 3_600, isForImmediate: true,
                    consequence: "the app is not sure to be handed it at once"))
        case .widgets:
            Row(
                name: "widgets", type: .widgets,
                effect: "The app's widgets are reloaded, as far as their budget allows. The app is not called.",
                source: "documented: Apple, Updating widgets with WidgetKit push notifications. Observed: swift-server-"
                    + "community/APNSwift#221, for the expiration", needs: [Self.contentChanged],
                limit: "a budget without a number",
                expiration: .omitted("observed once: such a push did not reload widgets (APNSwift#221)"))
        case .controls:
            Row(
                name: "controls", type: .controls, effect: "The app's controls are reloaded. The app is not called.",
                source: "documented: Apple, Updating controls locally and remotely", needs: [Self.contentChanged])
        case .accessory:
            Row(
                name: "accessory", type: .accessory,
                effect:
                    "Nothing is shown. The system decrypts what the user did on the accessory, and the data provider"
                    + " extension is handed it.", source: "documented: Apple, Responding to forwarded notifications",
                needs: PayloadNeed.ofAccessory.map {
                    PayloadNeed(way: ["aps", $0], expected: "a string is expected", isMet: \.isReadable)
                })
        case .deviceManagement:
            Row(
                name: "mdm", type: .mdm, effect: "Nothing is shown. The device connects to its management server.",
                source: "documented: Apple, Sending MDM commands to a device",
                needs: [
                    PayloadNeed(
                        way: ["mdm"],
                        expected: "the device's PushMagic is expected of \(SpecialTopic.deviceManagement.row.push)",
                        isMet: \.isReadable)
                ], contents: "nothing else, and no `aps`", needsAPS: false)
        case .wallet:
            Row(
                name: "Wallet", type: .alert,
                effect: "Nothing is shown. Wallet asks the web service of the pass what has changed, and gets the new"
                    + " pass.", source: "documented: Apple, Adding a web service to update passes",
                contents: "an empty object; no `alert`, `badge` or `sound`", needsAPS: false, isProductionOnly: true)
        case .website:
            Row(
                name: "website", type: .alert,
                effect: "Safari on a Mac shows a notification of the website; a click opens its address.",
                source: "documented: Apple, Notification Programming Guide for Websites (archived)",
                contents: "`aps.alert` with `title` and `body`, `aps.url-args`")
        }
    }

    private static let activities =
        "documented: Apple, Starting and updating Live Activities with ActivityKit push notifications"

    // Inferred: without it nothing is reloaded.
    private static let contentChanged = PayloadNeed.flag("content-changed", "true is expected, so nothing is reloaded")
}

/// How many pushes of a kind a device takes for an app in a time that ends with the push.
package struct PushBudget: Sendable {
    package let count: Int
    /// The time in seconds.
    package let seconds: Int64
    /// Whether only pushes of priority 10 count.
    package var isForImmediate = false
    /// What happens to the pushes above it.
    package let consequence: String

    /// The budget, as `6 an hour at priority 10`.
    package var text: String {
        let time = seconds == 3_600 ? "an hour" : "in \(seconds / 3_600) hours"
        return "\(count) \(time)" + (isForImmediate ? " at priority 10" : "")
    }
}

/// What `apns-expiration` should be in a push of a kind.
package enum ExpirationUse: Sendable {
    case any
    /// There should be none; with the reason.
    case omitted(String)
    /// 0, for one attempt; with the reason.
    case once(String)
}
