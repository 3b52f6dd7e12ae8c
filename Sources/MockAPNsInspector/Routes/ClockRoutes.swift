internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The clock that the simulated service goes by.
enum ClockRoutes {
    static let group = RouteGroup(
        "clock",
        "The clock that expiration, storage, token age and 410 go by.",
        [
            Route("GET", "/api/v1/clock", "Show the clock", answer: show)
                .gives(.json(ClockShape.self, "The clock.")),
            Route("PUT", "/api/v1/clock", "Stop the clock, or let it run", answer: set)
                .reads(
                    Route.Body(
                        schema: .closed(
                            ["mode": .words(ClockShape.Mode.self), "now": .time],
                            required: ["mode"]
                        ),
                        example: ["mode": "frozen", "now": "2030-01-01T00:00:00Z"]
                    )
                )
                .gives(.json(ClockSetShape.self, "The clock, and what was due."))
                .fails(.unusableValue),
            Route("POST", "/api/v1/clock/advance", "Move the clock forward", answer: advance)
                .detail("Runs everything due before it answers.")
                .reads(
                    Route.Body(
                        schema: .closed(["by": .duration], required: ["by"]),
                        example: ["by": "1h"]
                    )
                )
                .gives(.json(ClockAdvancedShape.self, "The clock, and what was due."))
                .fails(.unusableValue),
        ]
    )

    /// The furthest that the clock is moved at once, in microseconds: 100 years.
    static let longestAdvance: Int64 = 36_525 * 86_400 * 1_000_000

    static func show(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(APIObject<ClockShape>(call.subject.world))
    }

    static func set(_ call: Route.Call) throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: ["mode", "now"])
        let mode = body.required("mode", Form<ClockShape.Mode>.word)
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
        return .json(changed(report, call))
    }

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
        let report = world.advanceClock(by: duration)
        return .json(
            APIObject<ClockAdvancedShape> {
                $0.change = changed(report, call)
                $0.namespacesExpired = []
            }
        )
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

    /// The clock, and what its change did to notifications.
    private static func changed(_ report: DeliveryReport, _ call: Route.Call) -> APIObject<ClockSetShape> {
        APIObject {
            $0.clock = APIObject(call.subject.world)
            $0.deliveries = APIObject(report, in: call.subject)
        }
    }
}
