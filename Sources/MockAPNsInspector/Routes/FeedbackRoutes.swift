internal import MockAPNs
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
        let entries = call.devices.feedback(since: since).map(FeedbackShape.json)
        return call.request.wantsLines
            ? .lines(entries, headers: []) : .json(["feedback": .array(entries)])
    }

    /// `DELETE /api/v1/feedback`.
    static func clear(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(["deleted": JSONValue(call.devices.clearFeedback())])
    }
}
