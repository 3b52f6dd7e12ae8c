internal import MockAPNsRules
internal import MockAPNsWorld

extension FaultPreset {
    /// All presets.
    public static let all: [FaultPreset] = [
        FaultPreset(
            "shutdown-keep-open", "503 Shutdown and GOAWAY {\"reason\":\"Shutdown\"}, and the connection stays open.",
            source: "observed: pushy#567"
        ) { _, _ in
            let response = FaultAction.Response(.shutdown)
            let debug = #"{"reason":"Shutdown"}"#
            return .goAway(FaultAction.GoAway(debug: debug, close: .never, respond: response))
        },
        FaultPreset(
            "goaway-then-refuse", "GOAWAY after a response, then REFUSED_STREAM for each new stream of the connection.",
            source: "observed: clave#14",
            [Parameter("after", .count(0), "The number of earlier requests on the connection.")]
        ) { values, trigger in
            trigger.afterRequests = values.count("after")
            return .goAway(FaultAction.GoAway(close: .never, then: .refuse))
        },
        FaultPreset(
            "goaway-before-settings", "GOAWAY instead of SETTINGS, and the connection is closed.",
            source: "observed: pushy#831"
        ) { _, _ in
            var settings = FaultAction.SettingsFrame()
            settings.replaceWithGoAway = FaultAction.GoAway(lastStream: .zero, close: .now)
            return .settings(settings)
        },
        FaultPreset(
            "goaway-silent-after-5000", "GOAWAY after the 5000th response of a connection, then silence on it.",
            source: "observed: pushy#312",
            [Parameter("n", .count(5_000), "The number of the last response on the connection.")]
        ) { values, trigger in
            trigger.afterRequests = max(0, values.count("n") - 1)
            return .goAway(FaultAction.GoAway(close: .never, then: .stall))
        },
        FaultPreset("idle-rst", "A connection without requests is reset.", source: "observed: Manta#19", [idle]) {
            _, _ in .connection(.rst)
        },
        FaultPreset(
            "idle-blackhole", "A connection without requests is dropped silently, as by a router.",
            source: "observed: Manta#19", [idle]
        ) { _, _ in .connection(.blackhole) },
        FaultPreset(
            "internal-error-after-idle", "500 InternalServerError for the first push after a pause.",
            source: "observed: pushy#408", [idle]
        ) { _, _ in .respond(FaultAction.Response(.internalServerError)) },
        answer(.tooManyRequests, "too-many-requests"),
        answer(.tooManyProviderTokenUpdates, "too-many-provider-token-updates"),
        answer(.expiredProviderToken, "expired-provider-token"), answer(.unregistered, "unregistered"),
        answer(.badDeviceToken, "bad-device-token"), answer(.deviceTokenNotForTopic, "device-token-not-for-topic"),
        FaultPreset(
            "one-stream", "SETTINGS_MAX_CONCURRENT_STREAMS is 1, whatever the connection shows.",
            source: "documented for token connections before their first valid token",
            [Parameter("streams", .count(1), "How many streams a connection may have.")]
        ) { values, _ in
            var settings = FaultAction.SettingsFrame()
            settings.maxConcurrentStreams = UInt32(clamping: values.count("streams"))
            return .settings(settings)
        },
        FaultPreset(
            "slow-1s", "Every response waits a second.", source: "for tests of timeouts",
            [
                Parameter("delay", .duration(1_000_000), "How long a response waits."),
                Parameter("jitter", .duration(0), "How much the delay varies."),
            ]
        ) { values, _ in
            let delay = FaultAction.Delay(values.duration("delay"), jitter: values.duration("jitter"))
            return .delay(delay)
        },
        FaultPreset(
            "lossy-5pct", "5 of 100 accepted pushes are never delivered.",
            source: "documented: delivery is best effort", probability: 0.05
        ) { _, _ in .lose },
    ]

    private init(
        _ name: String, _ meaning: String, source: String, _ parameters: [Parameter] = [], probability: Double = 1,
        make: @escaping @Sendable (Values, inout FaultTrigger) -> FaultAction
    ) {
        self.name = name
        self.meaning = meaning
        self.source = source
        self.parameters =
            parameters + [
                Parameter("skip", .count(0), "How many pass before the first."),
                Parameter("times", .count(0), "How many times at most; 0 for no limit."),
                Parameter("probability", .fraction(probability), "How likely each one is."),
            ]
        self.make = make
    }

    private static func answer(_ reason: Reason, _ name: String) -> FaultPreset {
        FaultPreset(
            name, "\(reason.status) \(reason.name), whatever the push.",
            source: "documented: Apple's table of responses"
        ) { _, _ in .respond(FaultAction.Response(reason)) }
    }

    private static let idle = Parameter("idle", .duration(60_000_000), "How long the connection is without requests.")
}
