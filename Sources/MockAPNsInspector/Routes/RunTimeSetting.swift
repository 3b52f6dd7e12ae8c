internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// Something that can be set while the server runs.
///
/// To add one: add a row. What is shown can be sent back as it is.
struct RunTimeSetting: Sendable {
    /// Sets a value that was read.
    typealias Change = @Sendable (inout World.Options) -> Void

    /// The name in the API.
    let name: String
    /// What is set, as the API shows it.
    let read: @Sendable (World.Options) -> JSONValue
    /// The setting as a member of a body.
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

    /// Everything that is set, by name.
    static func json(_ options: World.Options) -> JSONValue {
        .object(Dictionary(all.map { ($0.name, $0.read(options)) }) { first, _ in first })
    }

    /// How many settings differ.
    static func differences(_ left: World.Options, _ right: World.Options) -> Int {
        all.count { $0.read(left) != $0.read(right) }
    }

    /// All settings, in the order in which they are set: `strict` first, as it sets others.
    static let all: [RunTimeSetting] =
        [
            RunTimeSetting("strict", .boolean) {
                .bool($0.rules.isStrict)
            } write: {
                $1 ? $0.rules.makeStrict() : $0.rules.makeLenient()
            },
            choice("auth", \.rules.authentication),
            choice("unknownTokens", \.rules.unknownTokens),
            RunTimeSetting("deviceRate", .deviceRate) {
                JSONValue($0.rules.deviceRate.map { "\($0.count)/\(DurationText.text($0.interval))" })
            } write: {
                $0.rules.deviceRate = $1
            },
            RunTimeSetting("errorLimit", .whole(0...1_000_000)) {
                JSONValue($0.rules.errorLimit)
            } write: {
                $0.rules.errorLimit = $1
            },
            duration("providerTokenMinInterval", from: 0, \.rules.tokenUpdateInterval),
            duration("providerTokenLifetime", from: 1_000, \.rules.tokenLifetime),
            choice("uninstallDetection", \.devices.uninstallDetection),
            duration("inactiveAfter", from: 1_000, \.devices.inactiveAfter),
        ] + Behavior.all.filter(\.isForRunTime).map(behavior)

    private static func choice<Value: CaseIterable & RawRepresentable<String> & Sendable>(
        _ name: String,
        _ path: any WritableKeyPath<World.Options, Value> & Sendable
    ) -> RunTimeSetting {
        RunTimeSetting(name, Form<Value>.word) {
            .string($0[keyPath: path].rawValue)
        } write: {
            $0[keyPath: path] = $1
        }
    }

    private static func duration(
        _ name: String,
        from shortest: Int64,
        _ path: any WritableKeyPath<World.Options, Int64> & Sendable
    ) -> RunTimeSetting {
        RunTimeSetting(name, .duration(from: shortest, examples: "500ms, 5s, 20m, 1h or 30d")) {
            .string(DurationText.text($0[keyPath: path]))
        } write: {
            $0[keyPath: path] = $1
        }
    }

    /// A choice where APNs is not known for certain: `invalid-json` of the command line is `invalidJson` here.
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

extension Schema {
    /// A limit on pushes to one device token.
    fileprivate static let deviceRate = Schema.text("^[0-9]{1,10}/[0-9]{1,12}(ms|s|m|h|d)$").example("10/1s")
}

extension Form where Value == RuleOptions.DeviceRate? {
    /// A limit on pushes to one device token.
    fileprivate static var deviceRate: Self {
        Self(
            expected: "a count and a duration, such as \"10/1s\", or null for no limit",
            schema: .deviceRate.orNull
        ) { value in
            if case .null = value { return .some(nil) }
            guard case .string(let text) = value else { return nil }
            let parts = text.split(separator: "/", maxSplits: 1)
            guard parts.count == 2, let count = UInt64(digits: String(parts[0])),
                (1...1_000_000_000).contains(count),
                let interval = DurationText.microseconds(String(parts[1])), interval > 0,
                interval <= DurationText.longest
            else { return nil }
            return .some(RuleOptions.DeviceRate(count: Int(count), interval: interval))
        }
    }
}
