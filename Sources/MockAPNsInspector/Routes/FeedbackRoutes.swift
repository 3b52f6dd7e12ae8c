internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The device tokens that do not work any more: what tells providers to stop.
enum FeedbackRoutes {
    static let group = RouteGroup(
        "feedback",
        "The device tokens that providers should stop pushing to.",
        [
            .get("/api/v1/feedback", "List dead device tokens", list)
                .takes(query)
                .gives(.list(FeedbackListShape.self, "Oldest death first.")),
            .delete("/api/v1/feedback", "Clear the list", clear)
                .gives(.json(DeletedShape.self, "How many there were.")),
        ]
    )

    private static let query = QueryForm<Timestamp?>(
        nil,
        .once("since", .time, "Only tokens that died from this time on.") { $0 = $1 }
    )

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        let since = try call.read(query)
        let entries = call.devices.feedback(since: since)
        return .list(entries.map(APIObject<FeedbackShape>.init), call.request) { feedback in
            APIObject<FeedbackListShape> { $0.feedback = feedback }
        }
    }

    static func clear(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(APIObject<DeletedShape> { $0.deleted = call.devices.clearFeedback() })
    }
}
