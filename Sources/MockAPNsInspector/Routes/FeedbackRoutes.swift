internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// The device tokens that do not work any more: what tells providers to stop.
enum FeedbackRoutes {
    static let listParameters = ["since"]

    /// `GET /api/v1/feedback`.
    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        var query = call.query
        let since = query.value("since", .time)
        try query.finish()
        let entries = call.devices.feedback(since: since)
        return .list(entries.map(APIObject<FeedbackShape>.init), call.request) { feedback in
            APIObject<FeedbackListShape> { $0.feedback = feedback }
        }
    }

    /// `DELETE /api/v1/feedback`.
    static func clear(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(APIObject<DeletedShape> { $0.deleted = call.devices.clearFeedback() })
    }
}
