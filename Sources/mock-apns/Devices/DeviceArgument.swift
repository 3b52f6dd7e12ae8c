internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsRules

extension DeviceToken {
    /// What errors expect in place of a text that is none.
    static let expected = "an even number of hexadecimal digits, 2 to \(2 * maximumSize)"
}

/// A device on the command line: `@label`, a device token, `dev_…`, or the label alone.
struct DeviceArgument: ExpressibleByArgument, Equatable {
    enum Kind { case label, token, id }

    let reference: String
    /// Added to the error when the device is not found.
    let hint: String?

    init?(argument text: String) {
        guard !text.isEmpty, text != "@" else { return nil }
        let isNamed = text.hasPrefix("@") || text.hasPrefix("dev_")
        let token = isNamed ? nil : DeviceToken(hex: text)
        reference = token?.hex ?? (isNamed ? text : "@\(text)")
        let isShort = token != nil && text.count < 64
        hint = isShort ? "'\(text)' is read as a device token; for a label, use @\(text)" : nil
    }

    var kind: Kind { reference.hasPrefix("@") ? .label : reference.hasPrefix("dev_") ? .id : .token }

    /// A request for the device, or for a resource below it.
    func request(_ method: String, _ part: String? = nil) -> APIRequest {
        APIRequest(method, ["devices", reference] + [part].compactMap(\.self), hint: hint)
    }
}

struct DeviceOptions: ParsableArguments {
    @Argument(help: "The device: @label, a device token, or dev_..., as in devices list.") var device: DeviceArgument

    @OptionGroup var client: ClientOptions
}

/// An app on a device: its token, or its device and topic.
struct AppArgument: ParsableArguments {
    @Argument(help: .value("device-or-token", "The app's device token, or its device: @label or dev_...")) var device:
        DeviceArgument

    @Option("topic", "The app's topic, when the device has several apps.") var topic: String?

    func token(_ client: ClientOptions) async throws -> String {
        if device.kind == .token, topic == nil { return device.reference }
        let response = try await client.ask(device.request("GET"))
        return try response.decoded(as: DeviceShape.self, token)
    }

    func token(in found: APIObject<DeviceShape>) throws -> String {
        let installed = found.registrations.filter(\.isInstalled)
        let matching = installed.filter { topic == nil || $0.topic == topic }
        // A token names its device and also one of the device's apps.
        if let own = matching.first(where: { $0.token == device.reference }) { return own.token }
        if matching.count == 1, let only = matching.first { return only.token }
        if matching.isEmpty { throw CommandFailure(.usage, TerminalText.plain(absence(in: found))) }
        let isTopicEnough = topic == nil && Set(matching.map(\.topic)).count == matching.count
        let fix = isTopicEnough ? "choose one with --topic" : "choose one by its device token"
        let apps = topic.map { "several apps with the topic \($0)" } ?? "several apps"
        let choices = matching.map { "  \($0.topic)  \($0.environment)  \($0.token)" }
        let lines = ["\(found.name) has \(apps); \(fix)"] + choices
        throw CommandFailure(.usage, lines.map(TerminalText.plain).joined(separator: "\n"))
    }

    private func absence(in found: APIObject<DeviceShape>) -> String {
        if let topic, let former = found.registrations.last(where: { $0.topic == topic }) {
            return "the app \(topic) on \(found.name) is already \(former.state)"
        }
        let topics = found.registrations.filter(\.isInstalled).map(\.topic).joined(separator: ", ")
        guard let topic, !topics.isEmpty else { return "\(found.name) has no installed app" }
        return "\(found.name) has no app with the topic \(topic); its topics: \(topics)"
    }
}
