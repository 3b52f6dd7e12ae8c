import MockAPNsFormats

@testable import MockAPNsWorld

extension ActivityStory {
    static let all: [ActivityStory] = starting + updating + ending + beingAway + following + begun

    private static let hour = 3_600.0
    private static let begun1: Line = (.start(), "started 1")

    /// What changes an activity, and what it ignores.
    private static let updating: [ActivityStory] = [
        ActivityStory(
            "an update changes the content", [begun1, (.update(2), "updated 1"), (.look, #"1 active {"n":2}"#)]),
        ActivityStory(
            "an update that is older than the last one is ignored",
            [
                begun1, (.wait(60), ""), (.update(2, dates: ["timestamp": 50]), "updated 1"),
                (.update(3, dates: ["timestamp": 40]), "ignored 1 stale-timestamp"),
                (.update(4, dates: ["timestamp": 50]), "updated 1"), (.look, #"1 active {"n":4}"#),
                (.ignored, "stale-timestamp"),
            ]),
        ActivityStory(
            "an update from the past is ignored",
            [begun1, (.wait(1_000), ""), (.update(2, dates: ["timestamp": 500]), "ignored 1 past-timestamp")]),
        ActivityStory(
            "an update from far ahead is ignored",
            [
                begun1, (.update(2, dates: ["timestamp": 8 * hour + 1]), "ignored 1 future-timestamp"),
                (.update(3, dates: ["timestamp": 8 * hour]), "updated 1"), (.update(4), "ignored 1 stale-timestamp"),
            ]),
        ActivityStory(
            "an update without content is ignored",
            [begun1, (.update(2, ["content-state": .null]), "ignored 1 missing-content-state")]),
        ActivityStory(
            "an update without a timestamp is ignored",
            [begun1, (.update(2, ["timestamp": .null]), "ignored 1 missing-timestamp")]),
        ActivityStory(
            "an update in milliseconds is ignored",
            [begun1, (.update(2, ["timestamp": 1_754_040_000_000]), "ignored 1 timestamp-unit")]),
        ActivityStory(
            "an update with an unknown event is ignored",
            [
                begun1, (.update(2, ["event": "updated"]), "ignored 1 unknown-event"),
                (.body("{}", to: .activity), "ignored 1 no-aps"),
            ]),
        ActivityStory(
            "attributes and content have 4,096 bytes together at most",
            [
                (.start(["attributes": ["a": .string(String(repeating: "a", count: 3_000))]]), "started 1"),
                (.update(2, ["content-state": ["a": .string(String(repeating: "b", count: 1_080))]]), "updated 1"),
                (
                    .update(2, ["content-state": ["a": .string(String(repeating: "b", count: 1_081))]]),
                    "ignored 1 activity-too-large"
                ),
            ]),
        ActivityStory(
            "the latest five ignored pushes are listed",
            [begun1, (.update(2, ["timestamp": .null]), "ignored 1 missing-timestamp")]
                + (1...5).map { _ in (.update(2, ["content-state": 1]), "ignored 1 content-state-form") } + [
                    (.ignored, Array(repeating: "content-state-form", count: 5).joined(separator: ", "))
                ]),
        ActivityStory(
            "content becomes stale at its date",
            [
                (.start(dates: ["stale-date": 60]), "started 1"), (.wait(59), ""), (.wait(1), "stale 1 stale-date"),
                (.look, #"1 stale {"n":1}"#), (.wait(60), ""), (.update(2), "updated 1"), (.look, #"1 active {"n":2}"#),
            ]),
        ActivityStory(
            "an update without a date is never stale",
            [(.start(dates: ["stale-date": 60]), "started 1"), (.update(2), "updated 1"), (.wait(100), "")]),
        ActivityStory(
            "an update moves the date",
            [
                (.start(dates: ["stale-date": 60]), "started 1"), (.update(2, dates: ["stale-date": 120]), "updated 1"),
                (.wait(100), ""), (.wait(20), "stale 1 stale-date"),
            ]),
        ActivityStory(
            "an update from a date in the past is stale at once",
            [begun1, (.update(2, dates: ["stale-date": -1]), "updated 1"), (.look, #"1 stale {"n":2}"#)]),
        ActivityStory(
            "another token takes the place of the first",
            [
                begun1, (.wait(10), ""), (.rotate, #"1 active {"n":1}"#), (.wait(10), ""),
                (.push("update", to: .old, [:], dates: [:]), "410 ExpiredToken at 10"), (.update(2), "updated 1"),
            ]),
        ActivityStory(
            "without a token there is none to replace",
            [(.rotate, "none"), (.start(["input-push-token": .null]), "started 1"), (.rotate, "badValue")]),
    ]

    /// How activities end.
    private static let ending: [ActivityStory] = [
        ActivityStory(
            "after its end, the token has expired",
            [
                begun1, (.wait(100), ""), (.end(), "ended 1"), (.wait(10), ""), (.update(2), "410 ExpiredToken at 100"),
                (.end(), "410 ExpiredToken at 100"), (.look, #"1 ended {"n":1}"#),
            ]),
        ActivityStory(
            "an end with an old timestamp works",
            [begun1, (.wait(1_000), ""), (.update(2), "updated 1"), (.end(dates: ["timestamp": -10]), "ended 1")]),
        ActivityStory(
            "an end without content leaves the content before",
            [
                begun1, (.update(2), "updated 1"), (.end(["content-state": .null]), "ended 1"),
                (.look, #"1 ended {"n":2}"#),
            ]),
        ActivityStory(
            "an end with content shows it",
            [begun1, (.end(["content-state": ["n": 9]]), "ended 1"), (.look, #"1 ended {"n":9}"#)]),
        ActivityStory(
            "a dismissal date in the past dismisses at once",
            [begun1, (.end(dates: ["dismissal-date": -1]), "ended 1"), (.look, #"1 dismissed {"n":1}"#)]),
        ActivityStory(
            "a dismissal date dismisses at its time",
            [
                begun1, (.end(dates: ["dismissal-date": hour]), "ended 1"), (.wait(hour - 1), ""),
                (.wait(1), "dismissed 1 dismissal-date"), (.look, #"1 dismissed {"n":1}"#),
            ]),
        ActivityStory(
            "without a date it is dismissed after 4 hours",
            [begun1, (.end(), "ended 1"), (.wait(4 * hour - 1), ""), (.wait(1), "dismissed 1 dismissal-date")]),
        ActivityStory(
            "a date after more than 4 hours is not waited for",
            [
                begun1, (.end(dates: ["dismissal-date": 10 * hour]), "ended 1"),
                (.wait(4 * hour), "dismissed 1 dismissal-date"),
            ]),
        ActivityStory(
            "it runs for 8 hours and is shown for 4 more",
            [
                begun1, (.wait(8 * hour - 1), ""), (.update(2), "updated 1"), (.wait(1), "ended 1 lifetime"),
                (.update(3), "410 ExpiredToken at 28800"), (.wait(4 * hour - 1), ""),
                (.wait(1), "dismissed 1 dismissal-date"),
            ]),
        ActivityStory(
            "a long wait tells everything in its order",
            [
                (.start(dates: ["stale-date": 60]), "started 1"),
                (.wait(24 * hour), "stale 1 stale-date, ended 1 lifetime, dismissed 1 dismissal-date"),
            ]),
        ActivityStory(
            "the user dismisses it",
            [
                begun1, (.wait(5), ""), (.dismiss, #"1 dismissed {"n":1}"#), (.update(), "410 ExpiredToken at 5"),
                (.dismiss, #"1 dismissed {"n":1}"#), (.rotate, "badValue"), (.wait(24 * hour), ""),
            ]),
        ActivityStory(
            "the user dismisses what has ended",
            [begun1, (.end(), "ended 1"), (.dismiss, #"1 dismissed {"n":1}"#), (.wait(4 * hour), "")]),
        ActivityStory("without an activity there is none to dismiss", [(.dismiss, "none")]),
        ActivityStory(
            "an uninstalled app has no activities",
            [
                begun1, (.wait(7), ""), (.app(.state(.uninstalled)), "ended 1 uninstalled, dismissed 1 uninstalled"),
                (.update(), "410 Unregistered at 7"), (.start(), "410 Unregistered at 7"),
                (.app(.state(.registered)), ""), (.start(), "started 2"),
                (.push("update", to: .old, [:], dates: [:]), "410 Unregistered at 7"),
            ]),
        ActivityStory(
            "the token of a deleted device is unknown",
            [begun1, (.forget, ""), (.push("update", to: .old, [:], dates: [:]), "delivered")]),
    ]

    /// What happens while the device is away.
    private static let beingAway: [ActivityStory] = [
        ActivityStory(
            "a stored start starts when the device is back",
            [
                (.offline, ""), (.start(), "stored"), (.look, ""), (.wait(hour), ""), (.online, "started 1 push"),
                (.look, #"1 active {"n":1}"#),
            ]),
        ActivityStory(
            "a stored update changes it when the device is back",
            [
                begun1, (.offline, ""), (.update(2), "stored"), (.wait(hour), ""), (.look, #"1 active {"n":1}"#),
                (.online, "updated 1 push"), (.look, #"1 active {"n":2}"#),
            ]),
        ActivityStory(
            "the newest of stored updates is the one that counts",
            [
                begun1, (.offline, ""), (.update(2), "stored"), (.update(3), "stored"), (.online, "updated 1 push"),
                (.look, #"1 active {"n":3}"#),
            ]),
        ActivityStory(
            "it ends while the device is away",
            [
                begun1, (.offline, ""), (.update(2), "stored"), (.wait(8 * hour), "ended 1 lifetime"), (.online, ""),
                (.look, #"1 ended {"n":1}"#),
            ]),
        ActivityStory(
            "a stored push that is ignored does nothing",
            [
                begun1, (.offline, ""), (.update(2, ["content-state": .null]), "stored"), (.online, ""),
                (.ignored, "missing-content-state"),
            ]),
    ]

    private static let follows: Line = (.start(["input-push-channel": "it"]), "started 1")

    private static func sent(_ number: Int64) -> Step {
        .broadcast("update", ["content-state": ["n": .integer(number)]], dates: [:])
    }

    /// Activities that follow a channel.
    private static let following: [ActivityStory] = [
        ActivityStory(
            "a broadcast starts nothing",
            [follows, (.broadcast("start", [:], dates: [:]), "delivered 1 broadcast-start")]),
        ActivityStory(
            "a broadcast may be larger than an activity",
            [
                follows,
                (
                    .broadcast(
                        "update", ["content-state": ["a": .string(String(repeating: "b", count: 4_200))]], dates: [:]),
                    "delivered 1 activity-too-large"
                ),
            ]),
        ActivityStory(
            "a broadcast that ends it ends its subscription",
            [
                follows, (.broadcast("end", [:], dates: [:]), "delivered 1"), (.look, #"1 ended {"n":1} no token"#),
                (sent(2), "nobody"),
            ]),
        ActivityStory(
            "two activities on a channel both follow it, and one of them after the other",
            [
                follows, (.start(["input-push-channel": "it"]), "started 2"), (sent(2), "delivered 2"),
                (.look, #"1 active {"n":2} no token, 2 active {"n":2} no token"#),
                (.dismiss, #"2 dismissed {"n":2} no token"#), (sent(3), "delivered 1"),
            ]),
        ActivityStory(
            "the subscription that the older activity made goes on for the newer one",
            [
                follows, (.wait(hour), ""), (.start(["input-push-channel": "it"]), "started 2"),
                (.wait(7 * hour), "ended 1 lifetime"), (sent(2), "delivered 2"), (.wait(hour), "ended 2 lifetime"),
                (sent(3), "nobody"),
            ]),
        ActivityStory(
            "an activity that follows no channel keeps no subscription",
            [
                follows, (.wait(hour), ""), (.start(), "started 2"), (.wait(7 * hour), "ended 1 lifetime"),
                (sent(2), "nobody"),
            ]),
        ActivityStory(
            "a dismissed activity follows nothing",
            [follows, (.dismiss, #"1 dismissed {"n":1} no token"#), (sent(2), "nobody")]),
        ActivityStory(
            "a stored broadcast changes it when the device is back",
            [
                follows, (.offline, ""), (sent(2), "stored"), (.online, "updated 1 broadcast"),
                (.look, #"1 active {"n":2} no token"#),
            ]),
        ActivityStory(
            "a device that is subscribed without it stays subscribed",
            [
                (.subscribe, ""), follows, (.broadcast("end", [:], dates: [:]), "delivered 1"),
                (sent(2), "delivered 1 activity-ended"), (.dismiss, #"1 dismissed {"n":1} no token"#),
                (sent(3), "delivered"),
            ]),
    ]

    /// Activities that the app starts itself.
    private static let begun: [ActivityStory] = [
        ActivityStory(
            "the app's own activity has a token",
            [(.begin(["content-state": ["n": 3]]), #"1 active {"n":3}"#), (.update(4), "updated 1")]),
        ActivityStory(
            "the app's own activity follows a channel",
            [(.begin(["channel": true]), "1 active {} no token"), (sent(4), "delivered 1")]),
        ActivityStory(
            "an app that is not there starts nothing", [(.begin(["topic": "com.example.other"]), "badValue /topic")]),
        ActivityStory("iOS 16.0 has no activities", os: "16.0", [(.begin([:]), "badValue ")]),
        ActivityStory("iOS 16.1 has them", os: "16.1", [(.begin([:]), "1 active {}"), (.update(2), "updated 1")]),
        ActivityStory(
            "the app's own activities are counted",
            (1...5).map { (.begin([:]), "\($0) active {}") } + [(.begin([:]), "tooMany ")]),
        ActivityStory(
            "the app's own activity has a largest size",
            [
                (.begin(["attributes": ["a": .string(String(repeating: "a", count: 4_090))]]), "badValue /attributes"),
                (.begin(["attributes": [1]]), "badValue /attributes"),
            ]),
    ]
}
