import Testing

@testable import MockAPNsRules

/// What is odd about a topic, and which one was meant.
@Suite struct TopicSpellingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let topic: String
        let type: PushType
        let oddity: String?
        let likely: String?
        var testDescription: String { "\(topic) for \(type)" }

        init(_ topic: String, _ type: PushType = .alert, _ oddity: String? = nil, _ likely: String?) {
            (self.topic, self.type, self.oddity, self.likely) = (topic, type, oddity, likely)
        }
    }

    private static let app = "com.example.app"

    static let rows: [Row] = [
        Row(app, .alert, nil, app), Row("\(app).voip", .voip, nil, "\(app).voip"), Row("x", .alert, nil, "x"),
        Row("com.example.my_app", .alert, nil, "com.example.my_app"),
        Row("com.example.Voip", .mdm, "has '.Voip' in place of .voip", "com.example"),

        // The suffix of another type is not odd: the push type may be wrong.
        Row("\(app).push-type.widgets", .voip, nil, "\(app).voip"), Row("\(app).voip", .alert, nil, app),

        // Twice, or in place of another.
        Row("\(app).voip.voip", .voip, "has '.voip' before another suffix", "\(app).voip"),
        Row(
            "\(app).push-type.liveactivity.push-type.liveactivity", .liveactivity,
            "has '.push-type.liveactivity' before another suffix", "\(app).push-type.liveactivity"),
        Row("\(app).pushkit.voip", .voip, "has '.pushkit.voip' in place of .voip", "\(app).voip"),
        Row("\(app).pushkit", .voip, "has '.pushkit' in place of .voip", "\(app).voip"),
        Row("com.example.push.voip", .voip, nil, "com.example.push.voip"),
        Row("\(app).VOIP", .voip, "has '.VOIP' in place of .voip", "\(app).voip"),
        Row("\(app).push-type.alert", .alert, "has '.push-type.alert'", app),

        // An app may be named like this, unless the push type is the same.
        misspelt(".liveactivity", .liveactivity), misspelt(".live-activity", .liveactivity),
        misspelt(".activity", .liveactivity), misspelt(".activitykit", .liveactivity),
        misspelt(".push.liveactivity", .liveactivity), misspelt("_liveactivity", .liveactivity),
        misspelt(".ptt", .pushtotalk), misspelt(".push-to-talk", .pushtotalk), misspelt(".location", .location),
        misspelt(".widgets", .widgets), misspelt(".accessory", .accessory), misspelt(".file-provider", .fileprovider),
        misspelt("-voip", .voip), misspelt("_voip", .voip),
        Row(
            "\(app):voip", .voip, "has characters that no bundle identifier has, and has ':voip' in place of .voip",
            "\(app).voip"), Row("\(app)-voip", .alert, nil, "\(app)-voip"),
        Row("com.example.pushkit", .alert, nil, "com.example.pushkit"),
        // With any joiner between the words, and in no bundle identifier.
        misspelt(".push-type-liveactivity", .liveactivity), misspelt(".push-type.live_activity", .liveactivity),
        misspelt(".push-types.liveactivity", .liveactivity), misspelt(".push_type.liveactivity", .liveactivity),
        misspelt(".push-type.activity", .liveactivity), misspelt(".pushtype.widget", .widgets),
        misspelt(".push-type.control", .controls), misspelt(".location_query", .location),
        misspelt(".locationquery", .location), misspelt(".voip_ptt", .pushtotalk), misspelt(".voip.ptt", .pushtotalk),
        misspelt(".push-type.voip", .voip), misspelt(".push-type.fileprovider", .fileprovider),
        Row("\(app).push-type.widget", .alert, "has '.push-type.widget' in place of .push-type.widgets", app),
        Row("\(app).location", .voip, nil, "\(app).location.voip"), Row("\(app).ptt", .alert, nil, "\(app).ptt"),
        Row("\(app).location.voip", .voip, nil, "\(app).location.voip"),

        // What is not the app's name.
        Row("<\(app)>", .alert, "has characters that no bundle identifier has", app),
        Row("\"\(app)\"", .alert, "has characters that no bundle identifier has", app),
        Row("undefined", .alert, placeholder, nil), Row("(null)", .voip, placeholder, nil),
        Row("false", .alert, placeholder, nil), Row("0", .alert, placeholder, nil),
        Row("undefined.voip", .voip, placeholder, nil), Row("${BUNDLE_ID}.voip", .voip, placeholder, nil),
        Row("YOUR_BUNDLE_ID", .alert, placeholder, nil), Row("com.yourcompany.yourapp", .alert, placeholder, nil),
        Row("[object Object]", .alert, placeholder, nil),
        // What was meant cannot be known.
        unknown("a,b"), unknown("com.example.app,com.example.b"), unknown("https://com.example.app"),
        unknown("bundle:com.example.app"), unknown("com.example.*"), unknown("com,example,app"),
        unknown("\u{217d}om.example.app"), Row("com.apple.mgmt.External.8a1b", .voip, nil, nil),
        Row("pass.com.example", .voip, nil, nil), Row("web.com.example", .alert, nil, "web.com.example"),
        Row("<>", .voip, "is no bundle identifier", nil),
        Row("com_example_app", .alert, "has underscores in place of dots", app),
        Row("A1B2C3D4E5.\(app)", .alert, "begins with a team ID", app),
        Row("TEAMID.\(app)", .alert, "begins with a team ID", app),
        Row("EXAMPLEAPP.\(app)", .alert, "begins with a team ID", app),
        Row("EXAMPLEAPP.main", .alert, nil, "EXAMPLEAPP.main"),
        Row("my_app", .alert, "has underscores in place of dots", nil),
        Row("com-example-app", .alert, "has hyphens in place of dots", app), Row("my-app", .alert, nil, "my-app"),
        Row("\(app).", .alert, "ends with a dot", app), Row(".\(app)", .alert, "begins with a dot", app),
        Row("com..example.app", .alert, "has two dots in a row", app),
        Row(
            "<A1B2C3D4E5.\(app).VOIP>", .voip,
            "has characters that no bundle identifier has, and has '.VOIP' in place of .voip, and begins with a team ID",
            "\(app).voip"), Row(".voip", .voip, "is only a suffix, without a bundle identifier", nil),
        Row("...", .voip, "is no bundle identifier", nil),
    ]

    private static let placeholder = "is a placeholder, not a bundle identifier"

    /// A topic with this ending in place of the push type's suffix.
    private static func misspelt(_ ending: String, _ type: PushType) -> Row {
        let suffix = type.row.topicSuffix
        return Row("\(app)\(ending)", type, "has '\(ending)' in place of \(suffix)", "\(app)\(suffix)")
    }

    private static func unknown(_ topic: String) -> Row {
        Row(topic, .alert, "has characters that no bundle identifier has", nil)
    }

    @Test(arguments: rows) func `a topic's spelling mistake is found, and the likely topic suggested`(row: Row) {
        let spelling = TopicSpelling(row.topic, for: row.type)
        #expect(spelling.oddity == row.oddity)
        #expect(spelling.topic(for: row.type) == row.likely)
    }

    @Test(arguments: PushType.allCases) func `the correct topic of a push type has no spelling mistake`(type: PushType)
    {
        let topic = "com.example.app\(type.row.topicSuffix)"
        let spelling = TopicSpelling(topic, for: type)
        #expect(spelling.oddity == nil)
        #expect(spelling.topic(for: type) == topic)
    }
}
