internal import MockAPNsRules

extension FaultPreset {
    /// All presets.
    public static let all: [FaultPreset] = [
        FaultPreset(
            "shutdown-keep-open",
            "503 Shutdown and GOAWAY {\"reason\":\"Shutdown\"}, and the connection stays open.",
            source: "observed: pushy#567"
        ) { values in
            let shutdown = FaultAction.GoAway(
                debug: #"{"reason":"Shutdown"}"#,
                close: .never,
                respond: FaultAction.Response(.shutdown)
            )
            return (values.trigger, .goAway(shutdown))
        },
        FaultPreset(
            "goaway-then-refuse",
            "GOAWAY behind an answer, then REFUSED_STREAM for each new stream of the connection.",
            source: "observed: clave#14",
            [count("after", 0, "How many requests of a connection come before.")]
        ) { values in
            var trigger = values.trigger
            trigger.afterRequests = values.count("after")
            return (trigger, .goAway(FaultAction.GoAway(close: .never, then: .refuse)))
        },
        FaultPreset(
            "goaway-before-settings",
            "GOAWAY in place of SETTINGS, and the connection is closed.",
            source: "observed: pushy#831"
        ) { values in
            var settings = FaultAction.SettingsFrame()
            settings.replaceWithGoAway = FaultAction.GoAway(lastStream: .zero, close: .now)
            return (values.trigger, .settings(settings))
        },
        FaultPreset(
            "goaway-silent-after-5000",
            "GOAWAY behind the 5000th answer of a connection, then silence on it.",
            source: "observed: pushy#312",
            [count("n", 5_000, "Which answer of a connection is the last.")]
        ) { values in
            var trigger = values.trigger
            trigger.afterRequests = max(0, values.count("n") - 1)
            return (trigger, .goAway(FaultAction.GoAway(close: .never, then: .stall)))
        },
        FaultPreset(
            "idle-rst",
            "A connection without requests is reset.",
            source: "observed: Manta#19",
            [idle]
        ) { values in (values.idleTrigger, .connection(.rst)) },
        FaultPreset(
            "idle-blackhole",
            "A connection without requests is dropped without a word, as by a router that forgets it.",
            source: "observed: Manta#19",
            [idle]
        ) { values in (values.idleTrigger, .connection(.blackhole)) },
        FaultPreset(
            "internal-error-after-idle",
            "500 InternalServerError for the first push after a pause.",
            source: "observed: pushy#408",
            [idle]
        ) { values in (values.idleTrigger, .respond(FaultAction.Response(.internalServerError))) },
        answer(.tooManyRequests, "too-many-requests"),
        answer(.tooManyProviderTokenUpdates, "too-many-provider-token-updates"),
        answer(.expiredProviderToken, "expired-provider-token"),
        answer(.unregistered, "unregistered"),
        answer(.badDeviceToken, "bad-device-token"),
        answer(.deviceTokenNotForTopic, "device-token-not-for-topic"),
        FaultPreset(
            "one-stream",
            "SETTINGS_MAX_CONCURRENT_STREAMS is 1, whatever the connection shows.",
            source: "documented for token connections before their first valid token",
            [count("streams", 1, "How many streams a connection may have.")]
        ) { values in
            var settings = FaultAction.SettingsFrame()
            settings.maxConcurrentStreams = UInt32(clamping: values.count("streams"))
            return (values.trigger, .settings(settings))
        },
        FaultPreset(
            "slow-1s",
            "Every answer waits a second.",
            source: "for tests of timeouts",
            [
                Parameter(
                    name: "delay",
                    standard: .duration(1_000_000),
                    meaning: "How long an answer waits."
                ),
                Parameter(name: "jitter", standard: .duration(0), meaning: "How far that varies."),
            ]
        ) { values in
            let delay = FaultAction.Delay(values.duration("delay"), jitter: values.duration("jitter"))
            return (values.trigger, .delay(delay))
        },
        FaultPreset(
            "lossy-5pct",
            "5 of 100 accepted pushes are never delivered.",
            source: "documented: delivery is best effort",
            probability: 0.05
        ) { values in (values.trigger, .lose) },
    ]

    private init(
        _ name: String,
        _ meaning: String,
        source: String,
        _ parameters: [Parameter] = [],
        probability: Double = 1,
        make: @escaping @Sendable (Values) -> (FaultTrigger, FaultAction)
    ) {
        self.name = name
        self.meaning = meaning
        self.source = source
        self.parameters =
            parameters + [
                Self.count("skip", 0, "How many pass before the first."),
                Self.count("times", 0, "How many times at most; 0 for no limit."),
                Parameter(
                    name: "probability",
                    standard: .fraction(probability),
                    meaning: "How likely each one is."
                ),
            ]
        self.make = { make($0) }
    }

    /// Returns a preset that responds with a reason of Apple's table.
    private static func answer(_ reason: Reason, _ name: String) -> FaultPreset {
        FaultPreset(
            name,
            "\(reason.status) \(reason.name), whatever the push.",
            source: "documented: Apple's table of answers"
        ) { values in (values.trigger, .respond(FaultAction.Response(reason))) }
    }

    private static func count(_ name: String, _ standard: Int, _ meaning: String) -> Parameter {
        Parameter(name: name, standard: .count(standard), meaning: meaning)
    }

    private static let idle = Parameter(
        name: "idle",
        standard: .duration(60_000_000),
        meaning: "How long the connection is without requests."
    )
}

extension FaultPreset.Values {
    /// The trigger of presets that fire after a pause.
    fileprivate var idleTrigger: FaultTrigger {
        var trigger = trigger
        trigger.afterIdle = duration("idle")
        return trigger
    }
}
