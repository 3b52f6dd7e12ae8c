internal import ArgumentParser

/// `mock-apns devices app`: what an app is doing.
struct DevicesAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Open, suspend or end an app, or change its permission to notify.",
        discussion: """
            What iOS does with a push depends on it: see "reaction" in the record of a push.

            Example:
              mock-apns devices app alice --state foreground
              mock-apns devices app alice --topic com.example.app --notifications off
            """
    )

    @OptionGroup var app: AppArgument

    @Option(help: "What the app is doing.")
    var state: AppStateArgument?

    @Option(help: "Whether the user lets it show notifications.")
    var notifications: SwitchArgument?

    @Flag(help: "Print all ids.")
    var full = false

    @OptionGroup var client: ClientOptions

    func run() async throws {
        guard state != nil || notifications != nil else {
            throw CommandFailure(
                .usage,
                "say what to change: --state or --notifications; see mock-apns devices app --help"
            )
        }
        var change = RegistrationChangeBody()
        change.appState = state?.rawValue
        change.notificationsEnabled = notifications.map { $0 == .on }
        try await change.send(to: app, client) { answer in
            let app = answer.subject
            let sentence = "\(app.topic) on \(app.deviceName): \(app.condition)"
            return answer.report.text(after: sentence, full: full)
        }
    }
}

/// `mock-apns devices uninstall`: removes an app from a device.
struct DevicesUninstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Remove an app from a device; pushes to its token are answered 410.",
        discussion: """
            Example:
              mock-apns devices uninstall alice --topic com.example.app
              mock-apns feedback
            """
    )

    @OptionGroup var app: AppArgument

    @Flag(help: "Print all ids.")
    var full = false

    @OptionGroup var client: ClientOptions

    func run() async throws {
        try await RegistrationChangeBody(state: "uninstalled").send(to: app, client) { answer in
            let app = answer.subject
            return answer.report.text(after: "\(app.topic) on \(app.deviceName) is \(app.state)", full: full)
        }
    }
}

/// `mock-apns devices rotate`: gives an app another token.
struct DevicesRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Give an app another token, as after a restore; the old one is answered 410.",
        discussion: """
            Example:
              mock-apns devices rotate alice --topic com.example.app
            """
    )

    @OptionGroup var app: AppArgument

    @Option(help: ArgumentHelp("The new token. (default: one is made)", valueName: "hex"))
    var token: String?

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let old = try await app.token(client)
        let request = try APIRequest("POST", ["registrations", old, "rotate"]).sending(
            token.map { ["token": $0] } ?? [:]
        )
        let response = try await client.ask(request, hint: app.device.hint)
        try client.show(response, as: RotationAnswer.self) { answer in
            let sentence = TerminalText.plain(
                "\(answer.topic) on \(answer.label ?? answer.device) has a new token"
            )
            return sentence + "\n" + Table.sheet([("token", answer.token), ("previous", answer.previous)])
        }
    }
}

/// What is to change of an app, as the API takes it.
struct RegistrationChangeBody: Encodable {
    var appState: String?
    var notificationsEnabled: Bool?
    var state: String?

    /// Sends it, and prints what became of it.
    func send(
        to app: AppArgument,
        _ client: ClientOptions,
        _ text: (ChangeAnswer<RegistrationAnswer>) -> String
    ) async throws {
        let token = try await app.token(client)
        let request = try APIRequest("PATCH", ["registrations", token]).sending(self)
        let response = try await client.ask(request, hint: app.device.hint)
        try client.show(response, as: ChangeAnswer<RegistrationAnswer>.self, text)
    }
}
