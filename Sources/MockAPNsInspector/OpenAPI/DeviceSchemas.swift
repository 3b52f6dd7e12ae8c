internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The schemas of devices and what is on them.
enum DeviceSchemas {
    static let all: [String: Schema] = [
        "Device": device, "DevicePage": page, "DeviceDraft": draft, "AppDraft": app,
        "DeviceChanged": .object(deliveries.merging(["device": .named("Device")]) { first, _ in first }),
        "DevicesPut": put, "Registration": .object(registration, optional: ["badge"]),
        "RegistrationRotated": .object(registration.merging(["previous": .token]) { first, _ in first }),
        "RegistrationChanged": .object(
            deliveries.merging(["registration": .named("Registration")]) { first, _ in first }
        ),
        "Reaction": reaction, "Inbox": inbox,
        "Stored": .object(["device": .deviceID, "label": .text.orNull, "stored": .list(of: .named("Push"))]),
    ]

    /// What became of notifications because something was changed.
    static let deliveries: [String: Schema] = {
        var members: [String: Schema] = [:]
        for name in ["delivered", "expired", "discarded"] {
            members[name] = Schema.list(of: .pushID).described("The first 1000; the count has all.")
            members[name + "Count"] = .count
        }
        members["inactive"] = .list(of: .token)
        members["inactiveCount"] = .count
        return members
    }()

    private static let states = Schema.words(["online", "offline"])
    private static let label = Schema.text.described("1 to 100 bytes.").example("alice")
    static let appState = Schema.words(AppState.allCases.map(\.name))

    private static let device = Schema.object(
        [
            "id": .deviceID,
            "label": .text.orNull,
            "state": states,
            "lowPower": .boolean,
            "origin": .words(["described", "start-up", "push"]),
            "offlineSince": .time.orNull,
            "connectedClients": .count.described("Clients that are the device."),
            "delivered": .count,
            "discarded": .count,
            "stored": .count.described("How many notifications wait: one for each app at most."),
            "lastPush": Schema.object(["id": .pushID, "seq": .count]).orNull,
            "registrations": .list(of: .named("Registration")),
            "badge": .integer.orNull,
        ],
        optional: ["badge"]
    )

    static let registration: [String: Schema] = [
        "token": .token, "device": .deviceID, "label": .text.orNull, "topic": .text,
        "environment": .environment, "appState": appState, "notificationsEnabled": .boolean,
        "state": .words(RegistrationState.allCases.map(\.name)), "deadSince": .time.orNull,
        "accepted": .count, "delivered": .count, "discarded": .count,
        "stored": .pushID.orNull.described("The push that waits."), "storedUntil": .time.orNull,
        "held": .pushID.orNull.described("The background push that waits on the device for the app."),
        "lastPush": .pushID.orNull, "badge": .integer.orNull,
    ]

    private static let page = Schema.object([
        "devices": .list(of: .named("Device")), "matched": .count, "total": .count,
        "nextAfter": .deviceID.orNull, "forgotten": .count, "note": .text.orNull,
    ])

    private static let put = Schema.object(
        deliveries.merging([
            "created": .count, "updated": .count,
            "devices": .list(
                of: .object([
                    "id": .deviceID, "label": .text.orNull,
                    "registrations": .list(
                        of: .object(["token": .token, "topic": .text, "environment": .environment])
                    ),
                ])
            ),
        ]) { first, _ in first }
    )

    private static let app = Schema.closed(
        [
            "token": .tokenGiven.orNull.described("Made where it is absent."),
            "topic": .topic, "environment": .environment.orNull, "appState": appState.orNull,
            "notificationsEnabled": .boolean.orNull,
        ],
        required: ["topic"]
    )

    private static let draft = Schema.closed([
        "label": label.orNull, "state": states.orNull, "lowPower": .boolean.orNull,
        "registrations": Schema.list(of: .named("AppDraft")).orNull,
    ])

    static let change = Schema.closed(["label": label, "state": states, "lowPower": .boolean])

    static let appChange = Schema.closed([
        "appState": appState, "notificationsEnabled": .boolean,
        "state": .words(["registered", "uninstalled", "expired"]),
    ])

    private static let reaction = Schema.object([
        "appState": appState, "summary": .text, "presentation": .words(Reaction.Presentation.self),
        "callbacks": .list(of: .text),
    ])

    private static let inbox = Schema.object([
        "device": .deviceID, "label": .text.orNull, "badge": .integer.orNull,
        "notifications": .list(
            of: .object([
                "push": .pushID, "seq": .count, "deliveredAt": .time.orNull, "topic": .text.orNull,
                "collapseId": .text.orNull, "threadId": .text.orNull, "title": .text.orNull,
                "subtitle": .text.orNull, "body": .text.orNull, "badge": .integer.orNull,
                "sound": .text.orNull,
                "interruptionLevel": .text.orNull, "reaction": .named("Reaction"),
            ])
        ),
        "journal": .named("Journal"), "note": .text.orNull,
    ])
}
