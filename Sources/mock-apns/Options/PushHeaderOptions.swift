internal import ArgumentParser

/// The headers of a push, in the commands that send or check one.
struct PushHeaderOptions: ParsableArguments {
    @Option(help: .value("topic", "The value of apns-topic."))
    var topic: String?

    @Option(help: .value("type", "The value of apns-push-type."))
    var pushType: String?

    @Option(help: .value("10|5|1", "The value of apns-priority."))
    var priority: String?

    @Option(help: .value("seconds", "The value of apns-expiration."))
    var expiration: String?

    @Option(name: .customLong("collapse-id"), help: .value("id", "The value of apns-collapse-id."))
    var collapseID: String?
}
