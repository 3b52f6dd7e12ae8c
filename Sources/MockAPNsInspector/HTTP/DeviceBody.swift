internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// Reads what the API is told of devices and the apps on them.
enum DeviceBody {
    /// Whether notifications reach a device.
    enum State: String, CaseIterable, Sendable {
        case online
        case offline
    }

    static let draftMembers = ["label", "state", "lowPower", "registrations"]
    static let changeMembers = ["label", "state", "lowPower"]
    static let appMembers = ["token", "topic", "environment", "appState", "notificationsEnabled"]
    static let appChangeMembers = ["appState", "notificationsEnabled", "state"]
    /// The member of a file that may stand around the list of devices.
    static let listMember = "devices"

    // Made once: a list may have a hundred thousand devices.
    private static let label = Form.text("a label: text of 1 to 100 bytes")
    private static let state = Form<State>.word
    private static let topic = Form.text("a topic, such as com.example.app")
    private static let environment = Form.words(Environment.allCases, \.name)
    private static let appState = Form.words(AppState.allCases, \.name)
    /// The words that the world takes are fewer; why, it says better.
    private static let registrationState = Form<RegistrationState>(
        expected: "registered, uninstalled or expired",
        candidates: ["registered", "uninstalled", "expired"]
    ) { value in
        guard case .string(let text) = value else { return nil }
        return RegistrationState(rawValue: text)
    }

    /// The device described where the reader stands.
    static func draft(_ body: inout BodyReader) -> DeviceDraft {
        DeviceDraft(
            label: body.optional("label", label),
            isOnline: body.optional("state", state).map { $0 == .online },
            savesPower: body.optional("lowPower", .boolean),
            registrations: body.objects("registrations", known: appMembers, app)
        )
    }

    /// The app described where the reader stands.
    static func app(_ body: inout BodyReader) -> DeviceDraft.Registration? {
        let token = body.optional("token", .deviceToken)
        let topic = body.required("topic", topic)
        let environment = body.optional("environment", environment) ?? .sandbox
        let appState = body.optional("appState", appState)
        let allowsNotifications = body.optional("notificationsEnabled", .boolean)
        guard let topic else { return nil }
        return DeviceDraft.Registration(
            token: token,
            topic: topic,
            environment: environment,
            appState: appState,
            allowsNotifications: allowsNotifications
        )
    }

    /// What to change of a device.
    static func change(_ body: inout BodyReader) -> DeviceChange {
        var change = DeviceChange()
        change.isOnline = body.optional("state", state).map { $0 == .online }
        change.savesPower = body.optional("lowPower", .boolean)
        change.label = body.optional("label", label)
        return change
    }

    /// What to change of an app.
    static func appChange(_ body: inout BodyReader) -> RegistrationChange {
        var change = RegistrationChange()
        change.appState = body.optional("appState", appState)
        change.allowsNotifications = body.optional("notificationsEnabled", .boolean)
        change.state = body.optional("state", registrationState)
        return change
    }

    /// The devices of a list, which is the whole body.
    ///
    /// - Throws: `Problem` for a body that is not JSON or has a mistake.
    static func drafts(_ bytes: [UInt8]) throws(Problem) -> [DeviceDraft] {
        var body = try BodyReader(bytes, null: .absent)
        let drafts = body.rootObjects(known: draftMembers) { draft(&$0) }
        try body.finish()
        return drafts
    }
}
