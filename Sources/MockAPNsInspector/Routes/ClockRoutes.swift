internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

enum ClockRoutes {
    static let routes: [Route] = [
        .get("/api/v1/clock", "Get the clock") { .json(ClockShape.self, ShownClock(of: $0.subject.world)) }.gives(
            .json(ClockShape.self, "The clock.")),
        .put("/api/v1/clock", "Freeze, run or set the clock", reads: settingBody, set).gives(
            .json(ClockSetShape.self, "The clock, and the affected notifications.")
        ).fails(.unusableValue),
        .post("/api/v1/clock/advance", "Advance the clock", reads: advanceBody, advance).detail(
            "Everything that becomes due happens before the response."
        ).gives(.json(ClockAdvancedShape.self, "The clock, and the affected notifications.")).fails(.unusableValue),
    ]

    private struct Setting: Sendable {
        var mode = ClockShape.Mode.real
        var now: Timestamp?
    }

    private static let settingBody = RequestBody<Setting>(
        .object(Setting(), .required("mode", .word) { $0.mode = $1 }, .optional("now", .time) { $0.now = $1 }),
        example: ["mode": "frozen", "now": "2030-01-01T00:00:00Z"])

    private static let advanceBody = RequestBody<Int64>(
        .object(0, .required("by", .duration) { $0 = $1 }), example: ["by": "1h"])

    private static func set(_ call: Route.Call, _ setting: Setting) throws(Problem) -> APIResponse {
        if let now = setting.now { try check(now, by: "now", call) }

        let world = call.subject.world
        let time = world.clock.read()
        let report =
            switch setting.mode {
            case .frozen: world.stopClock(at: setting.now ?? time.world)
            case .real: world.runClock(offset: setting.now?.microseconds(since: time.system) ?? 0)
            }
        return .json(ClockSetShape.self, changed(report, call))
    }

    private static func advance(_ call: Route.Call, by duration: Int64) throws(Problem) -> APIResponse {
        guard duration > 0 else {
            throw unusable("by", call, "time only goes forward; PUT /api/v1/clock sets it to any moment")
        }
        guard duration <= DurationText.longest else {
            throw unusable("by", call, "expected 100 years (36525d) at most")
        }
        let world = call.subject.world
        let now = world.clock.read().world
        try check(Timestamp(microseconds: now.microseconds + duration), by: "by", call)
        let report = world.advanceClock(by: duration)
        return .json(ClockAdvancedShape.self, changed(report, call))
    }

    /// Rejects times that responses cannot show.
    private static func check(_ moment: Timestamp, by name: String, _ call: Route.Call) throws(Problem) {
        if Timestamp.writable.contains(moment) { return }
        throw unusable(name, call, "the clock is limited to the years 1 to 9999, in UTC")
    }

    private static func unusable(_ name: String, _ call: Route.Call, _ why: String) -> Problem {
        let given = JSONParser.value(of: call.request.body)?[name] ?? .null
        return .unusable("/\(name)", "is \(given.summary); \(why)")
    }

    private static func changed(_ report: DeliveryReport, _ call: Route.Call) -> ClockSetShape.Source {
        (ShownClock(of: call.subject.world), (report, call.subject.journal.extent))
    }
}
