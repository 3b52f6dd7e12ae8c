internal import ArgumentParser
internal import MockAPNsRules
internal import NIOCore

/// `mock-apns devices add`: makes a device, or many from a file.
struct DevicesAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make a device, or many.",
        discussion: """
            Device tokens are made where none is given, and printed. With --file, devices of the same label \
            or token are changed to what is described; the file is JSON:
              [{"label":"alice","registrations":[{"topic":"com.example.app"}]}]

            Example:
              mock-apns devices add --label alice --topic com.example.app
              mock-apns devices add --file devices.json
            """
    )

    /// The largest file that the API takes.
    static let largestFile = 64 << 20

    @Option(help: ArgumentHelp("A name, so that it can be found as @name.", valueName: "label"))
    var label: String?

    @Option(help: ArgumentHelp("The topic of an app on it; repeatable.", valueName: "topic"))
    var topic: [String] = []

    @Option(help: ArgumentHelp("The environment of the tokens. (default: sandbox)"))
    var environment: EnvironmentArgument?

    @Option(help: ArgumentHelp("The device token of its one app. (default: one is made)", valueName: "hex"))
    var token: String?

    @Flag(help: "It is offline: pushes wait for it.")
    var offline = false

    @Flag(help: "It saves power: only pushes of priority 10 reach it.")
    var lowPower = false

    @Option(
        help: ArgumentHelp("Read devices from this file, - for standard input.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var file: String?

    @Flag(help: "Print device tokens of --file in full.")
    var full = false

    @OptionGroup var client: ClientOptions

    func validate() throws {
        let isDescribed =
            label != nil || !topic.isEmpty || environment != nil || token != nil || offline || lowPower
        if file != nil, isDescribed {
            throw ValidationError("--file says everything about devices; leave the other options out.")
        }
        guard let token else { return }
        if DeviceToken(hex: token) == nil {
            throw ValidationError(
                "--token: '\(token)' should be hexadecimal digits, an even number,"
                    + " 2 to \(2 * DeviceToken.maximumSize)."
            )
        }
        if topic.count != 1 {
            throw ValidationError("--token belongs to one app, and --topic names \(topic.count).")
        }
    }

    func run() async throws {
        if let file { return try await addAll(from: file) }
        // Not in `validate`, which comes before the complaint about a misspelt option.
        guard label != nil || !topic.isEmpty else {
            throw CommandFailure(
                .usage,
                "say what to make: --topic, --label or --file; see mock-apns devices add --help"
            )
        }
        try await addOne()
    }

    private func addOne() async throws {
        let draft = DeviceDraftBody(
            label: label,
            state: offline ? "offline" : nil,
            lowPower: lowPower ? true : nil,
            registrations: topic.map { topic in
                DeviceDraftBody.App(token: token, topic: topic, environment: environment?.rawValue)
            }
        )
        let response = try await client.ask(APIRequest("POST", ["devices"]).sending(draft))
        try client.show(response, as: DeviceAnswer.self) { device in
            let id = device.label == nil ? "" : " (\(device.id))"
            var table = Table([.text("TOPIC"), .text("ENVIRONMENT"), .text("TOKEN")])
            table.rows = device.registrations.map { [$0.topic, $0.environment, $0.token] }
            let sentence = TerminalText.plain("\(device.name)\(id) is \(device.condition)")
            return sentence + (table.rows.isEmpty ? "" : "\n" + table.text)
        }
    }

    private func addAll(from file: String) async throws {
        let path = file == "-" ? "/dev/stdin" : file
        guard let text = try AtomicFile.read(path, limit: Self.largestFile) else {
            throw CommandFailure(.badConfiguration, "--file: there is no file \(file)")
        }
        var request = APIRequest("PUT", ["devices"])
        request.body = Array(text.utf8)
        // A hundred thousand devices take a while.
        let response = try await client.ask(request, timeout: .seconds(300))
        try client.show(response, as: DevicePutAnswer.self) { answer in
            Console.standard.note("\(answer.created) made, \(answer.updated) changed")
            return answer.devices.isEmpty ? nil : answer.table(full: full)
        }
    }
}

/// A device to be made, as the API takes it.
struct DeviceDraftBody: Encodable {
    /// An app on it.
    struct App: Encodable {
        let token: String?
        let topic: String
        let environment: String?
    }

    let label: String?
    let state: String?
    let lowPower: Bool?
    let registrations: [App]
}
