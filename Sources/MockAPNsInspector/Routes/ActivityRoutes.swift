internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsWorld

/// The Live Activities of devices.
enum ActivityRoutes {
    static let routes: [Route] = [
        .get("/api/v1/devices/{device}/activities", "List Live Activities", list).detail(
            "In the order of their start; the latest dismissed ones are kept."
        ).gives(.json(ActivityListShape.self, "The Live Activities.")).fails(.unknownDevice),
        .post("/api/v1/devices/{device}/activities", "Start a Live Activity", reads: draft, start).detail(
            "As the app does it itself, without a push. Providers start one with a push to the push-to-start token."
        ).gives(.json(ActivityShape.self, "The Live Activity, with its update token.", status: 201)).fails(
            .unknownDevice, .unknownChannel, .unusableValue, .tooManyActivities),
        .get("/api/v1/devices/{device}/activities/{activity}", "Get a Live Activity", one).gives(
            .json(ActivityShape.self, "The Live Activity.")
        ).fails(.unknownDevice, .unknownActivity),
        .post("/api/v1/devices/{device}/activities/{activity}/dismiss", "Dismiss a Live Activity", dismiss).detail(
            "As the user does it; a running one ends. Pushes to its token then get 410 ExpiredToken."
        ).gives(.json(ActivityShape.self, "The dismissed Live Activity.")).fails(.unknownDevice, .unknownActivity),
        .post("/api/v1/devices/{device}/activities/{activity}/rotate", "Replace the token of a Live Activity", rotate)
            .detail("As iOS does from time to time. Pushes to the old token get 410 ExpiredToken.").gives(
                .json(ActivityShape.self, "The Live Activity, with its new update token.")
            ).fails(.unknownDevice, .unknownActivity, .unusableValue, .tooMany),
    ]

    private static let draft = RequestBody<ActivityDraft>(
        .activityDraft, use: .draft,
        example: [
            "topic": "com.example.app", "attributesType": "RideAttributes", "attributes": ["ride": 4711],
            "contentState": ["minutes": 5],
        ])

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(ActivityListShape.self, (try call.device(Devices.activities), call.subject.shown))
    }

    private static func start(_ call: Route.Call, _ draft: ActivityDraft) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        let activity: Activity
        do { activity = try call.devices.startActivity(draft, on: reference) } catch {
            guard error.code == .tooMany else { throw Problem(error) }
            throw Problem(.tooManyActivities, refusing: error.pointer, error.message)
        }
        let shape = APIObject<ActivityShape>((activity, call.subject.shown))
        return .created(shape, at: "/api/v1/devices/\(shape.device)/activities/\(shape.id)")
    }

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse { shown(try call.activity(), call) }

    static func dismiss(_ call: Route.Call) throws(Problem) -> APIResponse {
        let id = try call.activity().id
        return shown(try call.withDevices(try call.devices.dismiss(id)), call)
    }

    static func rotate(_ call: Route.Call) throws(Problem) -> APIResponse {
        let id = try call.activity().id
        return shown(try call.withDevices(try call.devices.rotateToken(of: id)), call)
    }

    private static func shown(_ activity: Activity, _ call: Route.Call) -> APIResponse {
        .json(ActivityShape.self, (activity, call.subject.shown))
    }
}

extension Route.Call {
    /// The Live Activity that the path names, if it is on the device of the path.
    fileprivate func activity() throws(Problem) -> Activity {
        let text = pathParts["activity"] ?? ""
        guard let id = ActivityIDText.id(text) else {
            throw Problem(.badPath, at: text, "is not a Live Activity; expected \(ActivityIDText.expected)")
        }
        let device = try device(Devices.device)
        guard let activity = devices.activity(id), activity.device == device.id else {
            let name = device.label.map { "@\($0)" } ?? DeviceReferenceText.text(device.id)
            throw Problem(
                .unknownActivity,
                "\(name) has no Live Activity \(text). Of those that were dismissed, the latest \(Activity.mostDead) are kept."
            )
        }
        return activity
    }
}
