internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The parts of paths that vary.
enum PathParts {
    /// All, by the names in braces.
    static let all: [ParameterRow] = [
        row(
            "id",
            push,
            "The push: its id psh_…, seq: and its number, or apns: and the apns-id of its answer."
        ),
        row(
            "device",
            .text("^(@[^/]+|([0-9a-fA-F]{2}){1,100}|dev_[0-9a-f]{16})$").example("@alice"),
            "The device: @ and its label, any of its device tokens, or its id dev_…."
        ),
        row(
            "token",
            .text("^([0-9a-fA-F]{2}){1,100}$").example(.string(String(repeating: "ab", count: 32))),
            "The device token, in hexadecimal digits."
        ),
        row("fault", .faultID, "The id of the fault."),
        row("name", .word(.faultPreset), "The preset."),
        row("topic", .topicPart, "The topic of the app."),
        row("language", .languageTag, "The language: en, pt-BR, zh-Hans, say."),
        row(
            "category",
            Schema.text(1...NotificationCategories.Limit.scalars).example("ORDER"),
            "The category, as aps.category names it."
        ),
        row("keyId", .keyID, "The identifier of the key."),
        row("namespace", .namespaceName, "The name of the namespace."),
    ]

    /// The part of a path that names a push.
    static let push = Schema.text(
        "^(psh_[0-9A-HJKMNP-TV-Z]{16}|seq:[0-9]{1,18}|apns:[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$"
    ).example("seq:1")

    private static func row(_ name: String, _ schema: Schema, _ description: String) -> ParameterRow {
        ParameterRow(name: name, schema: schema, description: description)
    }
}
