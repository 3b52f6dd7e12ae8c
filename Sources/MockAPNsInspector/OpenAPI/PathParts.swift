internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The parts of paths that vary.
enum PathParts {
    /// All, by the names in braces.
    static let all = [
        Operation.Parameter(
            "id",
            .text(
                "^(psh_[0-9A-HJKMNP-TV-Z]{16}|seq:[0-9]{1,18}|apns:[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$"
            )
            .example("seq:1"),
            "The push: its id psh_…, seq: and its number, or apns: and the apns-id of its answer."
        ),
        Operation.Parameter(
            "device",
            .text("^(@[^/]+|([0-9a-fA-F]{2}){1,100}|dev_[0-9a-f]{16})$").example("@alice"),
            "The device: @ and its label, any of its device tokens, or its id dev_…."
        ),
        Operation.Parameter(
            "token",
            .text("^([0-9a-fA-F]{2}){1,100}$").example(.string(String(repeating: "ab", count: 32))),
            "The device token, in hexadecimal digits."
        ),
        Operation.Parameter("fault", .faultID, "The id of the fault."),
        Operation.Parameter("name", .words(FaultPreset.all.map(\.name)), "The preset."),
        Operation.Parameter("topic", .topicPart, "The topic of the app."),
        Operation.Parameter("language", .languageTag, "The language: en, pt-BR, zh-Hans, say."),
        Operation.Parameter(
            "category",
            Schema.text(1...NotificationCategories.Limit.scalars).example("ORDER"),
            "The category, as aps.category names it."
        ),
        Operation.Parameter("keyId", .keyID, "The identifier of the key."),
        Operation.Parameter("namespace", .namespaceName, "The name of the namespace."),
    ]
}

extension Schema {
    /// A device token, as the API writes it.
    static let token = Schema.text("^([0-9a-f]{2}){1,100}$")
    /// A device token, as the API takes it.
    static let tokenGiven = Schema.text("^([0-9a-fA-F]{2}){1,100}$")
        .example(.string(String(repeating: "ab", count: 32)))
    /// The id of a push.
    static let pushID = Schema.text("^psh_[0-9A-HJKMNP-TV-Z]{16}$").example("psh_0000010000000001")
    /// The id of a device.
    static let deviceID = Schema.text("^dev_[0-9a-f]{16}$").example("dev_0000000000000000")
    /// The id of a fault.
    static let faultID = Schema.text("^flt_[1-9][0-9]{0,9}$").example("flt_1")
    /// The identifier of a key or a team.
    static let keyID = Schema.text("^[0-9A-Z]{10}$").example("ABC123DEFG")
    /// The name of a namespace: up to 64 characters, not all of them dots.
    static let namespaceName = Schema.text("^[.]{0,63}[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$").example("t-42")
    /// A topic.
    static let topic = Schema.text(atLeast: 1).example("com.example.app")
    /// A topic as a part of a path.
    static let topicPart = Schema.text("^[A-Za-z0-9._-]{1,255}$").example("com.example.app")
    static let environment = Schema.words(Environment.allCases.map(\.name))
    /// A stretch of time.
    static let duration = Schema.text("^-?[0-9]{1,12}(ms|s|m|h|d)$").example("5s")
    /// How long a request may wait.
    static let wait = Schema.text("^([0-9]{1,4}ms|[0-9]s|[1-5][0-9]s|60s|1m|0m)$").example("5s")
}
