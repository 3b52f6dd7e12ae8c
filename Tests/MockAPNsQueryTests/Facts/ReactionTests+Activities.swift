import MockAPNsQuery
import MockAPNsRules
import MockAPNsWorld

extension ReactionTests {
    /// Live Activities, topics that are not an app's, and payloads that the device drops.
    static let activities = [
        Case(
            .liveactivity, .alert, running, .liveActivity,
            "The lock screen and the Dynamic Island show the new state of the Live Activity, with its alert."
                + " The app can observe it.", [.activityContent]),
        Case(
            .liveactivity, [.start, .alert], AppState.allCases, .liveActivity,
            "A Live Activity starts on the lock screen and in the Dynamic Island, with its alert."
                + " The app is woken in the background.", [.activityStart]),
        Case(
            .liveactivity, .end, running, .liveActivity,
            "The Live Activity ends. The lock screen keeps it for up to four hours, or until its dismissal-date."
                + " The app can observe it.", [.activityState]),
        Case(
            .liveactivity, [.end, .dismissal], launched, .liveActivity,
            "The Live Activity ends and is removed at once. The app is not called."),
        Case(
            .liveactivity, [.start, .alert, .ignored], AppState.allCases, .none,
            "Nothing: the device ignores the push, as its warnings say."),
        Case(
            .voip, .unreadable, AppState.allCases, .none,
            "Nothing: the payload is not a JSON object, so the device drops it."),
        Case(
            .alert, [.alert, .wallet], AppState.allCases, .none,
            "Nothing is shown. Wallet asks the web service of the pass what has changed, and gets the new pass."),
        Case(
            .alert, [.alert, .website], AppState.allCases, .banner,
            "Safari on a Mac shows a notification of the website; a click opens its address."),
        Case(
            .alert, [.alert, .website, .ignored], AppState.allCases, .none,
            "Nothing: the device ignores the push, as its warnings say."),
        Case(
            .widgets, .ignored, AppState.allCases, .none, "Nothing: the device ignores the push, as its warnings say."),
        Case(
            .liveactivity, [], launched, .liveActivity,
            "The lock screen and the Dynamic Island show the new state of the Live Activity. The app is not called."),
    ]
}
