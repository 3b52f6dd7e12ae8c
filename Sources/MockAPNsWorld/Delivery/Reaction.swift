public import MockAPNsRules

/// What iOS does with a notification that has reached the device, and which methods of the app it calls.
///
/// A pure table: push type, payload, app state and permission decide everything. A simulated device does not run iOS,
/// so nothing here happens; it is what a developer may expect of a real one. Sources, where a row names none:
/// https://developer.apple.com/documentation/ followed by
/// - usernotifications/handling-notifications-and-notification-related-actions (documented),
/// - usernotifications/pushing-background-updates-to-your-app (documented),
/// - uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:) (documented),
/// - usernotifications/unnotificationserviceextension (documented),
/// - pushkit (documented).
public struct Reaction: Equatable, Sendable {
    /// What the user gets to see or hear.
    public enum Presentation: String, CaseIterable, Sendable {
        /// An alert, with whatever sound and badge it has; it is in Notification Center from then on.
        case banner
        /// A number on the app's icon, with a sound if there is one.
        case badge
        /// A sound and nothing else.
        case sound
        /// A call.
        case call
        /// Somebody speaks on a channel.
        case pushToTalk = "push-to-talk"
        /// A Live Activity shows something else.
        case liveActivity = "live-activity"
        /// Widgets are drawn anew.
        case widget
        /// Controls are drawn anew.
        case control
        /// Nothing; whatever happens, happens in the app.
        case none
        /// Nothing yet: the device keeps the notification for the app.
        case held
        /// Nothing, ever: the device threw the notification away.
        case dropped
    }

    /// What a payload asks for.
    public struct Traits: OptionSet, Hashable, Sendable {
        /// `aps.alert` has something to show.
        public static let alert = Traits(rawValue: 1)
        /// `aps.badge` is a number.
        public static let badge = Traits(rawValue: 2)
        /// `aps.sound` names a sound.
        public static let sound = Traits(rawValue: 4)
        /// `aps.content-available` is 1.
        public static let contentAvailable = Traits(rawValue: 8)
        /// `aps.mutable-content` is 1.
        public static let mutableContent = Traits(rawValue: 16)

        /// The bits.
        public let rawValue: UInt8

        /// The traits of these bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// What iOS calls in the app or one of its extensions, in the words of Apple's documentation.
    public enum Callback: String, CaseIterable, Sendable {
        case willPresent = "userNotificationCenter(_:willPresent:withCompletionHandler:)"
        case didReceiveResponse = "userNotificationCenter(_:didReceive:withCompletionHandler:)"
        case didFinishLaunching = "application(_:didFinishLaunchingWithOptions:)"
        case didReceiveRemoteNotification =
            "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"
        case serviceExtension = "UNNotificationServiceExtension.didReceive(_:withContentHandler:)"
        case pushRegistry = "pushRegistry(_:didReceiveIncomingPushWith:for:completion:)"
        case pushToTalk = "incomingPushResult(channelManager:channelUUID:pushPayload:)"
        case locationPush = "CLLocationPushServiceExtension.didReceiveLocationPushPayload(_:completion:)"
        case activityContent = "Activity.contentUpdates"
        case widgetTimeline = "TimelineProvider.getTimeline(in:completion:)"
        case controlValue = "ControlValueProvider.currentValue()"
    }

    /// What happens, in a sentence or two.
    public let summary: String
    /// What the user gets to see or hear.
    public let presentation: Presentation
    /// What iOS calls, in this order; what only a tap leads to is called when the user taps.
    public let callbacks: [Callback]

    private init(_ presentation: Presentation, _ summary: String, _ callbacks: [Callback] = []) {
        self.summary = summary
        self.presentation = presentation
        self.callbacks = callbacks
    }

