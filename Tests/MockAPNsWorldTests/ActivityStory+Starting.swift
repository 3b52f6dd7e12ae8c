import MockAPNsFormats

@testable import MockAPNsWorld

extension ActivityStory {
    private static let active = #"1 active {"n":1}"#

    /// What starts an activity, and what does not.
    static let starting: [ActivityStory] =
        [
            ActivityStory(
                "a start makes an activity with an update token", [(.start(), "started 1"), (.look, active)]),
            ActivityStory(
                "without input-push-token, a start makes no update token",
                [
                    (.start(["input-push-token": .null]), "started 1"), (.look, active + " no token"),
                    (.update(), "no token"),
                ]),
            ActivityStory(
                "before iOS 18, every start makes an update token", os: "17.4",
                [(.start(["input-push-token": .null]), "started 1"), (.look, active), (.update(), "updated 1")]),
            ActivityStory("iOS 17.2 starts activities by push", os: "17.2", [(.start(), "started 1")]),
            ActivityStory("iOS 17.1 does not", os: "17.1", [(.start(), "ignored os-without-start"), (.look, "")]),
            ActivityStory(
                "before iOS 18, a start with a channel starts nothing", os: "17.6",
                [(.start(["input-push-channel": "it"]), "ignored os-without-channels"), (.look, "")]),
            ActivityStory(
                "a start with a channel makes no token, and broadcasts change the activity", os: "18.0",
                [
                    (.start(["input-push-channel": "it"]), "started 1"), (.look, active + " no token"),
                    (.broadcast("update", ["content-state": ["n": 5]], dates: [:]), "delivered 1"),
                    (.look, #"1 active {"n":5} no token"#),
                ]),
            ActivityStory(
                "a channel that is no longer there makes the start fail",
                [(.start(["input-push-channel": "AAAAAAAAAAAAAAAAAAAAAA=="]), "dropped unknown-channel"), (.look, "")]),
            ActivityStory(
                "of five activities none is too many, and of six one is",
                (1...5).map { (.start(), "started \($0)") } + [
                    (.start(), "ignored too-many-activities"), (.end(), "ended 5"), (.start(), "started 6"),
                ]),
            ActivityStory(
                "an update token starts nothing",
                [(.start(), "started 1"), (.push("start", to: .activity, [:], dates: [:]), "ignored 1 update-token")]),
            ActivityStory(
                "a push-to-start token updates nothing",
                [
                    (.start(), "started 1"),
                    (.push("update", to: .app, [:], dates: [:]), "ignored push-to-start-token"),
                    (.push("end", to: .app, [:], dates: [:]), "ignored push-to-start-token"), (.look, active),
                ]),
            ActivityStory(
                "of the unknown token of a push nobody knows what it is",
                [
                    (.push("update", to: .unknown, [:], dates: [:]), "delivered"),
                    (.push("end", to: .unknown, [:], dates: [:]), "delivered"),
                    (
                        .push("update", to: .unknown, ["content-state": .null], dates: [:]),
                        "ignored missing-content-state"
                    ), (.body("{}", to: .unknown), "ignored no-aps"),
                ]),
            ActivityStory(
                "a start with an old timestamp works", [(.start(dates: ["timestamp": -10_000]), "started 1")]),
            ActivityStory(
                "a start whose content is stale is stale at once",
                [(.start(dates: ["stale-date": -5]), "started 1"), (.look, #"1 stale {"n":1}"#)]),
            ActivityStory("a payload without aps starts nothing", [(.body(#"{"a":1}"#, to: .app), "ignored no-aps")]),
            ActivityStory(
                "two activities live side by side",
                [
                    (.start(), "started 1"), (.start(["content-state": ["n": 7]]), "started 2"),
                    (.update(8), "updated 2"), (.look, active + #", 2 active {"n":8}"#),
                ]),
        ]
        + useless.map { name, members, code in
            ActivityStory("a start with \(name) starts nothing", [(.start(members), "ignored \(code)"), (.look, "")])
        }

    /// Members that make a start useless.
    private static let useless: [(name: String, members: [String: JSONValue], code: String)] = [
        ("no alert", ["alert": .null], "missing-alert"), ("an empty alert", ["alert": [:]], "alert-without-text"),
        ("a text as alert", ["alert": "Hello"], "alert-form"),
        ("null texts", ["alert": ["title": .null, "body": .null]], "alert-without-text"),
        ("the keys of a notification's alert", ["alert": ["loc-key": "A"]], "alert-without-text"),
        ("no attributes", ["attributes": .null], "missing-attributes"),
        ("a text as attributes", ["attributes": "{}"], "missing-attributes"),
        ("no attributes-type", ["attributes-type": .null], "missing-attributes-type"),
        ("an empty attributes-type", ["attributes-type": ""], "missing-attributes-type"),
        ("no content-state", ["content-state": .null], "missing-content-state"),
        ("a list as content-state", ["content-state": [1]], "content-state-form"),
        ("no timestamp", ["timestamp": .null], "missing-timestamp"),
        ("a text as timestamp", ["timestamp": "1754040000"], "missing-timestamp"),
        ("milliseconds", ["timestamp": 1_754_040_000_000], "timestamp-unit"),
        ("no channel's ID", ["input-push-channel": "!!"], "channel-form"),
        ("no event", ["event": .null], "unknown-event"), ("an event of its own", ["event": "begin"], "unknown-event"),
    ]
}
