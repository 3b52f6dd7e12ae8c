internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The schemas of the bodies that describe devices and apps.
enum DeviceSchemas {
    static let all: [String: Schema] = ["DeviceDraft": draft, "AppDraft": app]

    private static let label = Schema.text.described("1 to 100 bytes.").example("alice")

    private static let app = Schema.closed(
        [
            "token": .tokenGiven.orNull.described("Made where it is absent."),
            "topic": .topic, "environment": .environment.orNull, "appState": Schema.word(.appState).orNull,
            "notificationsEnabled": .boolean.orNull,
        ],
        required: ["topic"]
    )

    private static let draft = Schema.closed([
        "label": label.orNull, "state": Schema.onlineState.orNull, "lowPower": .boolean.orNull,
        "registrations": Schema.list(of: .named("AppDraft")).orNull,
    ])

    static let change = Schema.closed(["label": label, "state": .onlineState, "lowPower": .boolean])

    static let appChange = Schema.closed([
        "appState": .word(.appState), "notificationsEnabled": .boolean,
        "state": .words(["registered", "uninstalled", "expired"]),
    ])
}
