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
            return .json(RegistrationShape.self, try shown(registration, call))
        }
        throw Problem(.unknownToken, "No device has the token \(token.hex).")
    }

    static func change(_ call: Route.Call) throws(Problem) -> APIResponse {
        let token = try call.deviceToken()
        let change = try changeBody.read(call)
        let (registration, report) = try call.withDevices(try call.devices.change(token, change))
        let shown = try shown(registration, call)
        return .json(RegistrationChangedShape.self, (shown, (report, call.subject.journal.extent)))
    }

    static func rotate(_ call: Route.Call) throws(Problem) -> APIResponse {
        let token = try call.deviceToken()
        let replacement = try rotation.read(call)
        let registration = try call.withDevices(try call.devices.rotate(token, to: replacement))
        let rotated = APIObject<RegistrationRotatedShape>((token, try shown(registration, call)))
        return .created(rotated, at: "/api/v1/registrations/\(registration.token.hex)")
    }

    static func created(_ registration: Registration, _ call: Route.Call) throws(Problem) -> APIResponse {
        let shape = APIObject<RegistrationShape>(try shown(registration, call))
        return .created(shape, at: "/api/v1/registrations/\(registration.token.hex)")
    }

    private static func shown(
        _ registration: Registration, _ call: Route.Call
    ) throws(Problem) -> RegistrationShape.Source {
        let device = try call.withDevices(try call.devices.device(.token(registration.token)))
        return (registration, ShownDevice(device, in: call.subject.shown))
    }
}

/// The feedback list: invalid device tokens.
enum FeedbackRoutes {
    static let routes: [Route] = [
        .get("/api/v1/feedback", "List invalid device tokens", reads: query, list).gives(
            .list(FeedbackListShape.self, "The device tokens; the one that has been invalid longest is first.")),
        .delete("/api/v1/feedback", "Clear the feedback list") { call in
            .json(DeletedShape.self, call.devices.clearFeedback())
        }.gives(.json(DeletedShape.self, "The number of deleted entries.")),
    ]

    private static let query = QueryForm<Timestamp?>(
        nil, .once("since", .time, "Only device tokens that became invalid at or after this time.") { $0 = $1 })

    private static func list(_ call: Route.Call, since: Timestamp?) throws(Problem) -> APIResponse {
        .list(\FeedbackListShape.feedback, of: call.devices.feedback(since: since), call.request)
    }
}
