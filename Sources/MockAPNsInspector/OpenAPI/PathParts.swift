internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The parts of paths that vary.
enum PathParts {
    /// All, by the names in braces.
    static let all = [
        Route.Parameter(
            "id",
            .text(
                "^(psh_[0-9A-HJKMNP-TV-Z]{16}|seq:[0-9]{1,18}|apns:[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$"
            )
            .example("seq:1"),
            "The push: its id psh_…, seq: and its number, or apns: and the apns-id of its answer."
        ),
        Route.Parameter(
            "device",
            .text("^(@[^/]+|([0-9a-fA-F]{2}){1,100}|dev_[0-9a-f]{16})$").example("@alice"),
            "The device: @ and its label, any of its device tokens, or its id dev_…."
        ),
        Route.Parameter(
            "token",
            .text("^([0-9a-fA-F]{2}){1,100}$").example(.string(String(repeating: "ab", count: 32))),
            "The device token, in hexadecimal digits."
        ),
        Route.Parameter("fault", .faultID, "The id of the fault."),
        Route.Parameter("name", .word(.faultPreset), "The preset."),
        Route.Parameter("topic", .topicPart, "The topic of the app."),
        Route.Parameter("language", .languageTag, "The language: en, pt-BR, zh-Hans, say."),
        Route.Parameter(
            "category",
            Schema.text(1...NotificationCategories.Limit.scalars).example("ORDER"),
            "The category, as aps.category names it."
        ),
        Route.Parameter("keyId", .keyID, "The identifier of the key."),
        Route.Parameter("namespace", .namespaceName, "The name of the namespace."),
    ]
}