    /// What iOS does with a notification.
    ///
    /// - Parameters:
    ///   - type: the push type.
    ///   - traits: what the payload asks for.
    ///   - state: what the app is doing when the notification reaches the device.
    ///   - isAllowed: whether the user lets the app show notifications.
    /// - Returns: an answer for every case, those included in which the push service stores or discards.
    public static func of(
        _ type: PushType,
        traits: Traits,
        appState state: AppState,
        allowsNotifications isAllowed: Bool
    ) -> Reaction {
        switch type {
        case .alert: isAllowed ? alert(traits, state) : turnedOff
        case .background: background(traits, state)
        case .complication:
            pushKit("The app is handed it by PushKit and updates the complication on the watch.", state)
        // Documented: a File Provider extension registers for these, and extensions have no app state.
        case .fileprovider:
            Reaction(
                .none,
                "Nothing is shown. The File Provider extension is handed it and tells the system what changed.",
                [.pushRegistry]
            )
        case .liveactivity: liveActivity(traits, state, isAllowed)
        // Documented: corelocation/cllocationpushserviceextension, which runs even when the app does not.
        case .location:
            Reaction(
                .none,
                "Nothing is shown. The location push extension runs, if the app may always use the location.",
                [.locationPush]
            )
        // Documented: devicemanagement. The device asks its management server what to do; no app hears of it.
        case .mdm: Reaction(.none, "Nothing is shown. The device connects to its management server.")
        case .pushtotalk: pushToTalk(state)
        case .voip: call(state)
        // Documented: widgetkit/updating-widgets-with-widgetkit-push-notifications.
        case .widgets:
            Reaction(
                .widget,
                "The app's widgets are reloaded, as far as their budget allows. The app is not called.",
                [.widgetTimeline]
            )
        // Documented: widgetkit/updating-controls-locally-and-remotely.
        case .controls:
            Reaction(.control, "The app's controls are reloaded. The app is not called.", [.controlValue])
        }
    }

    // MARK: Alerts

    /// The push service discards an alert for an app that may not show it, so this is seldom seen (documented).
    private static let turnedOff = Reaction(
        .none,
        "Nothing: the user has turned notifications off for the app."
    )

    private static func alert(_ traits: Traits, _ state: AppState) -> Reaction {
        var steps: [Step] = []
        // Documented: both are needed. That the extension runs whatever became of the app is observed.
        if traits.isSuperset(of: [.alert, .mutableContent]) {
            steps.append(Step("The service extension may change it first.", [.serviceExtension]))
        }
        let wakes = traits.contains(.contentAvailable) && state != .forceQuit
        if traits.isDisjoint(with: [.alert, .badge, .sound]) {
            steps.append(Step("Nothing is shown: the payload has no alert, badge or sound."))
        } else if state == .foreground {
            let sentence = "No banner, sound or badge by itself: the app is asked, and its answer decides."
            steps.append(Step(sentence, [.willPresent]))
        } else {
            let untilTap =
                wakes ? "" : traits.contains(.alert) ? "; the app is not told until the user taps" : ""
            steps.append(Step("\(shown(traits))\(untilTap)."))
        }
        if traits.contains(.contentAvailable) { steps.append(woken(state)) }
        if traits.contains(.alert), state != .foreground {
            let isLaunched = !state.isRunning && !wakes
            steps.append(
                isLaunched
                    ? Step("A tap launches it.", [.didFinishLaunching, .didReceiveResponse])
                    : Step("", [.didReceiveResponse])
            )
        }
        return Reaction(
            state == .foreground ? .none : presentation(of: traits),
            steps.map(\.sentence).filter { !$0.isEmpty }.joined(separator: " "),
            steps.flatMap(\.callbacks)
        )
    }

    private static func presentation(of traits: Traits) -> Presentation {
        if traits.contains(.alert) { return .banner }
        if traits.contains(.badge) { return .badge }
        return traits.contains(.sound) ? .sound : .none
    }

