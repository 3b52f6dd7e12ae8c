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
            .get("/api/v1/clock", "Show the clock", show)
                .gives(.json(ClockShape.self, "The clock.")),
            .put("/api/v1/clock", "Stop the clock, or let it run", set)
                .reads(settingBody)
                .gives(.json(ClockSetShape.self, "The clock, and what was due."))
                .fails(.unusableValue),
            .post("/api/v1/clock/advance", "Move the clock forward", advance)
                .detail("Runs everything due before it answers.")
                .reads(advanceBody)
                .gives(.json(ClockAdvancedShape.self, "The clock, and what was due."))
                .fails(.unusableValue),
        ]
    )

    /// The furthest that the clock is moved at once, in microseconds: 100 years.
    static let longestAdvance: Int64 = 36_525 * 86_400 * 1_000_000

    private struct Setting: Sendable {
        var mode = ClockShape.Mode.real
        var now: Timestamp?
    }

    private static let settingBody = RequestBody<Setting>(
        .object(
            Setting(),
            .required("mode", .word) { $0.mode = $1 },
            .optional("now", .time) { $0.now = $1 }
        ),
        example: ["mode": "frozen", "now": "2030-01-01T00:00:00Z"]
    )

    private static let advanceBody = RequestBody<Int64>(
        .object(0, .required("by", .duration) { $0 = $1 }),
        example: ["by": "1h"]
    )

    static func show(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(APIObject<ClockShape>(call.subject.world))
    }

    static func set(_ call: Route.Call) throws(Problem) -> APIResponse {
        let setting = try call.read(settingBody)
        if let now = setting.now { try check(now, by: "now", call) }

        let world = call.subject.world
        let time = world.clock.read()
        let report =
            switch setting.mode {
            case .frozen: world.stopClock(at: setting.now ?? time.world)
            case .real: world.runClock(offset: setting.now?.microseconds(since: time.system) ?? 0)
            }
        return .json(changed(report, call))
    }

    static func advance(_ call: Route.Call) throws(Problem) -> APIResponse {
        let duration = try call.read(advanceBody)
        guard duration > 0 else {
            throw unusable("by", call, "time only goes forward; PUT /api/v1/clock sets it to any moment")
        }
        guard duration <= longestAdvance else {
            throw unusable("by", call, "expected 100 years (36525d) at most")
        }
        let world = call.subject.world
        let now = world.clock.read().world
        try check(Timestamp(microseconds: now.microseconds + duration), by: "by", call)
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
        _ call: Route.Call
    ) throws(Problem) {
        guard Timestamp.writable.contains(moment) else {
            throw unusable(name, call, "that leads out of the years 1 to 9999, in UTC")
        }
    }

    private static func unusable(_ name: String, _ call: Route.Call, _ why: String) -> Problem {
        let given = JSONParser.value(of: call.request.body)?[name] ?? .null
        return .unusable("/\(name)", "is \(given.summary); \(why)")
    }

    /// The clock, and what its change did to notifications.
    private static func changed(_ report: DeliveryReport, _ call: Route.Call) -> APIObject<ClockSetShape> {
        APIObject {
            $0.clock = APIObject(call.subject.world)
            $0.deliveries = APIObject(report, in: call.subject)
        }
    }
}
