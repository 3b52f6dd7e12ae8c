internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOCore

struct DevicesAddCommand: ClientTask {
    static let configuration = command(
        "Create one or more devices.",
        discussion: """
            Device tokens are generated unless given, and printed. With --file, devices with the same label \
            or token are changed; the file is JSON:
              [{"label":"alice","registrations":[{"topic":"com.example.app"}]}]
            """, examples: "mock-apns devices add --label alice --topic com.example.app",
        "mock-apns devices add --label ipad --mdm", "mock-apns devices add --file devices.json")

    static let largestFile = 64 << 20

    @Option("label", "A label; commands take it as @label.") var label: String?

    @Option("topic", "The topic of an app on it; repeatable.") var topic: [String] = []

    @Option(help: "The environment of the tokens. (default: sandbox)") var environment: EnvironmentArgument?

    @Option("version", "The version of iOS on it, such as 17.4. (default: the newest)") var os: String?

    @Option("hex", "The device token of its only app. (default: generated)") var token: String?

    @Flag(help: "It is offline: pushes are stored for it.") var offline = false

    @Flag(help: "It is in low power mode: only pushes with priority 10 are delivered.") var lowPower = false

    @Flag(help: "It is enrolled in device management (MDM): {\"mdm\": \"<PushMagic>\"} makes it poll.") var mdm = false

    @Option("text", "The PushMagic of --mdm. (default: generated)") var pushMagic: String?

    @Option("file", "A file with devices; - is standard input.", completion: .json) var file: String?

    @Flag(help: "Print device tokens of --file in full.") var full = false

    func validate() throws {
        let options: [Any?] = [label, topic.first, environment, token, os, pushMagic]
        if file != nil, offline || lowPower || mdm || options.contains(where: { $0 != nil }) {
            throw ValidationError("--file cannot be combined with options that describe a device.")
        }
        if let os, DeviceOS(os) == nil { throw ValidationError("invalid --os '\(os)': expected \(DeviceOS.expected).") }
        if pushMagic != nil, !mdm { throw ValidationError("--push-magic needs --mdm.") }
        guard let token else { return }
        guard DeviceToken(hex: token) != nil else {
            throw ValidationError("invalid --token '\(token)': expected \(DeviceToken.expected).")
        }
        let topics = topics.count
        guard topics != 1 else { return }
        throw ValidationError("--token needs exactly one --topic, and there are \(topics).")
    }

    /// An enrolled device has the topic of a push certificate for MDM.
    private var topics: [String] {
        guard mdm, !topic.contains(where: { SpecialTopic(topic: $0) == .deviceManagement }) else { return topic }
        return topic + [Self.mdmTopic]
    }

    private static let mdmTopic = "com.apple.mgmt.External.mock"

    /// The form of the PushMagic that devices make.
    private static var generatedMagic: String {
        UniqueID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)).text(upperCase: true)
    }

    func run(_ client: ClientOptions) async throws {
        if let file { return try await addAll(from: file, client) }
        // Not in `validate`, which runs before misspelt options are reported.
        let problem = "missing --topic, --label, --mdm or --file; see mock-apns devices add --help"
        try CommandFailure.check(label != nil || !topics.isEmpty, .usage, problem)
        let registrations = topics.map { topic in
            JSONValue.members(["token": token, "topic": topic, "environment": environment?.rawValue])
        }
        let request = APIRequest("POST", ["devices"]).sending([
            "label": label, "os": os, "state": offline ? "offline" : nil, "lowPower": lowPower ? true : nil,
            "registrations": registrations, "pushMagic": mdm ? pushMagic ?? Self.generatedMagic : nil,
        ])
        try await client.show(request, as: DeviceShape.self) { device in
            let id = device.label == nil ? "" : " (\(device.id))"
            let columns: [Table.Column] = [.name("TOPIC"), .fixed("ENVIRONMENT").optional(1), .fixed("TOKEN")]
            let apps = device.registrations
            let table = Table.text(columns, of: apps) { [$0.topic, $0.environment, $0.token] }
            let enrolled = device.pushMagic.map { ", enrolled with the PushMagic \($0)" } ?? ""
            let sentence = Terminal.output.paragraph("\(device.name)\(id) is \(device.condition)\(enrolled)")
            return sentence + (apps.isEmpty ? "" : "\n" + table)
        }
    }

    private func addAll(from file: String, _ client: ClientOptions) async throws {
        let devices = try AtomicFile.input(file, option: "--file", limit: Self.largestFile)
        // A hundred thousand devices take a while.
        let request = APIRequest("PUT", ["devices"]).sending(devices, from: file).with(\.timeout, .seconds(300))
        try await client.show(request, as: DevicesPutShape.self) { answer in
            Console.note("\(answer.created) created, \(answer.updated) changed")
            return answer.devices.isEmpty ? nil : answer.table(full: full)
        }
    }
}
