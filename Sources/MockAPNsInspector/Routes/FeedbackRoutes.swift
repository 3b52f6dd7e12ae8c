internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// The device tokens that do not work any more: what tells providers to stop.
enum FeedbackRoutes {
    static let group = RouteGroup(
        "feedback",
        "The device tokens that providers should stop pushing to.",
        [
            Route("GET", "/api/v1/feedback", "List dead device tokens", answer: list)
                .takes([Route.Parameter("since", .time, "Only tokens that died from this time on.")])
                .gives(.list(FeedbackListShape.self, "Oldest death first.")),
            Route("DELETE", "/api/v1/feedback", "Clear the list", answer: clear)
                .gives(.json(DeletedShape.self, "How many there were.")),
        ]
    )

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        var query = call.query
        let since = query.value("since", .time)
        try query.finish()
        let entries = call.devices.feedback(since: since)
        return .list(entries.map(APIObject<FeedbackShape>.init), call.request) { feedback in
            APIObject<FeedbackListShape> { $0.feedback = feedback }
        }
    }

    static func clear(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(APIObject<DeletedShape> { $0.deleted = call.devices.clearFeedback() })
    }
}
