internal import ArgumentParser

/// How an app on a device is named on the command line: by its token, or by its device and topic.
struct AppArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The app's device token, or its device: @label or dev_...",
            valueName: "device-or-token"
        )
    )
    var device: DeviceArgument

    @Option(help: ArgumentHelp("Which app, when the device has several.", valueName: "topic"))
    var topic: String?

    /// Finds the token.
    ///
    /// - Throws: `CommandFailure` when there is not exactly one app that can be meant.
    func token(_ client: ClientOptions) async throws -> String {
        if device.kind == .token, topic == nil { return device.reference }
        let response = try await client.ask(APIRequest("GET", device.path()), hint: device.hint)
        return try token(in: response.decoded(as: DeviceAnswer.self))
    }

    /// Finds the token among the apps of a device.
    func token(in found: DeviceAnswer) throws -> String {
        let installed = found.registrations.filter(\.isInstalled)
        let meant = installed.filter { topic == nil || $0.topic == topic }
        // Each app of a device is another one's neighbour: a token also says which of them is meant.
        if let own = meant.first(where: { $0.token == device.reference }) { return own.token }
        if meant.count == 1, let only = meant.first { return only.token }
        if meant.isEmpty { throw CommandFailure(.unmet, absence(installed, found)) }
        let isTopicEnough = topic == nil && Set(meant.map(\.topic)).count == meant.count
        let way = isTopicEnough ? "say which with --topic" : "say which by its device token"
        let choices = meant.map { TerminalText.plain("  \($0.topic)  \($0.environment)  \($0.token)") }
        let apps = topic.map { "several apps with the topic \($0)" } ?? "several apps"
        throw CommandFailure(
            .unmet,
            ([TerminalText.plain("\(found.name) has \(apps); \(way)")] + choices).joined(separator: "\n")
        )
    }

    /// Why no app can be meant.
    private func absence(_ installed: [RegistrationAnswer], _ found: DeviceAnswer) -> String {
        if let topic, let gone = found.registrations.last(where: { $0.topic == topic }) {
            return TerminalText.plain("the app \(topic) on \(found.name) is \(gone.state) already")
        }
        guard let topic, !installed.isEmpty else {
            return TerminalText.plain("\(found.name) has no app that could be meant")
        }
        let topics = installed.map(\.topic).joined(separator: ", ")
        return TerminalText.plain("\(found.name) has no app with the topic \(topic); it has: \(topics)")
    }
}
