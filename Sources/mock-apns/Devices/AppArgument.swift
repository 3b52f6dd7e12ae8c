internal import ArgumentParser
internal import MockAPNsAPI

/// An app on a device: its token, or its device and topic.
struct AppArgument: ParsableArguments {
    @Argument(help: .value("device-or-token", "The app's device token, or its device: @label or dev_..."))
    var device: DeviceArgument

    @Option(help: .value("topic", "The app's topic, when the device has several apps."))
    var topic: String?

    func token(_ client: ClientOptions) async throws -> String {
        if device.kind == .token, topic == nil { return device.reference }
        let response = try await client.ask(APIRequest("GET", device.path()), hint: device.hint)
        return try token(in: response.decoded(as: DeviceShape.self))
    }

    func token(in found: APIObject<DeviceShape>) throws -> String {
        let installed = found.registrations.filter(\.isInstalled)
        let matching = installed.filter { topic == nil || $0.topic == topic }
        // A token names its device and also one of the device's apps.
        if let own = matching.first(where: { $0.token == device.reference }) { return own.token }
        if matching.count == 1, let only = matching.first { return only.token }
        if matching.isEmpty { throw CommandFailure(.unmet, absence(installed, found)) }
        let isTopicEnough = topic == nil && Set(matching.map(\.topic)).count == matching.count
        let fix = isTopicEnough ? "choose one with --topic" : "choose one by its device token"
        let choices = matching.map { TerminalText.plain("  \($0.topic)  \($0.environment)  \($0.token)") }
        let apps = topic.map { "several apps with the topic \($0)" } ?? "several apps"
        throw CommandFailure(
            .unmet,
            ([TerminalText.plain("\(found.name) has \(apps); \(fix)")] + choices).joined(separator: "\n")
        )
    }

    /// The reason why no app matches.
    private func absence(
        _ installed: [APIObject<RegistrationShape>],
        _ found: APIObject<DeviceShape>
    ) -> String {
        if let topic, let former = found.registrations.last(where: { $0.topic == topic }) {
            return TerminalText.plain("the app \(topic) on \(found.name) is already \(former.state)")
        }
        guard let topic, !installed.isEmpty else {
            return TerminalText.plain("\(found.name) has no installed app")
        }
        let topics = installed.map(\.topic).joined(separator: ", ")
        return TerminalText.plain("\(found.name) has no app with the topic \(topic); its topics: \(topics)")
    }
}
