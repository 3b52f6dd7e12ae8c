internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

enum SettingsRoutes {
    static let routes: [Route] = [
        .get("/api/v1/settings", "Get settings") { .json(RunTimeSetting.json($0.subject.world.options)) }
            .gives(settings),
        .patch("/api/v1/settings", "Change settings", reads: changes, change)
            .detail(
                "All changes apply at once, or none. strict is applied first, because it sets others."
            )
            .gives(settings),
    ]

    private static let settings: Route.Answer = {
        let members = RunTimeSetting.all.map { ($0.name, $0.field.schema(.request)) }
        let names = members.map(\.0).sorted()
        let schema = Schema.object(Dictionary(uniqueKeysWithValues: members), required: names)
        return .json(schema.named("Settings"), "The settings.")
    }()

    private static let changes = RequestBody<[RunTimeSetting.Change]>(
        .object([], RunTimeSetting.all.map(\.field)),
        example: ["unknownTokens": "reject"]
    )

    private static func change(
        _ call: Route.Call,
        _ changes: [RunTimeSetting.Change]
    ) throws(Problem) -> APIResponse {
        // In one step: no push is judged by half of a change.
        let (_, options) = call.subject.world.changeOptions { options in
            for change in changes { change(&options) }
        }
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

    private init<Value: Sendable>(
        _ name: String,
        _ form: Form<Value>,
        read: @escaping @Sendable (World.Options) -> JSONValue,
        write: @escaping @Sendable (inout World.Options, Value) -> Void
    ) {
        self.name = name
        self.read = read
        field = .optional(name, form) { changes, value in
            changes.append { options in write(&options, value) }
        }
    }

    private init<Value: Sendable>(
        _ name: String,
        _ form: Form<Value>,
        _ path: Path<Value>,
        read: @escaping @Sendable (Value) -> JSONValue
    ) {
        self.init(name, form, read: { read($0[keyPath: path]) }, write: { $0[keyPath: path] = $1 })
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
            RunTimeSetting("strict", .boolean) {
                .bool($0.rules.isStrict)
            } write: {
                $0.rules.isStrict = $1
            },
            choice("auth", \.rules.authentication),
            choice("unknownTokens", \.rules.unknownTokens),
            RunTimeSetting("deviceRate", .deviceRate, \.rules.deviceRate) { rate in
                JSONValue(rate.map { "\($0.count)/\(DurationText.text($0.interval))" })
            },
            RunTimeSetting("errorLimit", .whole(0...1_000_000), \.rules.errorLimit) { JSONValue($0) },
            duration("providerTokenMinInterval", from: 0, \.rules.tokenUpdateInterval),
            duration("providerTokenLifetime", from: 1_000, \.rules.tokenLifetime),
            choice("uninstallDetection", \.devices.uninstallDetection),
            duration("inactiveAfter", from: 1_000, \.devices.inactiveAfter),
        ] + Behavior.all.filter(\.isForRunTime).map(behavior)

    private static func choice<Value: CaseIterable & RawRepresentable<String> & Sendable>(
        _ name: String,
        _ path: Path<Value>
    ) -> RunTimeSetting {
        RunTimeSetting(name, .word, path) { .string($0.rawValue) }
    }

    private static func duration(_ name: String, from shortest: Int64, _ path: Path<Int64>) -> RunTimeSetting
    {
        let form = Form.duration(from: shortest, examples: "500ms, 5s, 20m, 1h or 30d")
        return RunTimeSetting(name, form, path) { .string(DurationText.text($0)) }
    }

    /// An assumption about APNs: `invalid-json` on the command line is `invalidJson` here.
    private static func behavior(_ behavior: Behavior) -> RunTimeSetting {
        let words = behavior.name.split(separator: "-").map(String.init)
        let name = words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return RunTimeSetting(name, Form.words(behavior.values, \.self)) {
            JSONValue(behavior.value(in: $0.rules))
        } write: {
            behavior.choose($1, in: &$0.rules)
        }
    }
}

extension Form where Value == RuleOptions.DeviceRate? {
    fileprivate static var deviceRate: Self {
        Self(
            expected: "a count and a duration, such as \"10/1s\", or null for no limit",
            schema: Schema.text("^[0-9]{1,10}/[0-9]{1,12}(ms|s|m|h|d)$").example("10/1s").orNull
        ) { value in
            if case .null = value { return .some(nil) }
            guard case .string(let text) = value else { return nil }
            let parts = text.split(separator: "/", maxSplits: 1)
            guard parts.count == 2, let count = UInt64(digits: String(parts[0])),
                (1...1_000_000_000).contains(count),
                let interval = DurationText.microseconds(String(parts[1])),
                (1...DurationText.longest).contains(interval)
            else { return nil }
            return .some(RuleOptions.DeviceRate(count: Int(count), interval: interval))
        }
    }
}