    /// What is shown, as the beginning of a sentence.
    private static func shown(_ traits: Traits) -> String {
        let parts: [(Traits, String)] = [(.alert, "banner"), (.sound, "sound"), (.badge, "badge")]
        let names = parts.filter { traits.contains($0.0) }.map(\.1)
        let text =
            (names.count > 1 ? names.dropLast().joined(separator: ", ") + " and " : "") + (names.last ?? "")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// What `content-available` does beside an alert.
    ///
    /// Documented for an app that is suspended or does not run, and that one which the user has ended is not woken.
    private static func woken(_ state: AppState) -> Step {
        switch state {
        case .foreground: Step("The app is handed the payload as well.", [.didReceiveRemoteNotification])
        case .background: Step("The app is woken and has 30 seconds.", [.didReceiveRemoteNotification])
        case .terminated:
            Step(
                "The app is launched in the background and has 30 seconds.",
                [.didFinishLaunching, .didReceiveRemoteNotification]
            )
        case .forceQuit: Step("The app is not woken, because the user has ended it.")
        }
    }

    // MARK: For the app alone

    /// Documented, but for the notification without `content-available` (inferred: nothing tells the app).
    private static func background(_ traits: Traits, _ state: AppState) -> Reaction {
        switch state {
        case .foreground, .background:
            guard traits.contains(.contentAvailable) else {
                return Reaction(.none, "Nothing: without \"content-available\": 1 the app is not called.")
            }
            let how = state == .foreground ? "The app is handed it." : "The app is woken and has 30 seconds."
            return Reaction(.none, "Nothing is shown. \(how)", [.didReceiveRemoteNotification])
        case .terminated:
            return Reaction(
                .held,
                "Held until the app is launched; a newer background notification takes its place.",
                [.didFinishLaunching, .didReceiveRemoteNotification]
            )
        case .forceQuit: return Reaction(.dropped, "Dropped, because the user has ended the app.")
        }
    }

    /// Documented: PushKit wakes or launches the app; whether also one that the user ended is observed for calls.
    private static func pushKit(_ summary: String, _ state: AppState) -> Reaction {
        let isRunning = state.isRunning
        return Reaction(
            .none,
            "Nothing is shown. " + (isRunning ? summary : "The app is launched. \(summary)"),
            (isRunning ? [] : [.didFinishLaunching]) + [.pushRegistry]
        )
    }

    /// Documented: an app that does not report the call to CallKit is ended.
    ///
    /// Observed: an app is launched for a call even after the user has ended it.
    private static func call(_ state: AppState) -> Reaction {
        let isRunning = state.isRunning
        return Reaction(
            .call,
            (isRunning ? "The app is handed it" : "The app is launched and handed it")
                + " at once and has to report a call to CallKit, which rings.",
            (isRunning ? [] : [.didFinishLaunching]) + [.pushRegistry]
        )
    }

    /// Documented: pushtotalk/creating-a-push-to-talk-app, an app on a channel is launched in the background.
    ///
    /// Observed: an app that the user has ended is on no channel any more
    /// (https://developer.apple.com/forums/thread/780822).
    private static func pushToTalk(_ state: AppState) -> Reaction {
        guard state != .forceQuit else {
            return Reaction(.dropped, "Dropped: the user has ended the app, and the channel with it.")
        }
        let isRunning = state.isRunning
        return Reaction(
            .pushToTalk,
            "\(isRunning ? "The app" : "The app is launched and") says who speaks, and the system shows it.",
            (isRunning ? [] : [.didFinishLaunching]) + [.pushToTalk]
        )
    }

    /// Documented: activitykit/starting-and-updating-live-activities-with-activitykit-push-notifications.
    ///
    /// Inferred: the alert of an update asks for the permission that other alerts ask for.
    private static func liveActivity(_ traits: Traits, _ state: AppState, _ isAllowed: Bool) -> Reaction {
        let alerts = traits.contains(.alert) && isAllowed
        let summary =
            "The Live Activity is updated on the lock screen and in the Dynamic Island"
            + (alerts ? ", and the update announces itself." : ".")
        return Reaction(
            .liveActivity,
            summary + (state.isRunning ? " The app can observe it." : " The app is not called."),
            state.isRunning ? [.activityContent] : []
        )
    }

    /// A part of what happens.
    private struct Step {
        let sentence: String
        let callbacks: [Callback]

        init(_ sentence: String, _ callbacks: [Callback] = []) {
            self.sentence = sentence
            self.callbacks = callbacks
        }
    }
}
