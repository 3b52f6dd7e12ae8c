internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

enum RegistrationRoutes {
    static let routes: [Route] = [
        .get("/api/v1/registrations/{token}", "Get an app", one).gives(.json(RegistrationShape.self, "The app.")).fails(
            .unknownToken),
        .patch("/api/v1/registrations/{token}", "Update an app", change).detail(
            "Opens, terminates or uninstalls it, or turns its notifications on or off."
        ).reads(changeBody).gives(.json(RegistrationChangedShape.self, "The app, and the affected notifications."))
            .fails(.unknownToken, .registrationTaken, .unusableValue),
        .post("/api/v1/registrations/{token}/rotate", "Replace the device token of an app", rotate).detail(
            "The old device token becomes invalid."
        ).reads(rotation).gives(
            .json(RegistrationRotatedShape.self, "The app, with its new device token.", status: 201)
        ).fails(.unknownToken, .tokenTaken, .registrationTaken, .unusableValue, .tooMany),
    ]

    private static let changeBody = RequestBody(.appChange, example: ["state": "uninstalled"])
    private static let rotation = RequestBody<DeviceToken?>(
        .object(nil, .optional("token", .deviceToken) { $0 = $1 }), use: .draft, isRequired: false, example: [:])

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let token = try call.deviceToken()
        if let registration = call.devices.registration(token)?.registration {
            return .json(try shape(registration, call))
        }
        throw Problem(.unknownToken, "No device has the token \(token.hex).")
    }

    static func change(_ call: Route.Call) throws(Problem) -> APIResponse {
        let token = try call.deviceToken()
        let change = try changeBody.read(call)
        let (registration, report) = try call.withDevices(try call.devices.change(token, change))
        let shape = try shape(registration, call)
        return .json(RegistrationChangedShape.self) {
            $0.deliveries = APIObject(report, in: call.subject.shown)
            $0.registration = shape
        }
    }

    static func rotate(_ call: Route.Call) throws(Problem) -> APIResponse {
        let token = try call.deviceToken()
        let replacement = try rotation.read(call)
        let registration = try call.withDevices(try call.devices.rotate(token, to: replacement))
        let shape = try shape(registration, call)
        let rotated = APIObject<RegistrationRotatedShape> {
            $0.previous = token.hex
            $0.registration = shape
        }
        return .created(rotated, at: "/api/v1/registrations/\(shape.token)")
    }

    static func created(_ registration: Registration, _ call: Route.Call) throws(Problem) -> APIResponse {
        let shape = try shape(registration, call)
        return .created(shape, at: "/api/v1/registrations/\(shape.token)")
    }

    private static func shape(
        _ registration: Registration, _ call: Route.Call
    ) throws(Problem) -> APIObject<RegistrationShape> {
        let device = try call.withDevices(try call.devices.device(.token(registration.token)))
        let badges = Badges(of: device, in: call.subject.shown)
        return APIObject(registration, of: device, in: call.subject.shown, badges: badges)
    }
}

/// The feedback list: invalid device tokens.
enum FeedbackRoutes {
    static let routes: [Route] = [
        .get("/api/v1/feedback", "List invalid device tokens", reads: query, list).gives(
            .list(FeedbackListShape.self, "The device tokens; the one that has been invalid longest is first.")),
        .delete("/api/v1/feedback", "Clear the feedback list") { call in
            .json(DeletedShape.self) { $0.deleted = call.devices.clearFeedback() }
        }.gives(.json(DeletedShape.self, "The number of deleted entries.")),
    ]

    private static let query = QueryForm<Timestamp?>(
        nil, .once("since", .time, "Only device tokens that became invalid at or after this time.") { $0 = $1 })

    private static func list(_ call: Route.Call, since: Timestamp?) throws(Problem) -> APIResponse {
        let entries = call.devices.feedback(since: since).map(APIObject<FeedbackShape>.init)
        return .list(entries, call.request, in: \FeedbackListShape.feedback)
    }
}
