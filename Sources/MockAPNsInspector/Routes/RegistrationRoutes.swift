internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The apps on simulated devices, each with its device token.
enum RegistrationRoutes {
    static let group = RouteGroup(
        "registrations",
        "The apps on devices, each with its device token.",
        [
            .get("/api/v1/registrations/{token}", "Show an app", one)
                .gives(.json(RegistrationShape.self, "The app."))
                .fails(.unknownToken),
            .patch(
                "/api/v1/registrations/{token}",
                "Open, end or uninstall an app, or turn its notifications off",
                change
            )
            .reads(changeBody)
            .gives(.json(RegistrationChangedShape.self, "The app, and what became of notifications."))
            .fails(.unknownToken, .registrationTaken, .unusableValue),
            .post("/api/v1/registrations/{token}/rotate", "Give an app another device token", rotate)
                .detail("The old one is dead from then on.")
                .reads(rotation)
                .gives(.json(RegistrationRotatedShape.self, "The app, with its new token.", status: 201))
                .fails(.unknownToken, .tokenTaken, .registrationTaken, .unusableValue, .tooMany),
        ]
    )

    private static let changeBody = RequestBody(.appChange, example: ["state": "uninstalled"])
    private static let rotation = RequestBody<DeviceToken?>(
        .object(nil, .optional("token", .deviceToken) { $0 = $1 }),
        use: .draft,
        isRequired: false,
        example: [:]
    )

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let token = try call.deviceToken()
        guard let (device, registration) = call.devices.registration(token) else {
            throw Problem(kind: .unknownToken, detail: "No device has the token \(token.hex).")
        }
        return .json(shape(registration, of: device, call))
    }

    static func change(_ call: Route.Call) throws(Problem) -> APIResponse {
        let token = try call.deviceToken()
        let change = try call.read(changeBody)
        let (registration, report) = try call.withDevices { devices throws(DeviceError) in
            try devices.change(token, change)
        }
        let shape = try shape(registration, call)
        return .json(
            APIObject<RegistrationChangedShape> {
                $0.deliveries = APIObject(report, in: call.subject)
                $0.registration = shape
            }
        )
    }

    static func rotate(_ call: Route.Call) throws(Problem) -> APIResponse {
        let token = try call.deviceToken()
        let replacement = try call.read(rotation)
        let registration = try call.withDevices { devices throws(DeviceError) in
            try devices.rotate(token, to: replacement)
        }
        let shape = try shape(registration, call)
        let rotated = APIObject<RegistrationRotatedShape> {
            $0.previous = token.hex
            $0.registration = shape
        }
        return .created(rotated, at: "/api/v1/registrations/\(shape.token)")
    }

    /// An app that has just come to be.
    static func created(
        _ registration: Registration,
        _ call: Route.Call
    ) throws(Problem) -> APIResponse {
        let shape = try shape(registration, call)
        return .created(shape, at: "/api/v1/registrations/\(shape.token)")
    }

    /// A registration as the call that changed it left it, with the device that it is on.
    private static func shape(
        _ registration: Registration,
        _ call: Route.Call
    ) throws(Problem) -> APIObject<RegistrationShape> {
        let device = try call.withDevices { devices throws(DeviceError) in
            try devices.device(.token(registration.token))
        }
        return shape(registration, of: device, call)
    }

    private static func shape(
        _ registration: Registration,
        of device: Device,
        _ call: Route.Call
    ) -> APIObject<RegistrationShape> {
        let badges = Badges(of: device, in: call.subject)
        return APIObject(registration, of: device, in: call.subject, badges: badges)
    }
}
