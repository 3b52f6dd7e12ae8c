internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The clock that the simulated service goes by.
enum ClockRoutes {
    /// The furthest that the clock is moved at once, in microseconds: 100 years.
    static let longestAdvance: Int64 = 36_525 * 86_400 * 1_000_000

    /// `GET /api/v1/clock`.
    static func show(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(ClockShape(call.subject.world).json)
    }

    /// `PUT /api/v1/clock`.
    static func set(_ call: Route.Call) throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: ["mode", "now"])
        let mode = body.required("mode", BodyReader.Form<ClockShape.Mode>.word)
        let moment = body.optional("now", .time)
        try body.finish()
        if let moment { try check(moment, by: "now", of: body) }

        let world = call.subject.world
        let time = world.clock.read()
        let report =
            switch mode {
            case .frozen: world.stopClock(at: moment ?? time.world)
            case .real, nil: world.runClock(offset: moment?.microseconds(since: time.system) ?? 0)
            }
        return answer(report, call)
    }

    /// `POST /api/v1/clock/advance`.
    static func advance(_ call: Route.Call) throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: ["by"])
        let duration = body.required("by", .duration) ?? 0
        try body.finish()
        guard duration > 0 else {
            throw unusable("by", of: body, "time only goes forward; PUT /api/v1/clock sets it to any moment")
        }
        guard duration <= longestAdvance else {
            throw unusable("by", of: body, "expected 100 years (36525d) at most")
        }
        let world = call.subject.world
        let now = world.clock.read().world
        try check(Timestamp(microseconds: now.microseconds + duration), by: "by", of: body)
        return answer(world.advanceClock(by: duration), call, ["namespacesExpired": []])
    }

    /// Only times that answers can show are allowed.
    private static func check(
        _ moment: Timestamp,
        by name: String,
        of body: BodyReader
    ) throws(Problem) {
        guard Timestamp.writable.contains(moment) else {
            throw unusable(name, of: body, "that leads out of the years 1 to 9999, in UTC")
        }
    }

    private static func unusable(_ name: String, of body: BodyReader, _ why: String) -> Problem {
        let message = "is \((body.value[name] ?? .null).summary); \(why)"
        return Problem(
            kind: .unusableValue,
            detail: "'/\(name)' \(message).",
            complaints: [Complaint(path: "/\(name)", message: message)]
        )
    }

    /// The clock, what became of notifications, and what else there is.
    private static func answer(
        _ report: DeliveryReport,
        _ call: Route.Call,
        _ more: [String: JSONValue] = [:]
    ) -> APIResponse {
        var members = ClockShape(call.subject.world).members
        members.merge(DeliveryReportShape(report, in: call.subject).members) { clock, _ in clock }
        members.merge(more) { known, _ in known }
        return .json(.object(members))
    }
}
