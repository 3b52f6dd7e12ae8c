internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient

struct DevicesAppCommand: ClientTask {
    static let configuration = command(
        "Open, suspend or end an app, or change its permission to notify.",
        discussion: "iOS treats a push accordingly: see \"reaction\" in the record of a push.",
        examples: "mock-apns devices app alice --state foreground",
        "mock-apns devices app alice --topic com.example.app --notifications off")

    @OptionGroup var app: AppArgument

    @Option(help: "The state of the app.") var state: AppStateArgument?

    @Option(help: "Whether the app may show notifications.") var notifications: SwitchArgument?

    func run(_ options: ReportOptions) async throws {
        let problem = "missing --state or --notifications; see mock-apns devices app --help"
        try CommandFailure.check(state != nil || notifications != nil, .usage, problem)
        let isOn = notifications.map { $0 == .on }
        try await options.change(app, ["appState": state?.rawValue, "notificationsEnabled": isOn]) { app in
            "\(app.topic) on \(app.deviceName): \(app.condition)"
        }
    }
}

struct DevicesUninstallCommand: ClientTask {
    static let configuration = command(
        "Uninstall an app from a device; pushes to its token get status 410.",
        examples: "mock-apns devices uninstall alice --topic com.example.app", "mock-apns feedback")

    @OptionGroup var app: AppArgument

    func run(_ options: ReportOptions) async throws {
        try await options.change(app, ["state": "uninstalled"]) { "\($0.topic) on \($0.deviceName) is \($0.state)" }
    }
}

struct DevicesRotateCommand: ClientTask {
    static let configuration = command(
        "Give an app another token, as after a restore; the old one gets status 410.",
        examples: "mock-apns devices rotate alice --topic com.example.app")

    @OptionGroup var app: AppArgument

    @Option("hex", "The new token. (default: generated)") var token: String?

    func run(_ client: ClientOptions) async throws {
        let path = ["registrations", try await app.token(client), "rotate"]
        let request = APIRequest("POST", path, hint: app.device.hint).sending(["token": token])
        try await client.show(request, as: RegistrationRotatedShape.self) { answer in
            let app = answer.registration
            return TerminalText.plain("\(app.topic) on \(app.deviceName) has a new token") + "\n"
                + Table.sheet([("token", app.token), ("previous", answer.previous)])
        }
    }
}

extension ReportOptions {
    fileprivate func change(
        _ app: AppArgument, _ members: [String: (any ShapeValue)?], _ sentence: (APIObject<RegistrationShape>) -> String
    ) async throws {
        let token = try await app.token(client)
        let request = APIRequest("PATCH", ["registrations", token], hint: app.device.hint).sending(members)
        try await client.show(request, as: RegistrationChangedShape.self) {
            $0.deliveries.text(after: sentence($0.registration), full: full)
        }
    }
}
