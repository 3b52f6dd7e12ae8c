internal import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

/// What iOS does with a notification that has reached the device, and which methods of the app it calls.
///
/// What does not depend on the app's state is the `effect` of a `PushKind`. A pure table: push type, payload, app state and permission determine everything. A simulated device does
/// not run iOS, so this describes what to expect from a real one. Sources, unless a row names another:
/// https://developer.apple.com/documentation/ followed by
/// - usernotifications/handling-notifications-and-notification-related-actions (documented),
/// - usernotifications/pushing-background-updates-to-your-app (documented),
/// - uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:)
///   (documented),
/// - usernotifications/unnotificationserviceextension (documented),
/// - pushkit (documented).
package struct Reaction: Equatable, Sendable {
    /// What the user sees or hears.
    package enum Presentation: String, CaseIterable, Sendable {
        /// An alert, with its sound and badge; it is then also in Notification Center.
        case banner
        /// A badge on the app's icon, and a sound if there is one.
        case badge
        /// Only a sound.
        case sound
        case call
        /// Speech on a Push to Talk channel.
        case pushToTalk = "push-to-talk"
        case liveActivity = "live-activity"
        /// A reload of widgets.
        case widget
        /// A reload of controls.
        case control
        /// Nothing; the app may do something.
        case none
        /// Nothing yet: the device holds the notification for the app.
        case held
        /// Nothing: the device dropped the notification.
        case dropped
    }

    /// The relevant contents of a payload.
    package struct Traits: OptionSet, Hashable, Sendable {
        /// `aps.alert` has something to show.
        package static let alert = Traits(rawValue: 1)
        /// `aps.badge` is a number.
        package static let badge = Traits(rawValue: 2)
        /// `aps.sound` names a sound.
        package static let sound = Traits(rawValue: 4)
        /// `aps.content-available` is 1.
        package static let contentAvailable = Traits(rawValue: 8)
        /// `aps.mutable-content` is 1.
        package static let mutableContent = Traits(rawValue: 16)
        /// The payload is not a JSON object.
        package static let unreadable = Traits(rawValue: 32)
        /// The device ignores the push, as an error among its warnings says.
        package static let ignored = Traits(rawValue: 64)
        /// A Live Activity starts.
        package static let start = Traits(rawValue: 128)
        /// A Live Activity ends.
        package static let end = Traits(rawValue: 256)
        /// It is removed when it ends.
        package static let dismissal = Traits(rawValue: 512)
        /// The topic is one of Wallet.
        package static let wallet = Traits(rawValue: 1_024)
        /// The topic is one of a website.
        package static let website = Traits(rawValue: 2_048)
        /// A push to talk is a service update.
        package static let serviceUpdate = Traits(rawValue: 4_096)

        /// The bits.
        package let rawValue: UInt16

        /// Creates traits from bits.
        package init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// A method that iOS calls in the app or one of its extensions, as Apple's documentation names it.
    package enum Callback: String, CaseIterable, Sendable {
        case willPresent = "userNotificationCenter(_:willPresent:withCompletionHandler:)"
        case didReceiveResponse = "userNotificationCenter(_:didReceive:withCompletionHandler:)"
        case didFinishLaunching = "application(_:didFinishLaunchingWithOptions:)"
        case didReceiveRemoteNotification = "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"
        case serviceExtension = "UNNotificationServiceExtension.didReceive(_:withContentHandler:)"
        case pushRegistry = "pushRegistry(_:didReceiveIncomingPushWith:for:completion:)"
        case pushToTalk = "incomingPushResult(channelManager:channelUUID:pushPayload:)"
        case serviceUpdate =
            "incomingServiceUpdatePush(channelManager:channelUUID:pushPayload:isHighPriority:remainingHighPriorityBudget:completion:)"
        case locationPush = "CLLocationPushServiceExtension.didReceiveLocationPushPayload(_:completion:)"
        case activityStart = "Activity.activityUpdates"
        case activityContent = "Activity.contentUpdates"
        case activityState = "Activity.activityStateUpdates"
        case widgetTimeline = "TimelineProvider.getTimeline(in:completion:)"
        case controlValue = "ControlValueProvider.currentValue()"
    }

    /// The description, in a sentence or two.
    package let summary: String
    /// What the user sees or hears.
    package let presentation: Presentation
    /// The methods that iOS calls, in order; those for a tap are called when the user taps.
    package let callbacks: [Callback]

    private init(_ presentation: Presentation, _ summary: String, _ callbacks: [Callback] = []) {
        self.summary = summary
        self.presentation = presentation
        self.callbacks = callbacks
    }

    /// Returns the reaction, also for cases in which the push service stores or discards the notification.
    package static func of(
        _ type: PushType, traits: Traits, appState state: AppState, allowsNotifications isAllowed: Bool
    ) -> Reaction {
        if traits.contains(.unreadable) {
            return Reaction(.none, "Nothing: the payload is not a JSON object, so the device drops it.")
        }
        if let reaction = special(traits) { return reaction }
        if traits.contains(.ignored), type != .background { return ignored }
        return switch type {
        // Documented: accessorynotifications/responding-to-forwarded-notifications.
        case .accessory: Reaction(.none, PushKind.accessory.row.effect)
        // Documented: the push service discards an alert if the app may not show it, so this is rare.
        case .alert where !isAllowed: Reaction(.none, "Nothing: the user has turned notifications off for the app.")
        case .alert: alert(traits, state)
        case .background: background(traits, state)
        case .complication:
            // Documented: PushKit wakes or launches the app.
            Reaction(
                .none,
                (state.isRunning ? "Nothing is shown." : "Nothing is shown. The app is launched.")
                    + " The app is handed it by PushKit and updates the complication on the watch.",
                launch(state) + [.pushRegistry])
        // Documented: a File Provider extension registers for these, and extensions have no app state.
        case .fileprovider: Reaction(.none, PushKind.fileProvider.row.effect, [.pushRegistry])
        case .liveactivity: liveActivity(traits, state, isAllowed)
        // Documented: corelocation/cllocationpushserviceextension, which runs even when the app does not.
        case .location: Reaction(.none, PushKind.location.row.effect, [.locationPush])
        // Documented: devicemanagement. The device contacts its management server; apps are not involved.
        case .mdm: Reaction(.none, PushKind.deviceManagement.row.effect)
        case .pushtotalk: pushToTalk(traits, state)
        case .voip: call(state)
        // Documented: widgetkit/updating-widgets-with-widgetkit-push-notifications.
        case .widgets: Reaction(.widget, PushKind.widgets.row.effect, [.widgetTimeline])
        // Documented: widgetkit/updating-controls-locally-and-remotely.
        case .controls: Reaction(.control, PushKind.controls.row.effect, [.controlValue])
        }
    }

    private static func alert(_ traits: Traits, _ state: AppState) -> Reaction {
        var sentences: [String] = []
        var callbacks: [Callback] = []
        // Documented: both are needed. That the extension runs in every app state is observed.
        if traits.isSuperset(of: [.alert, .mutableContent]) {
            sentences.append("The service extension may change it first.")
            callbacks.append(.serviceExtension)
        }
        let wakes = traits.contains(.contentAvailable) && state != .forceQuit
        if traits.isDisjoint(with: [.alert, .badge, .sound]) {
            sentences.append("Nothing is shown: the payload has no text, badge or sound that iOS reads.")
        } else if state == .foreground {
            sentences.append("No banner, sound or badge by itself: the app is asked, and its answer decides.")
            callbacks.append(.willPresent)
        } else {
            let untilTap = wakes ? "" : traits.contains(.alert) ? "; the app is not told until the user taps" : ""
            sentences.append("\(shown(traits))\(untilTap).")
        }
        if traits.contains(.contentAvailable) { sentences.append(waking(state)) }
        if wakes { callbacks += launch(state) + [.didReceiveRemoteNotification] }
        if traits.contains(.alert), state != .foreground {
            if !state.isRunning, !wakes {
                sentences.append("A tap launches it.")
                callbacks.append(.didFinishLaunching)
            }
            callbacks.append(.didReceiveResponse)
        }
        let presentation = state == .foreground ? .none : presentation(of: traits)
        return Reaction(presentation, sentences.joined(separator: " "), callbacks)
    }

    private static func presentation(of traits: Traits) -> Presentation {
        if traits.contains(.alert) { return .banner }
        if traits.contains(.badge) { return .badge }
        return traits.contains(.sound) ? .sound : .none
    }

    /// Returns what is shown, as the beginning of a sentence.
    private static func shown(_ traits: Traits) -> String {
        switch (traits.contains(.alert), traits.contains(.sound), traits.contains(.badge)) {
        case (true, true, true): "Banner, sound and badge"
        case (true, true, false): "Banner and sound"
        case (true, false, true): "Banner and badge"
        case (true, false, false): "Banner"
        case (false, true, true): "Sound and badge"
        case (false, true, false): "Sound"
        case (false, false, true): "Badge"
        case (false, false, false): ""
        }
    }

    /// Documented for an app that is suspended or not running, and that one that was force-quit is not woken.
    private static func waking(_ state: AppState) -> String {
        switch state {
        case .foreground: "The app is handed the payload as well."
        case .background: "The app is woken and has 30 seconds."
        case .terminated: "The app is launched in the background and has 30 seconds."
        case .forceQuit: "The app is not woken, because the user has ended it."
        }
    }

    /// Documented, except for the notification without `content-available` (inferred: the app is not
    /// informed).
    private static func background(_ traits: Traits, _ state: AppState) -> Reaction {
        guard traits.contains(.contentAvailable) else {
            return Reaction(.none, "Nothing: without \"content-available\": 1 the app is not called.")
        }
        switch state {
        case .foreground, .background:
            let how = state == .foreground ? "The app is handed it." : "The app is woken and has 30 seconds."
            return Reaction(.none, "Nothing is shown. \(how)", [.didReceiveRemoteNotification])
        case .terminated:
            return Reaction(
                .held, "Held until the app is launched; a newer background notification takes its place.",
                [.didFinishLaunching, .didReceiveRemoteNotification])
        case .forceQuit: return Reaction(.dropped, "Dropped, because the user has ended the app.")
        }
    }

    // Documented: an app that does not report the call to CallKit is terminated.
    // Observed: an app is launched for a call even after a force quit.
    private static func call(_ state: AppState) -> Reaction {
        Reaction(
            .call,
            (state.isRunning ? "The app is handed it" : "The app is launched and handed it")
                + " at once and has to report a call to CallKit, which rings.", launch(state) + [.pushRegistry])
    }

    // Documented: pushtotalk/creating-a-push-to-talk-app, an app that joined a channel is launched in the
    // background. Observed: a force quit makes the app leave its channel
    // (https://developer.apple.com/forums/thread/780822).
    // Staff, for service updates: https://developer.apple.com/forums/thread/787878.
    private static func pushToTalk(_ traits: Traits, _ state: AppState) -> Reaction {
        guard state != .forceQuit else {
            return Reaction(.dropped, "Dropped: the user has ended the app, and the channel with it.")
        }
        if traits.contains(.serviceUpdate) {
            return Reaction(
                .none,
                "Nothing is shown. The app is \(state.isRunning ? "" : "launched and ")handed the service update.",
                launch(state) + [.serviceUpdate])
        }
        return Reaction(
            .pushToTalk,
            (state.isRunning ? "The app" : "The app is launched and") + " says who speaks, and the system shows it.",
            launch(state) + [.pushToTalk])
    }

    // Documented: walletpasses/adding-a-web-service-to-update-passes, and Apple's archived "Notification
    // Programming Guide for Websites". Apps are not involved.
    private static func special(_ traits: Traits) -> Reaction? {
        if traits.contains(.wallet) { return Reaction(.none, PushKind.wallet.row.effect) }
        guard traits.contains(.website) else { return nil }
        if traits.contains(.ignored) { return ignored }
        return traits.contains(.alert)
            ? Reaction(.banner, PushKind.website.row.effect)
            : Reaction(.none, "Nothing is shown: the payload has no text that Safari reads.")
    }

    private static let ignored = Reaction(.none, "Nothing: the device ignores the push, as its warnings say.")

    /// The reaction to a push that no Live Activity took.
    package static func ignored(_ refusal: ActivityRefusal) -> Reaction {
        Reaction(.none, "Nothing: the device ignores the push. \(refusal.text)")
    }

    // Documented: activitykit/starting-and-updating-live-activities-with-activitykit-push-notifications.
    // Inferred: the alert of an update requires the same permission as other alerts.
    private static func liveActivity(_ traits: Traits, _ state: AppState, _ isAllowed: Bool) -> Reaction {
        let alert = traits.contains(.alert) && isAllowed ? ", with its alert" : ""
        if traits.contains(.start) {
            return Reaction(
                .liveActivity,
                "A Live Activity starts on the lock screen and in the Dynamic Island\(alert)."
                    + " The app is woken in the background.", [.activityStart])
        }
        let isEnd = traits.contains(.end)
        let summary =
            switch (isEnd, traits.contains(.dismissal)) {
            case (true, true): "The Live Activity ends\(alert) and is removed at once."
            case (true, false):
                "The Live Activity ends\(alert). The lock screen keeps it for up to four hours, or until its"
                    + " dismissal-date."
            case (false, _): "The lock screen and the Dynamic Island show the new state of the Live Activity\(alert)."
            }
        return state.isRunning
            ? Reaction(.liveActivity, summary + " The app can observe it.", [isEnd ? .activityState : .activityContent])
            : Reaction(.liveActivity, summary + " The app is not called.")
    }

    private static func launch(_ state: AppState) -> [Callback] { state.isRunning ? [] : [.didFinishLaunching] }
}

extension Reaction {
    /// Returns the reaction to a push as a device reads it.
    package static func of(_ reading: PayloadReading, appState: AppState, allowsNotifications: Bool) -> Reaction {
        of(reading.type, traits: Traits(reading), appState: appState, allowsNotifications: allowsNotifications)
    }

    /// Returns the reaction of the device that a push has reached, or would reach.
    ///
    /// What its Live Activities did with the push is known then, also if the payload alone has no fault.
    package static func of(_ facts: PushFacts, appState: AppState, allowsNotifications: Bool) -> Reaction {
        let own = facts.reading.special == nil ? facts.reading.activity?.refusal : nil
        if let refusal = facts.record.delivery?.refusal ?? own { return ignored(refusal) }
        return of(facts.reading, appState: appState, allowsNotifications: allowsNotifications)
    }
}

extension Reaction.Traits {
    /// Reads the traits of a payload.
    package init(_ reading: PayloadReading) {
        let activity = reading.activity
        self = []
        add(.alert, if: reading.alert.hasText)
        add(.badge, if: reading.badge.number != nil)
        add(.sound, if: reading.sound.isHeard)
        add(.contentAvailable, if: reading.isContentAvailable)
        add(.mutableContent, if: reading.isContentMutable)
        add(.unreadable, if: reading.payload?.isObject != true)
        add(.ignored, if: reading.isIgnored)
        add(.start, if: activity?.event == .start)
        add(.end, if: activity?.event == .end)
        add(.dismissal, if: activity?.isDismissedAtOnce == true)
        add(.wallet, if: reading.special == .wallet)
        add(.website, if: reading.special == .website)
        add(.serviceUpdate, if: reading.isServiceUpdate)
    }

    private mutating func add(_ trait: Reaction.Traits, if isThere: Bool) { if isThere { insert(trait) } }
}
