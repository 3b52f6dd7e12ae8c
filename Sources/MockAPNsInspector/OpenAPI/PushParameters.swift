internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// The parameters by which pushes are chosen, listed and waited for.
enum PushParameters {
    private typealias Parameter = Route.Parameter

    /// What narrows a list of pushes; these are the parameters of `PushSelection`.
    static let selection: [Route.Parameter] = [
        Parameter("after", .count, "Only pushes with a larger number: the cursor."),
        Parameter("before", .count, "Only pushes with a smaller number."),
        Parameter("since", .time, "Only pushes that arrived from this time on."),
        Parameter("token", .tokenGiven, "The device token.", isRepeatable: true),
        Parameter(
            "device",
            .text("^(@.+|([0-9a-fA-F]{2}){1,100}|dev_[0-9a-f]{16})$"),
            "The device: @label, a device token, or an id.",
            isRepeatable: true
        ),
        Parameter("topic", .topic, "The topic.", isRepeatable: true),
        Parameter("pushType", .words(PushType.allCases.map(\.name)), "The push type.", isRepeatable: true),
        Parameter("priority", .text(atLeast: 1), "apns-priority.", isRepeatable: true),
        Parameter("collapseId", .text(atLeast: 1), "apns-collapse-id.", isRepeatable: true),
        Parameter("apnsId", .text(atLeast: 1), "The apns-id of the answer.", isRepeatable: true),
        Parameter("keyId", .text(atLeast: 1), "The key of the provider token.", isRepeatable: true),
        Parameter("teamId", .text(atLeast: 1), "The team of the provider token.", isRepeatable: true),
        Parameter("environment", .environment, "The service pushed to.", isRepeatable: true),
        Parameter("connection", .text(atLeast: 1), "The connection: c1, say.", isRepeatable: true),
        Parameter(
            "verification",
            .tokenVerification,
            "What came of looking at the provider token.",
            isRepeatable: true
        ),
        Parameter("outcome", .word(.outcome), "Accepted or rejected.", isRepeatable: true),
        Parameter("status", .text(atLeast: 1), "The status of the answer.", isRepeatable: true),
        Parameter("reason", .reason, "Apple's reason.", isRepeatable: true),
        Parameter(
            "delivery",
            .word(.deliveryState),
            "What has become of the notification.",
            isRepeatable: true
        ),
        Parameter("lint", .word(.lint), "A lint that finds something.", isRepeatable: true),
        Parameter("q", .text(atLeast: 1), "A search: type:alert is:rejected \"words\".", isRepeatable: true),
        Parameter(
            "payload" + QueryReader.familyMark,
            .dictionary(of: .text),
            "A value of the payload, with its JSON Pointer in brackets: payload[/aps/alert/title]=Hi."
        ),
    ]

    static let limit = Route.Parameter(
        "limit",
        Schema.integer(1...1_000).defaulting(to: 50),
        "The most entries of the answer."
    )
    static let order = Route.Parameter("order", .words(PushQuery.Order.self), "Oldest or newest first.")
    static let fields = Route.Parameter(
        "fields",
        .words(["summary", "full"]),
        "How much of each push is shown."
    )
    static let wait = Route.Parameter("wait", .wait, "Answer when there are enough, or after this time.")
    static let count = Route.Parameter(
        "count",
        .integer(1...1_000_000),
        "How many to wait for; with wait alone."
    )
}
