internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

enum SettingsRoutes {
    static let routes: [Route] = [
        .get("/api/v1/settings", "Get settings") { .json(RunTimeSetting.json($0.subject.world.options)) }.gives(
            settings),
        .patch("/api/v1/settings", "Change settings", reads: changes, change).detail(
            "All changes apply at once, or none. strict is applied first, because it sets others."
        ).gives(settings),
    ]

    private static let settings = Route.Answer.json(schema, "The settings.")

    private static var schema: Schema {
        let defaults = World.Options()
        let members = RunTimeSetting.all.map {
            ($0.name, $0.field.schema(.request).defaulting(to: $0.read(defaults)).explained(at: $0.source))
        }
        let names = members.map(\.0).sorted()
        return Schema.object(Dictionary(uniqueKeysWithValues: members), required: names).named("Settings")
    }

    private static let changes = RequestBody<[RunTimeSetting.Change]>(
        .object([], RunTimeSetting.all.map(\.field)), example: ["unknownTokens": "reject"])

    private static func change(_ call: Route.Call, _ changes: [RunTimeSetting.Change]) throws(Problem) -> APIResponse {
        // In one step: no push is judged by half of a change.
        let (_, options) = call.subject.world.changeOptions { options in for change in changes { change(&options) } }
        return .json(RunTimeSetting.json(options))
    }
}

/// A setting that can be changed while the server runs: one row of `all`.
///
/// The value that `read` shows is also valid in a change.
struct RunTimeSetting: Sendable {
    typealias Change = @Sendable (inout World.Options) -> Void
    private typealias Path<Value> = any WritableKeyPath<World.Options, Value> & Sendable

    let name: String
    let read: @Sendable (World.Options) -> JSONValue
    let field: Field<[Change]>
    /// The link to what is known about the real service.
    var source: String? { DifferencesPage.link(to: name) }

    private init<Value: Sendable>(
        _ name: String, _ form: Form<Value>, _ description: String, get: @escaping @Sendable (World.Options) -> Value?,
        set: @escaping @Sendable (inout World.Options, Value) -> Void
    ) {
        self.name = name
        read = { get($0).map(form.json) ?? .null }
        field = .optional(name, form, description) { changes, value in changes.append { set(&$0, value) } }
    }

    private init<Value: Sendable>(_ name: String, _ form: Form<Value>, _ path: Path<Value>, _ description: String) {
        self.init(name, form, description, get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
    }

    static func json(_ options: World.Options) -> JSONValue {
        .object(Dictionary(all.map { ($0.name, $0.read(options)) }) { first, _ in first })
    }

    static func differences(_ left: World.Options, _ right: World.Options) -> Int {
        all.count { $0.read(left) != $0.read(right) }
    }

    /// The settings in the order in which they are applied: `strict` is first, because it sets others.
    static let all: [RunTimeSetting] =
        [
            RunTimeSetting(
                "strict", .boolean, \.rules.isStrict,
                "Sets unknownTokens, invalidJson and apnsIdCase to their strictest or most lenient values."),
            RunTimeSetting(
                "auth", .word, \.rules.authentication,
                "How provider tokens are checked: verify them, check all but the signature, or accept any."),
            RunTimeSetting(
                "unknownTokens", .word, \.rules.unknownTokens,
                "Whether a push to an unknown device token creates a device, or is rejected as BadDeviceToken."),
            RunTimeSetting(
                "deviceRate", .rate, \.rules.deviceRate,
                "The most pushes to one device token in a time; more are rejected as TooManyRequests. null: no limit."),
            RunTimeSetting(
                "channelRate", .rate, \.rules.channelRate,
                "The most broadcasts to one channel in a time; more are rejected as TooManyRequests. null: no limit."),
            RunTimeSetting(
                "errorLimit", .whole(0...1_000_000), \.rules.errorLimit,
                "The number of consecutive rejected pushes after which a connection is closed. 0: no limit."),
            RunTimeSetting(
                "providerTokenMinInterval", duration(from: 0), \.rules.tokenUpdateInterval,
                "The minimum time between two new provider tokens; earlier ones get TooManyProviderTokenUpdates."),
            RunTimeSetting(
                "providerTokenLifetime", duration(from: 1_000), \.rules.tokenLifetime,
                "The maximum age of a provider token; older ones are rejected as ExpiredProviderToken."),
            RunTimeSetting(
                "uninstallDetection", .word, \.devices.uninstallDetection,
                "When a token is Unregistered after its app was uninstalled: at once, after the next push to it, or some time"
                    + " after the first push that reached the device."),
            RunTimeSetting(
                "uninstallDelay", .durations, \.devices.uninstallDelay,
                "With uninstallDetection fuzzy: the shortest and the longest time between that push and the first 410."),
            RunTimeSetting(
                "uninstallSeed", .whole(0...DeviceOptions.largestUninstallSeed), \.devices.uninstallSeed,
                "With uninstallDetection fuzzy: equal seeds give equal times for the same device tokens."),
            RunTimeSetting(
                "inactiveAfter", duration(from: 1_000), \.devices.inactiveAfter,
                "How long a device may be offline before its device tokens become inactive."),
            RunTimeSetting(
                "activityTokenRotation", .fraction, \.devices.activityTokenRotation,
                "How probable it is that iOS replaces a Live Activity's token after an update, from 0 to 1."),
        ] + Behavior.all.filter(\.isForRunTime).map(behavior)

    private static func duration(from shortest: Int64) -> Form<Int64> {
        .duration(from: shortest, examples: "500ms, 5s, 20m, 1h or 30d")
    }

    /// An assumption about APNs: `invalid-json` on the command line is `invalidJson` here.
    private static func behavior(_ behavior: Behavior) -> RunTimeSetting {
        let words = behavior.name.split(separator: "-").map(String.init)
        let name = words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return RunTimeSetting(name, Form.words(behavior.values, \.self), behavior.meaning) {
            behavior.value(in: $0.rules)
        } set: {
            behavior.choose($1, in: &$0.rules)
        }
    }
}

extension Form where Value == ClosedRange<Int64> {
    fileprivate static var durations: Self {
        Self(
            expected: "two durations, such as \"1h..30d\"",
            schema: Schema.text("^[0-9]{1,12}(ms|s|m|h|d)\\.\\.[0-9]{1,12}(ms|s|m|h|d)$").example("1h..30d"),
            write: { JSONValue(DurationText.text($0)) }
        ) { value in value.string.flatMap { DurationText.range($0) } }
    }
}

extension Form where Value == RuleOptions.Rate? {
    fileprivate static var rate: Self {
        Self(
            expected: "a count and a duration, such as \"10/1s\", or null for no limit",
            schema: Schema.text("^[0-9]{1,10}/[0-9]{1,12}(ms|s|m|h|d)$").example("10/1s").orNull,
            write: { JSONValue($0.map { "\($0.count)/\(DurationText.text($0.interval))" }) }
        ) { value in
            if case .null = value { return .some(nil) }
            guard case .string(let text) = value else { return nil }
            let parts = text.split(separator: "/", maxSplits: 1)
            guard parts.count == 2, let count = UInt64(digits: String(parts[0])), (1...1_000_000_000).contains(count),
                let interval = DurationText.microseconds(String(parts[1])),
                (1...DurationText.longest).contains(interval)
            else { return nil }
            return .some(RuleOptions.Rate(count: Int(count), interval: interval))
        }
    }
}
