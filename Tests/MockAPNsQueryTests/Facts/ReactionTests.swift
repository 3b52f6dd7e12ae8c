import MockAPNsQuery
import MockAPNsRules
import MockAPNsWorld
import Testing

@Suite struct ReactionTests {
    /// A notification and the state of its app, with what iOS does.
    struct Case: Sendable, CustomTestStringConvertible {
        let type: PushType
        let traits: Reaction.Traits
        let states: [AppState]
        let presentation: Reaction.Presentation
        let summary: String
        let callbacks: [Reaction.Callback]
        var testDescription: String { "\(type) \(traits.rawValue) \(states)" }

        init(
            _ type: PushType, _ traits: Reaction.Traits, _ states: [AppState], _ presentation: Reaction.Presentation,
            _ summary: String, _ callbacks: [Reaction.Callback] = []
        ) {
            self.type = type
            self.traits = traits
            self.states = states
            self.presentation = presentation
            self.summary = summary
            self.callbacks = callbacks
        }
    }

    private static let all: Reaction.Traits = [.alert, .sound, .badge]
    private static let silent: Reaction.Traits = .contentAvailable
    static let launched: [AppState] = [.terminated, .forceQuit]
    static let running: [AppState] = [.foreground, .background]

    static let alerts = [
        Case(
            .alert, all, [.foreground], .none,
            "No banner, sound or badge by itself: the app is asked, and its answer decides.", [.willPresent]),
        Case(
            .alert, all, [.background], .banner, "Banner, sound and badge; the app is not told until the user taps.",
            [.didReceiveResponse]),
        Case(
            .alert, all, launched, .banner,
            "Banner, sound and badge; the app is not told until the user taps. A tap launches it.",
            [.didFinishLaunching, .didReceiveResponse]),
        Case(
            .alert, .alert, [.background], .banner, "Banner; the app is not told until the user taps.",
            [.didReceiveResponse]),
        Case(
            .alert, [.alert, .badge], [.background], .banner,
            "Banner and badge; the app is not told until the user taps.", [.didReceiveResponse]),
        Case(.alert, .badge, [.background, .terminated, .forceQuit], .badge, "Badge."),
        Case(.alert, .sound, [.background], .sound, "Sound."),
        Case(.alert, [.badge, .sound], [.terminated], .badge, "Sound and badge."),
        Case(
            .alert, .badge, [.foreground], .none,
            "No banner, sound or badge by itself: the app is asked, and its answer decides.", [.willPresent]),
        Case(
            .alert, [], AppState.allCases, .none,
            "Nothing is shown: the payload has no text, badge or sound that iOS reads."),
        Case(
            .alert, .mutableContent, [.background], .none,
            "Nothing is shown: the payload has no text, badge or sound that iOS reads."),
        Case(
            .alert, [.alert, .mutableContent], [.background], .banner,
            "The service extension may change it first. Banner; the app is not told until the user taps.",
            [.serviceExtension, .didReceiveResponse]),
        Case(
            .alert, [.alert, .mutableContent], [.foreground], .none,
            "The service extension may change it first."
                + " No banner, sound or badge by itself: the app is asked, and its answer decides.",
            [.serviceExtension, .willPresent]),
        Case(
            .alert, [.alert, .contentAvailable], [.foreground], .none,
            "No banner, sound or badge by itself: the app is asked, and its answer decides."
                + " The app is handed the payload as well.", [.willPresent, .didReceiveRemoteNotification]),
        Case(
            .alert, [.alert, .contentAvailable], [.background], .banner, "Banner. The app is woken and has 30 seconds.",
            [.didReceiveRemoteNotification, .didReceiveResponse]),
        Case(
            .alert, [.alert, .contentAvailable], [.terminated], .banner,
            "Banner. The app is launched in the background and has 30 seconds.",
            [.didFinishLaunching, .didReceiveRemoteNotification, .didReceiveResponse]),
        Case(
            .alert, [.alert, .contentAvailable], [.forceQuit], .banner,
            "Banner; the app is not told until the user taps. The app is not woken, because the user has ended it."
                + " A tap launches it.", [.didFinishLaunching, .didReceiveResponse]),
    ]

    static let forTheApp = [
        Case(
            .background, silent, [.foreground], .none, "Nothing is shown. The app is handed it.",
            [.didReceiveRemoteNotification]),
        Case(
            .background, silent, [.background], .none, "Nothing is shown. The app is woken and has 30 seconds.",
            [.didReceiveRemoteNotification]),
        Case(
            .background, [], AppState.allCases, .none,
            "Nothing: without \"content-available\": 1 the app is not called."),
        Case(
            .background, silent, [.terminated], .held,
            "Held until the app is launched; a newer background notification takes its place.",
            [.didFinishLaunching, .didReceiveRemoteNotification]),
        Case(.background, silent, [.forceQuit], .dropped, "Dropped, because the user has ended the app."),
        Case(
            .voip, [], running, .call, "The app is handed it at once and has to report a call to CallKit, which rings.",
            [.pushRegistry]),
        Case(
            .voip, [], launched, .call,
            "The app is launched and handed it at once and has to report a call to CallKit, which rings.",
            [.didFinishLaunching, .pushRegistry]),
        Case(.pushtotalk, [], running, .pushToTalk, "The app says who speaks, and the system shows it.", [.pushToTalk]),
        Case(
            .pushtotalk, [], [.terminated], .pushToTalk,
            "The app is launched and says who speaks, and the system shows it.", [.didFinishLaunching, .pushToTalk]),
        Case(.pushtotalk, [], [.forceQuit], .dropped, "Dropped: the user has ended the app, and the channel with it."),
        Case(
            .pushtotalk, .serviceUpdate, running, .none, "Nothing is shown. The app is handed the service update.",
            [.serviceUpdate]),
        Case(
            .pushtotalk, .serviceUpdate, [.terminated], .none,
            "Nothing is shown. The app is launched and handed the service update.",
            [.didFinishLaunching, .serviceUpdate]),
        Case(
            .complication, [], running, .none,
            "Nothing is shown. The app is handed it by PushKit and updates the complication on the watch.",
            [.pushRegistry]),
        Case(
            .complication, [], launched, .none,
            "Nothing is shown. The app is launched."
                + " The app is handed it by PushKit and updates the complication on the watch.",
            [.didFinishLaunching, .pushRegistry]),
        Case(
            .location, [], AppState.allCases, .none,
            "Nothing is shown. The location push extension runs, if the app may always use the location.",
            [.locationPush]),
        Case(
            .fileprovider, [], AppState.allCases, .none,
            "Nothing is shown. The File Provider extension is handed it and tells the system what changed.",
            [.pushRegistry]),
        Case(
            .accessory, [], AppState.allCases, .none,
            "Nothing is shown. The system decrypts what the user did on the accessory, and the data provider"
                + " extension is handed it."),
        Case(.mdm, [], AppState.allCases, .none, "Nothing is shown. The device connects to its management server."),
        Case(
            .widgets, [], AppState.allCases, .widget,
            "The app's widgets are reloaded, as far as their budget allows. The app is not called.", [.widgetTimeline]),
        Case(
            .controls, [], AppState.allCases, .control, "The app's controls are reloaded. The app is not called.",
            [.controlValue]),
    ]

    @Test(arguments: alerts + forTheApp + activities) func `iOS reacts to each push as its source says`(known: Case) {
        for state in known.states {
            let reaction = Reaction.of(known.type, traits: known.traits, appState: state, allowsNotifications: true)
            #expect(reaction.presentation == known.presentation)
            #expect(reaction.summary == known.summary)
            #expect(reaction.callbacks == known.callbacks)
        }
    }

    @Test func `every push type, trait and app state has a readable reaction`() {
        let traits = (UInt16(0)..<1_024).map { Reaction.Traits(rawValue: $0) }
        for type in PushType.allCases {
            for state in AppState.allCases {
                for (traits, isAllowed) in traits.flatMap({ [($0, true), ($0, false)] }) {
                    let reaction = Reaction.of(type, traits: traits, appState: state, allowsNotifications: isAllowed)
                    let summary = reaction.summary
                    #expect(summary.hasSuffix(".") && !summary.contains("..") && !summary.contains("  "))
                    #expect(summary.first?.isUppercase == true)
                    #expect(Set(reaction.callbacks).count == reaction.callbacks.count)
                    // What was thrown away is not handed to anybody.
                    if reaction.presentation == .dropped { #expect(reaction.callbacks.isEmpty) }
                    // Nothing is shown by itself in an app that is on the screen, but what the system owns.
                    if state == .foreground { #expect(![.banner, .badge, .sound].contains(reaction.presentation)) }
                }
            }
        }
    }

    @Test(arguments: AppState.allCases) func `an app that may not show alerts shows none`(state: AppState) {
        let reaction = Reaction.of(.alert, traits: Self.all, appState: state, allowsNotifications: false)
        #expect(reaction.presentation == .none)
        #expect(reaction.callbacks.isEmpty)
        let background = [true, false].map {
            Reaction.of(.background, traits: Self.silent, appState: state, allowsNotifications: $0)
        }
        #expect(background[0] == background[1])
        let activity = Reaction.of(.liveactivity, traits: .alert, appState: state, allowsNotifications: false)
        #expect(!activity.summary.contains("announces"))
    }

    @Test func `a method is called as Apple calls it`() {
        for callback in Reaction.Callback.allCases {
            #expect(callback.rawValue.hasSuffix(")") || callback.rawValue.hasSuffix("Updates"))
        }
    }
}
